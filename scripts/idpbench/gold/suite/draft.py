"""The draft that a suite is frozen from: one folder with `draft.json` and the files that it names.

```
draft.json = {
  "schema": "gold-draft/1", "suite_id": "gold-YYYY.MM", "frozen_at": "2026-11-30T00:00:00Z",
  "vocabulary": PATH,
  "members": [ {
    "member_id": [a-z0-9-]{3,64}, "title": str, "source_kind": "bank_asset"|"conformance",
    "difficulty": "easy"|"medium"|"hard", "publisher": slug, "features": [tag, ...], "published_in_bank": bool,
    "workbook": { "path": PATH  (a workbook that the suite will hold)
                | "staged": FILE NAME  (a publisher's workbook, found in the staged folder, never copied),
                  "licence": str, "attribution": str, "source_note": str },
    "task": { "sheet": str|null, "instruction": str,
              "columns": [ {"name": NAME, "role": "header"|"value", "about": str}, ... ] },
    "recipe": PATH,
    "accepts"?: [ {"header": NAME, "state": "missing"|"ambiguous"}, ... ]  (reference headers that may be so)
  }, ... ]
}
```

Every PATH is relative to the folder of draft.json and may not leave the folder above it (`../vocabulary/x.json` is
fine). Members may stand in any order; the manifest sorts them and their features. `task.columns` names exactly the
columns of the reference table: the headers of all tables, and the value names.
"""
