"""Room `stack`: plan the run keys of a side, launch and collect its runs on a deployed stack, keep every record."""
