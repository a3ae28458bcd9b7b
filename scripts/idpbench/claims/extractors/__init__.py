"""Extractors: what turns a source's bytes into claims."""
