"""Results of the claims benchmark for people: on the terminal, and as a page."""
