"""config/gold.yaml: what is shipped loads, and what would leak a key or bend a reply is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.settings.gold import FILE, load_gold

ROOT = Path(__file__).resolve().parents[3]


def changed(tmp_path: Path, old: str, new: str) -> Path:
    text = (ROOT / FILE).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "config").mkdir()
    (tmp_path / FILE).write_text(text.replace(old, new), encoding="utf-8")
    return tmp_path


def test_the_shipped_file_lists_the_embedded_model_first_and_keeps_plugins_off() -> None:
    found = load_gold(ROOT)
    assert next(iter(found.models)) == "local/heuristic-1"
    assert found.request.provider_options is not None
    assert all(plugin["enabled"] is False for plugin in found.request.provider_options["plugins"])


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("suite: gold-2026.11", "suite: gold-2026", "suite: found"),
        ("base: https://openrouter.ai", "base: http://openrouter.ai", "transport.base: found http://openrouter.ai"),
        ("base: https://openrouter.ai", "base: https://me:pw@openrouter.ai", "a name, password or query"),
        ("enabled: false", "enabled: true", "plugins.0: found a plugin that is on"),
        ("    plugins:", "    stream: true\n    plugins:", "provider_options.stream"),
        ("attempts_per_member: 3", "attempts_per_member: 4", "limits.attempts_per_member"),
        ("pace_ms: 1000", "pace: 1000", "limits.pace"),
    ],
)
def test_a_wrong_value_is_refused_by_its_key(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(Refusal) as refused:
        load_gold(changed(tmp_path, old, new))
    assert told in str(refused.value) and refused.value.exit_code == 2
    assert "pw" not in str(refused.value)


def test_a_server_on_this_machine_may_be_asked_in_clear(tmp_path: Path) -> None:
    root = changed(tmp_path, "https://openrouter.ai/api/v1", "http://127.0.0.1:8080/v1")
    assert load_gold(root).transport.base == "http://127.0.0.1:8080/v1"
