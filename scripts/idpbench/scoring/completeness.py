"""Did the rows come back? Counted by SEQ tag, wherever in a result a tag stands."""

from __future__ import annotations

from typing import Any

from idpbench.scoring.sections import Sections
from idpbench.scoring.truth import Truth


def completeness(sections: Sections, truth: Truth) -> dict[str, Any]:
    """`completeness_recall` = |extracted and true| / |true|; `truncation_prefix` = first missing number from 0.

    `rows_extracted` counts distinct tags, also those the truth does not know; `dups` the repetitions; `n_gaps` what is
    missing. Recall and prefix are null for a document without rows.
    """
    found: list[str] = []
    for section in sections.items:
        found.extend(section.tags())
    distinct = set(found)
    numbers = {int(tag[3:]) for tag in distinct}
    prefix = next(number for number in range(len(numbers) + 1) if number not in numbers)
    expected = len(truth.tags)
    recovered = len(distinct & truth.tags)
    return {
        "rows_truth": expected,
        "rows_extracted": len(distinct),
        "completeness_recall": round(recovered / expected, 4) if expected else None,
        "truncation_prefix": prefix if expected else None,
        "dups": len(found) - len(distinct),
        "n_gaps": expected - recovered,
    }


def section_count(sections: Sections, truth: Truth) -> dict[str, Any]:
    """`sections_correct`: 1.0 or 0.0, null where the truth does not say how many there are."""
    found = len(sections.items)
    expected = truth.expected_sections
    return {"sections": found, "sections_correct": None if expected is None else float(found == expected)}
