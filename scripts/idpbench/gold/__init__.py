"""Room `gold`: a benchmark of recipes that tidy messy spreadsheets.

A recipe (`gold-recipe/1`) names the value cells of a sheet and the cells that describe them. It is executed on a
workbook, the tidy table and its trace are compared with those of a reference recipe, and five metrics say how near
they are. The suite of workbooks, tasks and references is frozen and bound by one digest.
"""
