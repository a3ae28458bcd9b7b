"""What every model is told: the rules of a recipe in plain words. Its digest stands in each result.

A change of any word here is a new PROMPT_VERSION: results of two versions were asked differently.
"""

from __future__ import annotations

from idpbench.files.canonical import digest

PROMPT_VERSION = "gold-prompt/1"

RULES = """\
You turn one messy spreadsheet into one tidy table. You do not write the table. You write a recipe, and a program runs
the recipe on the sheet.

Reply with one JSON object and nothing else: no code fence, no explanation, no text before or after it. It may hold at
most 65536 bytes. Unknown keys, repeated keys and wrong types are refused.

A recipe says which cells are values, and for each value cell where its headers stand. Each value cell gives one row of
the tidy table: the texts of its headers, and its value.

recipe = {"version": "gold-recipe/1", "tables": [table, ...]}            1 to 20 tables; they become one output table
table  = {"name": NAME, "sheet": "title of the sheet",
          "values": {"name": NAME, "select": select, "keep_blank": true or false, optional, default false},
          "headers": [header, ...]}                                       0 to 40 headers
header is one of
         {"name": NAME, "direction": DIRECTION, "select": select,
          "fill": FILL, "overrides": {"R1C1": DIRECTION}, "spans": {"R1C1": [first, last]},
          "bands": "all" or "nearest", "default": text, number or boolean}       all from "fill" on are optional
         {"name": NAME, "constant": text, number or boolean}                      the same for every row
         {"name": NAME, "cell": "R2C1"}                                           the text of one cell for every row
select = {"include": [ADDRESS, ...], "exclude": [ADDRESS, ...],
          "where": {"types": [TYPE, ...], "matches": "regular expression", "not_matches": "regular expression"}}
                                                                         "exclude" and "where" are optional
NAME      lower-case letters, digits and _, beginning with a letter, at most 63 characters
ADDRESS   R<row>C<column>, or a range R<row>C<column>:R<row>C<column>; rows and columns count from 1
TYPE      number, text, date, boolean, error or blank
DIRECTION above, left, below, right; or above-nearest, left-nearest, below-nearest, right-nearest
FILL      none or merge for the first four (default none); forward, backward or closest for the -nearest four
          (default forward)

How a value cell finds its header among the cells that a header selects:
- "above", "left", "below", "right" are direct: the header stands in the same column (above, below) or in the same row
  (left, right) as the value, on the named side.
- The -nearest forms fill sideways: "above-nearest" also takes a header of a row above that stands further left, as
  long as no other header of that row comes between. "left-nearest" does the same downwards: a label in a column to the
  left holds for the rows below it until the next label of that column. With "backward" it holds the other way round,
  with "closest" up to half the way to each neighbour.
- A title of a block that stands in the label column, above the labels of its rows: select only the titles, with
  "left-nearest".
- A heading in merged cells over several columns: "above" with fill "merge".
- A heading whose reach no fill describes, such as one centred over an even number of columns: give its reach in "spans"
  (first and last column for above and below, first and last row for left and right, both included).
- A header cell that stands on another side of its values than the other cells of its header: "overrides" gives it a
  direction of its own.
- A label that some rows lack: "default" gives them a text.
- Blocks stacked with heads of their own: "bands": "nearest" takes only the nearest row of heads that holds one.
- Two levels of headings are two headers. Selecting both levels in one header makes the assignment ambiguous.
- Blank cells are never headers. Blank value cells give no row unless "keep_blank" is true.
- Leave notes, sources, totals that are not asked for and titles out of the values.
- "where" keeps only cells of the given types, or whose text the expression finds; the expressions have no look-around
  and no back-references.

Ranges may reach beyond the used cells. At most 200000 cells may be selected in all.

Example. A sheet "Berries" holds
R70C92 text "Spring"
R70C93 text "Summer"
R71C91 text "Currants"
R71C92 number 4
R71C93 number 9
and a recipe for it is
{"version":"gold-recipe/1","tables":[{"name":"main","sheet":"Berries","values":{"name":"baskets","select":{"include":["R71C92:R71C93"]}},"headers":[{"name":"season","direction":"above","select":{"include":["R70C92:R70C93"]}},{"name":"berry","direction":"left","select":{"include":["R71C91"]}}]}]}
"""

CONTRACT = """\
The tidy table must have exactly these columns, by these names:
{columns}
"""

BLIND = """\
Choose names for the columns yourself.
"""

TASK = """\
Task: {instruction}

{columns}
{sheet}"""

REVISION = """\
The recipe could not be used as it is:
{issues}

Reply with the whole corrected recipe: one JSON object and nothing else.
"""

TEMPLATE_SHA256 = f"sha256:{digest([PROMPT_VERSION, RULES, CONTRACT, BLIND, TASK, REVISION])}"
KNOWN = {PROMPT_VERSION: TEMPLATE_SHA256}  # a new version goes beside the old ones, whose results stay valid
