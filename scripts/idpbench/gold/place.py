"""Where the benchmark's files lie in the repository, and a suite with all its bytes checked."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.errors import bad_input, nearest
from idpbench.gold.suite.load import MANIFEST, Suite, load_suite
from idpbench.gold.suite.manifest import Member

SUITES = Path("corpus", "gold")
REFERENCES = Path("work", "gold", "references")
RUNS = Path("work", "gold", "runs")


def suite_ids(root: Path) -> list[str]:
    """The frozen suites, oldest first."""
    return sorted(path.parent.name for path in (root / SUITES).glob(f"*/{MANIFEST}"))


def open_suite(root: Path, suite_id: str, staged: Path | None, cache: Path = REFERENCES) -> Suite:
    """A suite by its name; `cache` is the folder below `root` for references derived from staged workbooks."""
    known = suite_ids(root)
    if suite_id not in known:
        raise bad_input("--suite", "", repr(suite_id), f"a suite of {SUITES}", nearest(suite_id, known))
    return load_suite(root / SUITES / suite_id, staged, root / cache)


def checked(suite: Suite) -> list[str]:
    """Ids of the members whose workbook is at hand, after every file of the suite was compared with its digest.

    References of staged workbooks that are at hand are derived and compared too. Refusal for any other byte.
    """
    suite.vocabulary()
    present = []
    for member in suite.manifest.members:
        suite.recipe(member)
        data = suite.workbook(member)
        if data is not None:
            present.append(member.member_id)
            if len(data) != member.workbook.bytes:
                where = suite.folder / MANIFEST
                remedy = "restore the suite from git"
                raise bad_input(where, member.member_id, member.workbook.bytes, f"{len(data)} bytes", remedy)
        if data is not None or member.reference.table.path is not None:
            suite.reference(member)
    return present


def checked_member(suite: Suite, member_id: str) -> Member:
    """The member of that id; an unknown one is a Refusal."""
    names = [member.member_id for member in suite.manifest.members]
    if member_id not in names:
        raise bad_input(
            "--member", "", repr(member_id), f"a member of {suite.manifest.suite_id}", nearest(member_id, names)
        )
    return suite.manifest.member(member_id)
