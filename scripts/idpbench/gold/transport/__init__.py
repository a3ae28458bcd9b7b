"""Ways to ask a model for a recipe: an HTTP API, recorded replies, the project's own heuristic. None retries."""
