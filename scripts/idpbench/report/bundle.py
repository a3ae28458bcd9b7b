"""The set that a pair, or a single side, publishes: destination below results/ -> bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import Refusal
from idpbench.report import index, landing, promote, trend
from idpbench.report.evidence import claims, same_evidence, side_files, side_pair
from idpbench.report.figures.catalogue import FIGURES, SUFFIXES
from idpbench.report.ownership import Addresses, Pair, decide, side_address
from idpbench.report.retention import page as retention


def pair_files(
    *,
    results: Path,
    page: Path,
    entry: Path,
    figures: Path,
    comparison: Path,
    new: Path,
    base: Path,
    certificate: Path | None = None,
) -> tuple[dict[str, bytes], str, list[str]]:
    """(files, backend, owned folders) of a pair. `results` is results/, the paths are those of the pair's work.

    The page was rendered for certain addresses (release.json holds them). Refusal where results/ has changed since,
    such that they would be others now: the page would link what it does not describe.
    """
    stated: Mapping[str, Any] = read_json(entry, "release")
    backend = str(stated["backend"])
    pair = Pair(**{key: value for key, value in stated["pair"].items() if key != "name"})
    addresses = decide(pair, claims(results / backend, pair, new, base))
    if asdict(addresses) != stated["addresses"]:
        raise Refusal(
            f"{entry}: addresses: found {stated['addresses']}, expected {asdict(addresses)}; "
            f"{results / backend} changed after the page was rendered: render it again"
        )
    assets = {"comparison.json": comparison.read_bytes(), "release.json": entry.read_bytes()}
    if certificate is not None:
        assets["certificate.json"] = certificate.read_bytes()
    for figure in FIGURES:
        for suffix in SUFFIXES:
            path = figures / f"{figure.stem}{suffix}"
            if path.exists():
                assets[path.name] = path.read_bytes()
    files = {addresses.page: page.read_bytes()}
    files |= {f"{addresses.assets}/{name}": data for name, data in assets.items()}
    files |= _sides(pair, addresses, new, base)
    return {f"{backend}/{name}": data for name, data in files.items()}, backend, [f"{backend}/{addresses.assets}/"]


def side_only(*, results: Path, side: Path) -> tuple[dict[str, bytes], str]:
    """(files, backend) of one version without a pair; nothing where a pair owns the folder and holds it already."""
    meta = read_json(side / "meta.json")
    backend = str(meta["backend"])
    address = side_address(
        str(meta["version"]).removeprefix("v"), str(meta["suite"]), str(meta.get("slug") or ""), str(meta["series"])
    )
    committed = results / backend / address
    if side_pair(committed) is not None or same_evidence(side, committed):
        return {}, backend
    return {f"{backend}/{address}/{name}": data for name, data in side_files(side, None).items()}, backend


def derived(results: Path, backend: str) -> dict[str, bytes]:
    """The files that every pair shares, from all that lies in results/: index, baseline, trend, retention, landing."""
    folder = results / backend
    files = {f"{backend}/releases/README.md": index.render(folder, backend).encode("utf-8")}
    baseline = promote.promoted(folder, backend)
    if baseline is not None:
        files[f"{backend}/baseline.json"] = pretty(baseline).encode("utf-8")
    files |= trend.figure_files(folder)
    files[retention.NAME] = retention.render(results, landing.BACKENDS).encode("utf-8")
    files["README.md"] = landing.render(results, about_to_exist=set(files)).encode("utf-8")
    return files


def _sides(pair: Pair, addresses: Addresses, new: Path, base: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    if addresses.write_new:
        files |= {f"{addresses.new}/{name}": data for name, data in side_files(new, pair.name).items()}
    if addresses.write_base:
        files |= {f"{addresses.base}/{name}": data for name, data in side_files(base, pair.name).items()}
    return files
