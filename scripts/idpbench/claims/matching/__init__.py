"""Matching: which stated claim is which gold claim, one to one, the most alike first."""
