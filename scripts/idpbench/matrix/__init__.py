"""Room `matrix`: from axes, cells, documents and suites to an explicit plan. Pure: no file, no clock, no network."""
