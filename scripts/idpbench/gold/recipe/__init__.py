"""The recipe `gold-recipe/1`: strict JSON, its schema, and how it is read."""
