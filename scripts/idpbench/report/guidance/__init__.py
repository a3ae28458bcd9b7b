"""Configuration guidance: which configuration suits which document, at one release, from the published sides alone."""
