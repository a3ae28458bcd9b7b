"""Suites: their model, the strict loader, discovery in a folder, fixtures."""
