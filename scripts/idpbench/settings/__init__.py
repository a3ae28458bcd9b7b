"""Room `settings`: config/*.yaml and `--config` keys, read strictly; errors name file, key and what would be right."""
