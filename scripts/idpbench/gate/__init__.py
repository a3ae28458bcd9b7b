"""Room `gate`: two summaries become one verdict. Pure: no clock, no environment, no network, no files."""
