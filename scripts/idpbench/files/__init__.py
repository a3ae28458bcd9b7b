"""Room `files`: everything that touches the disk, once: writing, digests, JSON, tables, locks, retries."""
