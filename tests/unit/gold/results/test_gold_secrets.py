"""What looks like a key is found in everything that is committed, and told without giving it away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.gold.secrets import HIDDEN, Key, masked, suspicious, usable

SECRETS = [
    "sk-or-v1-0123456789abcdef",
    "sk-ant-REDACTED",
    "Bearer abcdef0123456789",
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1" * 18,
    "AIza" + "x" * 35,
    "xoxb-1234567890-abc",
    "-----BEGIN RSA PRIVATE KEY-----",
    'api_key: "abcdef0123456789"',
    "PASSWORD=abcdefghijkl0",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_found_and_masked(secret: str) -> None:
    text = f'{{"note": "see {secret} here"}}'
    assert all(len(start) == 7 and secret not in start for start in suspicious(text)) and list(suspicious(text))
    assert secret not in masked(text) and not list(suspicious(masked(text)))


@pytest.mark.parametrize("text", ["sha256:" + "0a" * 32, "risk-free", "desk-1", "key", "a secret", "maker/model-1", ""])
def test_ordinary_words_are_no_secrets(text: str) -> None:
    assert not list(suspicious(text)) and masked(text) == text


def test_a_key_is_never_spelled_by_accident() -> None:
    key = Key("sk-or-v1-0123456789abcdef")
    assert "0123" not in f"{key} {key!r} {[key]} {vars(key).keys()}"
    assert key.hide("a sk-or-v1-0123456789abcdef b") == "a [hidden] b"
    assert usable("a" * 8) and not usable("a" * 7) and not usable("with space") and not usable("ümlaut-key")


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=30), st.data())
def test_a_key_is_hidden_however_json_spells_its_letters(value: str, data: st.DataObject) -> None:
    spelled = "".join(
        data.draw(st.sampled_from([letter, f"\\u{ord(letter):04x}", f"\\\\u{ord(letter):04X}"])) for letter in value
    )
    assert Key(value).hide(f"[ {spelled} ]") == f"[ {HIDDEN} ]"
