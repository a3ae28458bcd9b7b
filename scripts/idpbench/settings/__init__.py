"""Room `settings`: config/*.yaml and `--config` keys, read strictly; every error names file, key and what would be right."""
