"""Calibration: a map from stated confidence to observed correctness, and every reason not to keep one."""
