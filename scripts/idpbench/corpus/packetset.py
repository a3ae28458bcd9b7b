"""Generated packets as a labelled set: PDFs, baselines of the documents in them, and the manifest that pins them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idpbench.corpus.build import Made
from idpbench.corpus.manifest import entry_of, load_manifest, verify, write_manifest
from idpbench.corpus.packet import build_packet
from idpbench.corpus.selfcheck import page_faults
from idpbench.files.atomic import write_bytes, write_text
from idpbench.files.canonical import bytes_digest, write_json
from idpbench.files.errors import Refusal
from idpbench.reading.document import open_pdf
from idpbench.reading.textlayer import text_page

if TYPE_CHECKING:
    from idpbench.settings.packets import Packet

UPDATE = "python scripts/assemble_testset.py --update-manifest"


def write_packets(packets: Iterable[Packet], folder: Path, manifest: Path, doc_class: str) -> int:
    """Write the packets below `folder` as a labelled set; how many pages. Bytes that the manifest lacks are refused."""
    entries, pages = load_manifest(manifest), 0
    for packet in packets:
        made = build_packet(packet)
        verify(made, entry_of(entries, packet.id, manifest, UPDATE), packet.id, manifest, UPDATE)
        write_packet(made, folder, packet.id)
        pages += made.pages
    write_text(folder / "classes.yaml", f'"*.pdf": {doc_class}\n')
    return pages


def write_packet(made: Made, folder: Path, name: str) -> None:
    """One packet's baselines, then its PDF: a PDF is never there without its truth."""
    for number, section in enumerate(made.truth["sections"], start=1):
        write_json(folder / "baseline" / f"{name}.pdf" / "sections" / str(number) / "result.json", section)
    write_bytes(folder / "input" / f"{name}.pdf", made.pdf)


def update_packets(packets: Mapping[str, Packet], manifest: Path) -> int:
    """Generate and check all packets and write their entries (maintainers only); how many pages."""
    entries: dict[str, Any] = {}
    for name, packet in packets.items():
        made = build_packet(packet)
        checked = check_packet(made, name)
        entries[name] = {
            "sha256": bytes_digest(made.pdf),
            "truth_sha256": bytes_digest(made.truth_bytes),
            "pages": made.pages,
            "documents": [f"{kind} {pages}" for kind, pages in packet.documents],
            "self_check": {"method": "text", "values": checked, "read": checked},
        }
    write_manifest(manifest, entries)
    return sum(entry["pages"] for entry in entries.values())


def check_packet(made: Made, name: str) -> int:
    """Read every true value back from the pages of its document; how many. One that is not there is a Refusal."""
    misses: list[str] = []
    count = 0
    with open_pdf(made.pdf, name) as document:
        pages = [text_page(document, index) for index in range(document.page_count)]
    for section, printed in zip(made.truth["sections"], made.truth["printed"], strict=True):
        indices = section["split_document"]["page_indices"]
        here = " ".join(word.text for index in indices for word in pages[index].words)
        misses += [f"pages {indices}: {value!r} is not there" for value in printed if value not in here]
        count += len(printed)
    misses += [fault for page in pages for fault in page_faults(page)]
    if misses:
        raise Refusal(
            f"{name}: found {count - len(misses)} of {count} values on its pages: {'; '.join(misses[:3])}; "
            "the generator draws something that cannot be read: correct its layout"
        )
    return count
