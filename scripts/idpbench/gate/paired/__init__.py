"""Pass 2, the default judge: documents are a fixed set, labels are shuffled within them, families are controlled."""
