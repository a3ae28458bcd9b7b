"""The frozen suite: its manifest, how it is frozen from a draft, loaded, and verified."""
