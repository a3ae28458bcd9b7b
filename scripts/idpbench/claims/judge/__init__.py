"""Judges: how alike two texts are, and whether a model reads them as one fact."""
