"""Reading xlsx workbooks of unknown origin: openpyxl decides what a cell holds, this package bounds what it costs."""
