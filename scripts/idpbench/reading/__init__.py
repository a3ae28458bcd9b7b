"""Room `reading`: a PDF as a reader sees it: text layer, page images, OCR with its cache, and the layout of words."""
