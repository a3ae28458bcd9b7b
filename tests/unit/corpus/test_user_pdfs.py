"""PDFs of a user are opened before anything is launched; what is wrong is said for all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.corpus.content import Shape
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.statement import draw
from idpbench.corpus.userfiles import check_pdf, check_pdfs, check_reference
from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal

GOOD = write_pdf(draw(Shape(60), CanvasMetrics()))


def labelled(folder: Path, name: str, data: bytes) -> None:
    (folder / "input").mkdir(parents=True, exist_ok=True)
    (folder / "input" / name).write_bytes(data)
    labels = folder / "baseline" / name / "sections" / "1"
    labels.mkdir(parents=True)
    (labels / "result.json").write_text("{}")


def test_a_good_file_is_described(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(GOOD)
    facts = check_pdf(tmp_path / "a.pdf")
    assert (facts.pages, facts.text_pages, facts.sha256) == (2, 2, bytes_digest(GOOD))


def test_every_bad_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "good.pdf").write_bytes(GOOD)
    (tmp_path / "cut.pdf").write_bytes(GOOD[:-200])
    (tmp_path / "photo.pdf").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(Refusal) as refusal:
        check_pdfs([*sorted(tmp_path.glob("*.pdf")), tmp_path / "gone.pdf"])
    message = str(refusal.value)
    assert message.startswith("3 files cannot be read")
    assert all(name in message for name in ("cut.pdf", "photo.pdf", "gone.pdf", "cut off", "convert it to PDF"))
    assert "good.pdf" not in message


def test_a_labelled_set_needs_documents_and_their_labels(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="input: found no PDF"):
        check_reference(tmp_path)
    labelled(tmp_path, "a.pdf", GOOD)
    assert [facts.path.name for facts in check_reference(tmp_path)] == ["a.pdf"]
    (tmp_path / "input" / "b.pdf").write_bytes(GOOD)
    with pytest.raises(Refusal, match=r"baseline/b\.pdf/sections: found no labels"):
        check_reference(tmp_path)
