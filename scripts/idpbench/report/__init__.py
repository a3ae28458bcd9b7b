"""Room `report`: verdict and summaries in, pages, figures, indexes and published evidence out."""
