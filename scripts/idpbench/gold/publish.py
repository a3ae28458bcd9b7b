"""What of a finished local run, and of all committed results, goes into results/gold."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.errors import Refusal
from idpbench.gold.board import latest
from idpbench.gold.feed import FILE, feed_bytes
from idpbench.gold.result.document import file_name
from idpbench.gold.result.same import nothing_new
from idpbench.gold.result.schema import Result
from idpbench.gold.result.validate.document import read_result
from idpbench.gold.shelf import Shelf, feed_of, pages_of, shelf

FOLDER = "gold"


def documents(result: bytes, found: Shelf) -> dict[str, bytes]:
    """Destination below results/ -> bytes: the document, or the model's latest one where that holds all of it."""
    manifests = {name: suite.manifest for name, suite in found.suites.items()}
    document, issues = read_result(result, "", manifests)
    wrong = [issue for issue in issues if issue.code != "FILE_NAME"]
    if document is None or wrong:
        raise Refusal(f"the result of this run is not valid: {wrong[0].path}: {wrong[0].code}: {wrong[0].message}")
    shown = [one.digest for one in latest(found.results.values())]
    for path, other in found.results.items():
        if other.digest in shown and nothing_new(document, other):
            return {address(other): path.read_bytes()}
    return {address(document): result}


def address(document: Result) -> str:
    """Where a result lies below results/."""
    return f"{FOLDER}/{document.suite.suite_id}/{file_name(document)}"


def derived(results: Path, root: Path) -> dict[str, bytes]:
    """Destination below results/ -> bytes of what is made from all results: pages and feed."""
    found = shelf(results / FOLDER, root)
    found.demand_valid()
    files = {**pages_of(found, root), FILE: feed_bytes(feed_of(found, root))}
    return {f"{FOLDER}/{name}": data for name, data in files.items()}
