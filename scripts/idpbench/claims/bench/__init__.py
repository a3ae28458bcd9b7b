"""Running the benchmark: sources are read, extractors run, passes scored and kept. Reads and writes files."""
