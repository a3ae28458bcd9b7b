"""Rate cards: read strictly, matched exactly, digested by what they charge."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.files.provenance import PACKAGE
from idpbench.pricing.card import load_rate_card
from idpbench.pricing.price import price
from idpbench.settings.yamlfile import load_yaml

OURS = PACKAGE.parents[1] / "config" / "pricing.yaml"
ACCELERATORS = """
pricing:
  - name: textract/analyze_document-Tables
    units:
      - name: pages
        price: "0.015"
  - name: bedrock/us.anthropic.claude-sonnet-5
    units:
      - name: inputTokens
        price: "3.0E-6"
      - name: outputTokens
        price: 0.000015
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "pricing.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_accelerator_s_own_form_is_read_as_it_is(tmp_path: Path) -> None:
    card = load_rate_card(written(tmp_path, ACCELERATORS))
    assert card.rates["bedrock/us.anthropic.claude-sonnet-5"][0].prices == {"inputTokens": 3e-6, "outputTokens": 15e-6}
    assert card.currency == "USD" and card.as_of is None


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("OCR/textract/analyze_document-Tables", "textract/analyze_document-Tables"),
        ("textract/analyze_document-Tables", "textract/analyze_document-Tables"),
        ("Extraction/bedrock/us.anthropic.claude-sonnet-5", "bedrock/us.anthropic.claude-sonnet-5"),
        ("Extraction/bedrock/us.anthropic.claude-sonnet-5:1m", None),
        ("OCR/textract/analyze_document-Tables+Forms", None),
        ("OCR/textract", None),
        ("", None),
    ],
)
def test_a_metering_key_is_priced_by_an_exact_remainder_only(tmp_path: Path, key: str, name: str | None) -> None:
    assert load_rate_card(written(tmp_path, ACCELERATORS)).match(key) == name


def test_the_longest_remainder_wins(tmp_path: Path) -> None:
    text = 'pricing: [{name: "a/b", units: [{name: n, price: 1}]}, {name: b, units: [{name: n, price: 2}]}]'
    card = load_rate_card(written(tmp_path, text))
    assert (card.match("x/a/b"), card.match("x/c/b")) == ("a/b", "b")


def test_the_digest_is_that_of_the_rates(tmp_path: Path) -> None:
    plain = load_rate_card(written(tmp_path, ACCELERATORS))
    commented = load_rate_card(written(tmp_path, f"# prices\n{ACCELERATORS.replace('3.0E-6', '0.000003')}"))
    dearer = load_rate_card(written(tmp_path, ACCELERATORS.replace("3.0E-6", "3.1E-6")))
    assert plain.digest == commented.digest != dearer.digest
    assert plain.file_sha256 != commented.file_sha256


def test_rates_are_dated_and_the_newest_one_in_force_counts(tmp_path: Path) -> None:
    entry = "  - {{name: b/m, from: {day}, units: [{{name: n, price: {price}}}]}}\n"
    text = "pricing:\n" + entry.format(day="2026-10-01", price=2) + entry.format(day="2026-01-01", price=1)
    card = load_rate_card(written(tmp_path, text))
    costs = {
        at: price({"P/b/m": {"n": 1}}, card, at=at).cost for at in (None, "2026-12-31", "2026-10-01", "2026-09-30")
    }
    assert costs == {None: 2.0, "2026-12-31": 2.0, "2026-10-01": 2.0, "2026-09-30": 1.0}
    early = price({"P/b/m": {"n": 1}}, card, at="2025-12-31")
    assert early.cost is None and "no rate of b/m on 2025-12-31" in str(early.reason)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "pricing: found list"),
        ("pricing: {}", "pricing: found"),
        ("pricing: []\nprices: 1", "prices: found an unknown key"),
        ("pricing: [{name: a, units: [{name: n, price: 1}], form: 2026-01-01}]", "did you mean from?"),
        ("pricing: [{name: a, units: [{name: n, prize: 1}]}]", "units[0].prize"),
        ("pricing: [{name: a, units: []}]", "pricing[0].units"),
        ("pricing: [{units: [{name: n, price: 1}]}]", "pricing[0].name: found nothing"),
        ("pricing: [{name: a, units: [{name: n, price: -1}]}]", "a number of at least 0"),
        ("pricing: [{name: a, units: [{name: n, price: cheap}]}]", "found str 'cheap'"),
        ("pricing: [{name: a, units: [{name: n, price: true}]}]", "found bool"),
        ("pricing: [{name: a, units: [{name: n, price: nan}]}]", "a number of at least 0"),
        ("pricing: [{name: a, units: [{name: n, price: 1}, {name: n, price: 2}]}]", "'n' again"),
        ("pricing: [{name: a, units: [{name: n, price: 1}]}, {name: a, units: [{name: n, price: 1}]}]", "'a' again"),
        ("pricing: [{name: a, from: spring, units: [{name: n, price: 1}]}]", "a date like 2026-10-01"),
        ("pricing: [{name: a, units: [{name: n, price: 1, assumed: maybe}]}]", "true or false"),
        ("pricing: [{name: a, units: [{name: n, price: 1}], bands: [{above: 1, factors: {m: 2}}]}]", "known: n"),
        ("pricing: []\nfree: {bedrock: requests}", "free.bedrock"),
    ],
)
def test_a_card_with_a_mistake_is_refused_by_file_and_key(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(Refusal) as refusal:
        load_rate_card(written(tmp_path, text))
    assert "pricing.yaml" in str(refusal.value) and says in str(refusal.value)
    assert refusal.value.exit_code == 2


def test_our_card_prices_what_stacks_meter() -> None:
    card = load_rate_card(OURS)
    keys = ["OCR/textract/analyze_document-Tables", "OCR/bda/documents-standard", "OCR/lambda/requests"]
    assert card.missing([*keys, "Extraction/bedrock/us.anthropic.claude-sonnet-4-6"]) == []
    assert price({"OCR/lambda/requests": {"invocations": 1_000_000}}, card).cost == 0.2


def test_our_card_prices_every_model_of_the_matrix() -> None:
    models = load_yaml(PACKAGE.parents[1] / "config" / "models.yaml")["models"]
    listed = models.values() if isinstance(models, dict) else models
    names = [f"bedrock/{model['model_id']}" for model in listed]
    assert names and load_rate_card(OURS).missing(names) == []


@pytest.mark.parametrize(
    ("name", "rates"),
    [  # as published, dollars per million tokens: in, out, cache read, cache write
        ("bedrock/us.anthropic.claude-sonnet-4-6", (3.3, 16.5, 0.33, 4.125)),
        ("bedrock/us.amazon.nova-lite-v1:0", (0.06, 0.24, 0.015, 0.06)),
    ],
)
def test_our_card_has_the_published_rates_of_the_control_models(name: str, rates: tuple[float, ...]) -> None:
    metered = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    card = load_rate_card(OURS)
    assert tuple(price({f"E/{name}": {unit: 10**6}}, card).cost for unit in metered) == pytest.approx(rates, abs=1e-4)
