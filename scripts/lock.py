"""Renew requirements.lock from pyproject.toml, and the conda environment's pins from the lock."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
CONDA = ROOT / "envs" / "idpbench.yaml"


def pins() -> dict[str, str]:
    """Package name -> version, as the lock has them."""
    return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[a-z,]+\])?==([^ ;\\]+)", LOCK.read_text(), flags=re.M))


def conda_environment() -> str:
    """The environment file for `--software-deployment-method conda`: our direct dependencies at the lock's versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["judge"]
    locked = pins()
    lines = [
        "# Written by `make lock`: the same versions as requirements.lock.",
        "channels: [conda-forge, nodefaults]",
        "dependencies:",
        "  - python=3.11",
        "  - pip",
        "  - pip:",
    ]
    for requirement in wanted:
        name, extras = re.match(r"([A-Za-z0-9._-]+)(\[[^]]*\])?", requirement).groups()  # type: ignore[union-attr]
        lines.append(f"      - {name.lower()}{extras or ''}=={locked[name.lower()]}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    uv = Path(sys.executable).with_name("uv")
    options = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-emit-index-url"]
    sources = ["pyproject.toml", "--extra", "dev", "--extra", "judge", "--output-file", LOCK.name]
    subprocess.run([uv, "pip", "compile", "--quiet", "--upgrade", *options, *sources], cwd=ROOT, check=True)
    CONDA.write_text(conda_environment())
