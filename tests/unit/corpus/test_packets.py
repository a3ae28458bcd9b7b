"""Packets: several documents in one PDF, the class of every page known, the same bytes on every machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idpbench.corpus.manifest import load_manifest
from idpbench.corpus.packet import build_packet
from idpbench.corpus.packetkinds import ITEMS, KINDS
from idpbench.corpus.packetset import check_packet, write_packets
from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal
from idpbench.settings.load import load
from idpbench.settings.packets import Packet, load_packets

ROOT = Path(__file__).resolve().parents[3]
MANIFEST = ROOT / "corpus" / "packets.json"
PACKETS = load_packets(ROOT / "config", KINDS)


def test_the_manifest_has_every_packet_and_no_other() -> None:
    assert set(load_manifest(MANIFEST)) == set(PACKETS)


@pytest.mark.parametrize("name", ["packet_01", "packet_09", "packet_20", "packet_23"])
def test_a_packet_is_the_manifest_s_bytes_and_says_what_its_truth_says(name: str) -> None:
    made = build_packet(PACKETS[name])
    entry = load_manifest(MANIFEST)[name]
    assert (bytes_digest(made.pdf), bytes_digest(made.truth_bytes)) == (entry["sha256"], entry["truth_sha256"])
    assert made.pages == PACKETS[name].pages == entry["pages"]
    assert check_packet(made, name) == entry["self_check"]["read"] > 0


def test_every_page_belongs_to_exactly_one_document_of_the_stated_kind() -> None:
    for name, packet in PACKETS.items():
        sections = build_packet(packet).truth["sections"]
        pages = [index for section in sections for index in section["split_document"]["page_indices"]]
        assert pages == list(range(packet.pages)), name
        kinds = [KINDS[kind].name for kind, _ in packet.documents]
        assert [section["document_class"]["type"] for section in sections] == kinds


def test_all_kinds_occur_among_the_packets_of_the_usual_sample() -> None:
    usual = [PACKETS[name] for name in sorted(PACKETS)[:20]]
    assert {kind for packet in usual for kind, _ in packet.documents} == set(KINDS)
    assert len(KINDS) >= 10


def test_the_classes_declare_what_the_generator_draws() -> None:
    classes = {entry["x-aws-idp-document-type"]: entry for entry in load(ROOT).classes["packets"]["classes"]}
    assert set(classes) == {kind.name for kind in KINDS.values()}
    for kind in KINDS.values():
        properties = classes[kind.name]["properties"]
        assert list(properties) == [one.name for one in kind.fields] + ([ITEMS] if kind.columns else [])
        if kind.columns:
            assert list(properties[ITEMS]["items"]["properties"]) == [name for name, _ in kind.columns]
        dates = {name for name, schema in properties.items() if schema.get("format") == "date"}
        assert dates == {one.name for one in kind.fields if one.maker == "date"}


def test_a_total_is_the_sum_of_its_rows() -> None:
    section = build_packet(Packet("packet_99", (("invoice", 2),))).truth["sections"][0]["inference_result"]
    assert section["Total Due"] == pytest.approx(sum(row["Amount"] for row in section[ITEMS]))
    assert len(section[ITEMS]) == 44


def test_packets_are_written_as_a_labelled_set(tmp_path: Path) -> None:
    assert write_packets([PACKETS["packet_01"]], tmp_path, MANIFEST, "packets") == 3
    assert (tmp_path / "classes.yaml").read_text() == '"*.pdf": packets\n'
    first = tmp_path / "baseline" / "packet_01.pdf" / "sections" / "1" / "result.json"
    assert json.loads(first.read_text())["document_class"] == {"type": "Letter"}


def test_a_packet_that_differs_from_the_manifest_is_refused_unwritten(tmp_path: Path) -> None:
    changed = Packet("packet_01", (("memo", 1),))
    with pytest.raises(Refusal, match=r"documents\.packet_01\.sha256.*assemble_testset\.py --update-manifest"):
        write_packets([changed], tmp_path, MANIFEST, "packets")
    assert not (tmp_path / "input").exists()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("packet_01: [invoise]", "did you mean invoice"),
        ("packet_01: [invoice 0]", "KIND or KIND PAGES"),
        ("packet_01: [invoice two]", "KIND or KIND PAGES"),
        ("packet_01: invoice", r"packets\.packet_01"),
    ],
)
def test_what_is_no_packet_is_named(tmp_path: Path, line: str, word: str) -> None:
    (tmp_path / "packets.yaml").write_text(f"packets:\n  {line}\n")
    with pytest.raises(Refusal, match=word):
        load_packets(tmp_path, KINDS)
