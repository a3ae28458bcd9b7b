"""Generators of the suite's own members: a workbook, a task and a reference recipe each, from code alone."""
