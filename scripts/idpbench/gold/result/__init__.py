"""Result documents: their schema, how one is assembled from members, and how strictly one is read."""
