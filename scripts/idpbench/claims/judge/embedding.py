"""The embedding judge: sentence vectors of a small model on this machine, without any network.

One text at a time and one thread: the weights are int8 and activations are quantised by the range of the whole input,
so that in a batch the vector of a text would depend on its neighbours. Mean over the attention mask, then L2.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idpbench.claims.judge.base import JudgeUnavailable
from idpbench.claims.judge.modelfiles import REMEDY, ModelFiles
from idpbench.claims.judge.vectors import VectorCache
from idpbench.files.provenance import package_versions, source_digest

MAX_TOKENS = 256  # the model's own limit; its tokenizer file says 128 and pads to it
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class EmbeddingJudge:
    """`Embedder` over an ONNX sentence model. Built = loaded: JudgeUnavailable comes here, before anything is paid."""

    def __init__(self, files: ModelFiles, cache: Path | str | None = None) -> None:
        """Check both digests and load. `cache`: folder for embeddings."""
        files.check()
        self._files = files
        self._tokenizer, self._session = _load(files)
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        made_by = {
            "judge": files.id,
            "runtime": package_versions(("onnxruntime", "tokenizers", "numpy")),
            "code": source_digest("claims.judge.embedding"),  # an edited pooling must not meet vectors of the old one
        }
        self._cache = VectorCache(cache, made_by)

    @property
    def id(self) -> str:
        """Name of the model and the digests of its files."""
        return self._files.id

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of `texts`, shape [len(texts), dimensions], L2-normalised; each distinct text is computed once."""
        known: dict[str, NDArray[np.float32]] = {}
        for text in texts:
            if text not in known:
                vector = self._cache.get(text)
                if vector is None:
                    vector = self._embed(text)
                    self._cache.put(text, vector)
                known[text] = vector
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([known[text] for text in texts])

    @property
    def dimensions(self) -> int:
        """Length of a vector, as the model states it; 0 where it does not."""
        last = self._session.get_outputs()[0].shape[-1]
        return last if isinstance(last, int) else 0

    def _embed(self, text: str) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode(text)
        values = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {name: np.array([values[name]], dtype=np.int64) for name in self._inputs}
        try:
            states = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        except Exception as error:  # the runtime's own errors share no class
            raise JudgeUnavailable(f"{self._files.model}: the model does not run: {error}; {REMEDY}") from error
        if states.ndim != 3:
            raise JudgeUnavailable(
                f"{self._files.model}: found an output of shape {states.shape}, expected one vector per token; {REMEDY}"
            )
        mask = np.array(encoded.attention_mask, dtype=np.float32)[:, None]
        mean = (states[0] * mask).sum(axis=0) / mask.sum()
        norm = float(np.linalg.norm(mean))
        if not np.isfinite(norm) or norm == 0.0:
            raise JudgeUnavailable(f"{self._files.model}: found no finite vector for {text[:60]!r}; {REMEDY}")
        vector: NDArray[np.float32] = (mean / norm).astype(np.float32)
        return vector


def _load(files: ModelFiles) -> tuple[Any, Any]:
    """Tokenizer and session. Imports here: a step that needs no judge must not pay for them."""
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise JudgeUnavailable(f"embedding judge: found no package {error.name}; {REMEDY}") from None
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(files.tokenizer))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        session = onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare exceptions for a file they cannot read
        raise JudgeUnavailable(f"{files.model.parent}: the model does not load: {error}; {REMEDY}") from error
    unknown = [entry.name for entry in session.get_inputs() if entry.name not in INPUTS]
    if unknown:
        raise JudgeUnavailable(f"{files.model}: found inputs {unknown}, expected some of {list(INPUTS)}; {REMEDY}")
    return tokenizer, session
