"""From two summaries to what is judged: pairing, comparability, the pool; one path for every command of the gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.gate.comparability import Comparability, check
from idpbench.gate.expected import Foretold, foretold, without
from idpbench.gate.grid import Grid, Unit, read_grid
from idpbench.gate.options import GateSettings, Options, gate_settings
from idpbench.gate.pairing import Pair, Pairing, pair_units


@dataclass(frozen=True)
class Inputs:
    """Both sides, paired. `judged` are the pairs that are judged at all, `skip` the metrics that are not, with why;
    `foretold` are the units of which the plan expects a failure."""

    new: Grid
    base: Grid
    settings: GateSettings
    options: Options
    pairing: Pairing
    same: Comparability
    judged: tuple[Pair, ...]
    skip: Mapping[str, str]
    foretold: Mapping[Unit, Foretold]


def read_inputs(
    new: Any,
    base: Any,
    settings: GateSettings | Mapping[str, Any] | None,
    options: Options | None,
    names: tuple[str, str],
) -> Inputs:
    """Read and pair two summaries. Raises Refusal where one is none, or an option does not fit the sides."""
    options = options or Options()
    settings = settings if isinstance(settings, GateSettings) else gate_settings(settings)
    sides = read_grid(new, names[0]), read_grid(base, names[1])
    pairing = pair_units(*sides, options.arms)
    same = check(*sides, pairing.pairs, arms=options.arms is not None)
    told = foretold(*sides, pairing)
    judged: tuple[Pair, ...] = ()
    if same.comparable or options.exploratory:
        judged = tuple(pair for pair in without(pairing.pairs, told) if (pair.cell, pair.doc) not in same.changed)
    skip = {} if options.exploratory else dict(same.untouchable)
    return Inputs(*sides, settings, options, pairing, same, judged, skip, told)
