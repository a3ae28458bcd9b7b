"""A folder of labelled documents becomes test sets, or says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack.model import Where
from idpbench.stack.prepare import Material
from idpbench.stack.reference import load_sets, open_all, with_sets
from idpbench.stack.sides import build_side

ROOT = Path(__file__).resolve().parents[3]
LOCAL = Where("local", "0.6.9")


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load(ROOT)


def pdf(text: str) -> bytes:
    """A one-page PDF."""
    from io import BytesIO

    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(72, 720, text)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def folder(place: Path, names: tuple[str, ...] = ("a.pdf", "b.pdf"), classes: str | None = '"*": w2\n') -> Path:
    (place / "input").mkdir(parents=True)
    for name in names:
        (place / "input" / name).write_bytes(pdf(name))
    if classes is not None:
        (place / "classes.yaml").write_text(classes)
    return place


def test_a_folder_is_one_set_of_its_class(settings: Settings, tmp_path: Path) -> None:
    [one] = load_sets(folder(tmp_path / "My Forms"), settings).values()
    assert (one.id, one.doc_class, [document.name for document in one.documents]) == (
        "my_forms",
        "w2",
        ["a.pdf", "b.pdf"],
    )
    assert open_all([one]) == 2 and not one.evaluates


def test_documents_of_two_classes_are_two_sets(settings: Settings, tmp_path: Path) -> None:
    place = folder(tmp_path / "mail", ("inv-1.pdf", "w2-1.pdf", "w2-2.pdf"), '"inv-*": invoice\n"*": w2\n')
    found = load_sets(place, settings)
    assert {name: len(one.documents) for name, one in found.items()} == {"mail_invoice": 1, "mail_w2": 2}


def test_baselines_belong_to_the_set_and_to_its_digest(settings: Settings, tmp_path: Path) -> None:
    place = folder(tmp_path / "forms")
    [without] = load_sets(place, settings).values()
    section = place / "baseline" / "a.pdf" / "sections" / "1" / "result.json"
    section.parent.mkdir(parents=True)
    section.write_text('{"inference_result": {"x": 1}}')
    [one] = load_sets(place, settings).values()
    assert one.evaluates and one.documents[0].baseline == (("1", section),)
    assert one.digest != without.digest
    section.write_text("{")
    with pytest.raises(Refusal, match=r"result\.json"):
        load_sets(place, settings)


def test_the_cells_of_a_suite_run_on_ones_own_folder(settings: Settings, tmp_path: Path) -> None:
    place = folder(tmp_path / "forms")
    side = build_side(settings, ROOT, LOCAL, suite="smoke", reference=str(place))
    assert {(run.cell, run.document, run.n_docs, run.reference) for run in side.runs} == {
        ("core-tt-adv-sep", "forms", 2, True),
        ("core-tt-simple-sep", "forms", 2, True),
    }
    material = Material(ROOT, load_sets(place, settings))
    assert material.files(side.runs[0]) == ("a.pdf", "b.pdf")
    assert [document.name for document in material.testset(side.runs[0]).documents] == ["a.pdf", "b.pdf"]
    (place / "input" / "a.pdf").write_bytes(pdf("another"))
    again = build_side(settings, ROOT, LOCAL, suite="smoke", reference=str(place))
    assert again.keys.isdisjoint(side.keys)


def test_a_known_set_needs_no_class_file_but_all_of_its_documents(settings: Settings, tmp_path: Path) -> None:
    folder(tmp_path / "bank_real", ("statement.pdf",), None)
    sets = load_sets(tmp_path, settings)
    assert sets["bank_real"].doc_class == "bank_real"
    with_sets(settings, sets.values())
    (tmp_path / "bank_real" / "input" / "second.pdf").write_bytes(pdf("x"))
    with pytest.raises(Refusal, match="labelled set bank_real: documents: found 2, expected 1"):
        with_sets(settings, load_sets(tmp_path, settings).values())


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (pdf("x")[:-200], "truncated|cut off|end marker|complete"),
        (b"hello, this is text", "PDF"),
        (b"", "PDF"),
    ],
)
def test_what_is_no_readable_pdf_is_named(settings: Settings, tmp_path: Path, content: bytes, word: str) -> None:
    place = folder(tmp_path / "forms")
    (place / "input" / "b.pdf").write_bytes(content)
    with pytest.raises(Refusal, match=f"(?s)b\\.pdf.*({word})"):
        open_all(load_sets(place, settings).values())


def test_an_encrypted_pdf_is_named(settings: Settings, tmp_path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    place = folder(tmp_path / "forms")
    canvas = Canvas(str(place / "input" / "b.pdf"), encrypt=StandardEncryption("secret", "owner"))
    canvas.showPage()
    canvas.save()
    with pytest.raises(Refusal, match=r"b\.pdf.*password"):
        open_all(load_sets(place, settings).values())


@pytest.mark.parametrize(
    ("names", "classes", "word"),
    [
        (("a.pdf",), None, r"classes\.yaml: a\.pdf: found no such file"),
        (("a.pdf",), '"x*": w2\n', "found no pattern that matches it"),
        (("a.pdf",), '"*": w3\n', "did you mean w2"),
        (("a.pdf",), "", "glob: class"),
        ((), '"*": w2\n', "found no PDF"),
        (("notes.txt",), '"*": w2\n', r"notes\.txt"),
    ],
)
def test_a_folder_that_is_incomplete_says_what_is_missing(
    settings: Settings, tmp_path: Path, names: tuple[str, ...], classes: str | None, word: str
) -> None:
    with pytest.raises(Refusal, match=word):
        load_sets(folder(tmp_path / "forms", names, classes), settings)


def test_a_folder_of_another_shape_is_refused(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no such folder"):
        load_sets(tmp_path / "none", settings)
    with pytest.raises(Refusal, match="no input/ in it"):
        load_sets(tmp_path, settings)
    with pytest.raises(Refusal, match="name of a generated document"):
        load_sets(folder(tmp_path / "tiny_form"), settings)
