"""Two values for the params of rules: they stay the same while all is well, so they trigger nothing by themselves.

The Snakefile imports this module, so it imports nothing heavy.
"""

from __future__ import annotations

import json
from pathlib import Path

from idpbench.files.canonical import digest, file_digest
from idpbench.report.evidence import SIDE_FILES, claims
from idpbench.report.ownership import Pair


def altered(stamp: Path | str, results: Path | str) -> str:
    """`` while `results` holds what the stamp says (or there is no stamp yet), else a digest of what does not.

    A file that is missing or differs counts; a shared file (index, landing page, baseline) only when it is missing,
    since other pairs renew it. A stamp that cannot be read counts as altered: publishing writes it again.
    """
    try:
        content = json.loads(Path(stamp).read_bytes())
        files, shared = dict(content["files"]), list(content["shared"])
    except FileNotFoundError:
        return ""
    except (ValueError, KeyError, TypeError):
        return "the stamp cannot be read"
    root = Path(results)
    changed = [[name, _present(root / name)] for name in sorted(files) if _present(root / name) != files[name]]
    changed += [[name, None] for name in sorted(shared) if not (root / name).exists()]
    return digest(changed) if changed else ""


def address(results: Path | str, pair: Pair) -> str:
    """`` while `pair` may write all its addresses below `results` (results/<backend>), else who holds which.

    A page's links and its line on the promotion depend on it: it is a param of the rule that renders the page. The
    evidence of a side that another pair holds is part of it, because such a side is linked only while it is the same.
    """
    root = Path(results)
    found = claims(root, pair)
    free = (None, pair.name)
    parts = [f"page {found.page}"] if pair.may_own and found.page not in free else []
    owner = pair.may_own and not parts
    for label, folder, claimed in (("new", pair.new_side, found.new), ("base", pair.base_side, found.base)):
        if not (owner and claimed in free) and (root / folder).is_dir():
            content = [_present(root / folder / name) for name in SIDE_FILES]
            parts.append(f"{label} {claimed} {digest(content)[:16]}")
    return "; ".join(parts)


def _present(path: Path) -> str | None:
    try:
        return file_digest(path)
    except OSError:
        return None
