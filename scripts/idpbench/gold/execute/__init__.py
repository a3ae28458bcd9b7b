"""Execution of a recipe on a workbook: selection, header look-up, rows, trace, warnings."""
