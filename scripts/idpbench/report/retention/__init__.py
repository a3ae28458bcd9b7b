"""What stays in results/: one set a release and whatever a page is made from; the rest once a page has recorded it."""
