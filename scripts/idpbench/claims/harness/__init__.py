"""Harnesses for what a benchmark suite cannot express: modality, polarity, validity."""
