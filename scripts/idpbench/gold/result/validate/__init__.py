"""Reading a result that somebody hands in: nothing in it is believed that can be computed."""
