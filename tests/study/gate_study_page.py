"""The simulation study of the gate as a page and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gate_study import CELLS, DOCUMENTS, FEWER, MANY_REPEATS, Study, wilson

from idpbench.gate.paired.relabel import DRAWS


def page(result: Study) -> str:
    """docs/gate-study.md."""
    from tabulate import tabulate

    def table(headers: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
        return tabulate(lines, headers, tablefmt="github", disable_numparse=True)

    ns = list(result.releases)
    heads = [f"n={n}" for n in ns]
    sizes = ", ".join(f"{count} at n={n}" for n, count in result.releases.items())
    fewest = min(result.releases.values())
    unseen = " and ".join(
        f"no hit in {count} releases leaves a rate of up to {wilson(0, count)[1]:.2f} possible"
        for count in (max(result.releases.values()), fewest)
    ).capitalize()
    alarms = {
        kind: table(
            ["unchanged release", *heads], [[name, *(by[n][kind] for n in ns)] for name, by in result.alarms.items()]
        )
        for kind in ("regression", "exit 4", "classic")
    }
    power = {
        name: table(["planted change", *heads], [[change, *(by[n] for n in ns)] for change, by in changes.items()])
        for name, changes in result.power.items()
    }
    return f"""# What the gate convicts, and what it finds: a simulation

Simulated releases of {CELLS} cells x {len(DOCUMENTS)} documents of unlike cost; no stack was involved. Made by
`python tests/study/gate_study.py`, whose source states each grid and each change; seeds are fixed, so that the same
command gives the same figures (about 20 minutes of CPU; `--repeats 10` does one column again and takes the others from
the CSV). Releases of each kind: {sizes}.
From {MANY_REPEATS} repeats on, {FEWER:,} draws of relabellings stand in for {DRAWS:,}.
{unseen} (95 %, Wilson). Every rate with its interval is in [gate-study.csv](gate-study.csv).

![False-alarm rates and power against repeats](gate-study.png)

## Unchanged releases

Share with any regression at all, at row, cell or grid level. By its levels it may be 0.13 up to 4 repeats, 0.07 above.

{alarms["regression"]}

Share that ends with exit code 4, a second look.

{alarms["exit 4"]}

Share with any regression by the classic thresholds, on the same releases, for comparison.

{alarms["classic"]}

## Planted changes

Share of releases in which the change is among the regressions, by metric and place. Quiet grid (run-to-run CV of cost
0.05):

{power["quiet"]}

Noisy grid (CV 0.35, one run in a hundred fails, one in a hundred loses rows):

{power["rare failures"]}

A change of one document cannot be found with one run a side: no relabelling of two values is rare enough. A cell that
loses nearly everything in half of its runs takes more repeats than one that loses a third in all of them.
"""


def figure(result: Study, folder: Path, stem: str = "gate-study") -> None:
    """The curves: false alarms left, power on both grids right."""
    from idpbench.report.figures.style import COLOURS, MARKERS, drawing, save, source_line

    ns = list(result.releases)
    with drawing(12.5, 4.6, ncols=3, sharey=True) as (drawn, axes):
        panels: list[tuple[str, dict[str, list[float]]]] = [
            (
                "Unchanged: any regression",
                {k: [by[n]["regression"].share for n in ns] for k, by in result.alarms.items()},
            )
        ]
        for name, changes in result.power.items():
            panels.append((f"Found, grid: {name}", {k: [by[n].share for n in ns] for k, by in changes.items()}))
        for axis, (title, curves) in zip(axes, panels, strict=True):
            for place, (label, shares) in enumerate(curves.items()):
                axis.plot(
                    ns, shares, color=COLOURS[place], marker=MARKERS[place], markersize=4, linewidth=1.2, label=label
                )
            axis.set_xscale("log")
            axis.set_xticks(ns, [str(n) for n in ns])
            axis.minorticks_off()
            axis.set(title=title, xlabel="repeats a side", ylim=(-0.03, 1.03))
        axes[0].legend(fontsize=7, loc="upper left")
        axes[1].legend(fontsize=7, loc="lower right")  # the third panel has the same curves
        axes[0].set_ylabel("share of simulated releases")
        sizes = ", ".join(f"{count} at n={n}" for n, count in result.releases.items())
        source_line(drawn, f"Simulated releases of each kind: {sizes}. Source: gate-study.csv.")
        save(drawn, folder, stem)
    (folder / f"{stem}.svg").unlink()
