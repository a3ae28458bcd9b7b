"""The resolver of gold subjects that configuration asks for."""

from __future__ import annotations

from pathlib import Path

from idpbench.claims.subjects.authority import read_authority
from idpbench.claims.subjects.base import Resolver
from idpbench.claims.subjects.live import LiveResolver
from idpbench.settings.claims import ClaimsSettings


def resolver_of(settings: ClaimsSettings, root: Path) -> Resolver:
    """The committed authority file, or a service over HTTP."""
    if settings.resolver.kind == "live":
        return LiveResolver(settings.resolver.base_url)
    return read_authority(root / settings.authority)
