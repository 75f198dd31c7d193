"""Embedders loaded by sentence-transformers, by name or folder."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from .batching import STEP, padded, padding_step
from .memo import Memo
from .memory_release import unused_memory
from .mpnet.question_adapter import QuestionAdapter
from .precision import dtype_of
from .protocols import Matrix, TokenSpans, Vector
from .weight_files.files import DamagedWeights, is_whole

BATCH_TOKENS = 4096
FINE, FINE_UP_TO = 8, 64  # steps of the width of short passages: in steps of 32, a third of a sentence is padding
QUESTION_PROMPTS, PASSAGE_PROMPTS = ("query",), ("document", "passage")  # names in a model's own configuration
# The E5 models were trained with these and do not name them in their configuration.
_E5 = re.compile(r"(?:^|/)(?:multilingual-)?e5-(?:small|base|large)(?:-v2)?$")
_E5_PROMPTS = {QUESTION_PROMPTS: "query: ", PASSAGE_PROMPTS: "passage: "}
QUESTIONS = 1024  # questions whose vectors are cached; a turn embeds the same ones several times


class SentenceTransformersEmbedder:
    """Runs on this machine. Loads on first use, because an import only counts tokens and torch loads slowly."""

    def __init__(
        self, name: str, path: str | Path, *, dtype: str = "auto", threads: int = 2, questions: Path | None = None
    ) -> None:
        """`dtype` is auto, float32 or bfloat16. questions: the file of an adapter for questions."""
        self.name = name
        self._path = Path(path)
        self._source = str(path)
        self._dtype = dtype
        self._threads = threads
        self._adapter_file = questions
        self._lock = threading.Lock()
        self._questions: Memo[str, Vector] = Memo(QUESTIONS)

    @cached_property
    def width(self) -> int:
        pooling = self._path / "1_Pooling" / "config.json"
        if pooling.is_file() and not (self._path / "2_Dense").exists():
            return int(json.loads(pooling.read_text(encoding="utf-8"))["word_embedding_dimension"])
        return int(self._model.get_embedding_dimension() or 0)

    @cached_property
    def max_tokens(self) -> int:
        prompt = self._prompt(PASSAGE_PROMPTS)
        return self._longest - (len(self.token_spans(prompt)) if prompt else 0)

    @cached_property
    def _longest(self) -> int:
        """Tokens of the longest input, with what stands before each text."""
        limits = self._path / "sentence_bert_config.json"
        if limits.is_file():
            return int(json.loads(limits.read_text(encoding="utf-8"))["max_seq_length"])
        return int(self._model.max_seq_length or 256)

    def _prompt(self, names: tuple[str, ...]) -> str:
        """What stands before each question or passage: by the model's configuration, or as E5 was trained; else ""."""
        prompts, default = self._prompts
        named = (prompts[name] for name in names if prompts.get(name))
        return next(named, "") or default or (_E5_PROMPTS[names] if _E5.search(self.name) else "")

    @cached_property
    def _prompts(self) -> tuple[Mapping[str, str], str]:
        """The model's prompts by name, and the default one, read without loading the model where it is a folder."""
        stored = self._path / "config_sentence_transformers.json"
        if self._path.is_dir():
            found = json.loads(stored.read_text(encoding="utf-8")) if stored.is_file() else {}
            prompts, default = found.get("prompts") or {}, found.get("default_prompt_name")
        else:
            prompts, default = self._model.prompts, self._model.default_prompt_name
        return prompts, prompts.get(default or "", "")

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return self._embedded(texts, nullcontext, self._prompt(PASSAGE_PROMPTS), FINE)

    def _embedded(
        self, texts: Sequence[str], reading: Callable[[], AbstractContextManager[None]], prompt: str, step: int
    ) -> Matrix:
        """`reading` is entered while the model runs. prompt: stands before each text. step: see _width."""
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        with self._lock, reading():  # on few cores, concurrent encodes are slower
            for places, features in self._batches(texts, prompt, step):
                vectors[places] = self._encode(features)
        unused_memory.release_periodically()
        return vectors

    def _batches(self, texts: Sequence[str], prompt: str, step: int) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """Positions and tokens of texts of equal padded width; mixed widths would double the work."""
        if not texts:
            return
        features = self._tokenized(texts, prompt)
        by_width: dict[int, list[int]] = {}
        for place, tokens in enumerate(features["attention_mask"].sum(dim=1).tolist()):
            by_width.setdefault(_width(tokens, step), []).append(place)
        left = self._model.tokenizer.padding_side == "left"
        for width, places in by_width.items():
            columns = slice(-width, None) if left else slice(width)
            batch = max(1, BATCH_TOKENS // width)
            for some in (places[first : first + batch] for first in range(0, len(places), batch)):
                yield some, {name: _cut(values, some, columns) for name, values in features.items()}

    def _tokenized(self, texts: Sequence[str], prompt: str) -> dict[str, Any]:
        width = {"text": {"pad_to_multiple_of": padding_step(self._longest)}}
        features: dict[str, Any] = self._model.preprocess([*texts], prompt=prompt or None, processing_kwargs=width)
        return features

    def _encode(self, features: dict[str, Any]) -> Matrix:
        import torch

        with torch.inference_mode():
            vectors = torch.nn.functional.normalize(self._model(features)["sentence_embedding"], dim=1)
        return np.asarray(vectors.float().numpy(), dtype=np.float32)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        prompt = self._prompt(QUESTION_PROMPTS) if texts else ""
        vectors = self._questions.of(texts, lambda new: [*self._embedded(new, self._asking, prompt, STEP)])
        return np.stack(vectors) if vectors else self.embed_passages([])

    @cached_property
    def _asking(self) -> Callable[[], AbstractContextManager[None]]:
        if self._adapter_file is None:
            return nullcontext
        return QuestionAdapter(self._network, self._adapter_file).asking

    @property
    def _network(self) -> Any:
        return self._model[0].auto_model

    def token_spans(self, text: str) -> TokenSpans:
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        stored = self._path / "tokenizer.json"
        tokenizer = Tokenizer.from_file(str(stored)) if stored.is_file() else self._model.tokenizer.backend_tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _model(self) -> Any:  # a SentenceTransformer
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        weights = self._path / "model.safetensors"
        if weights.is_file() and not is_whole(weights):
            raise DamagedWeights(f"{weights} is truncated. `manage.py doctor` says how to get it again.")
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        torch.set_num_threads(self._threads)
        model = SentenceTransformer(self._source, device="cpu", model_kwargs={"dtype": dtype_of(self._dtype)})
        model.eval()
        return model


def _width(tokens: int, step: int) -> int:
    """The width of a batch for a text of these tokens: in `step`s while it is short, otherwise in steps of STEP."""
    return max(step, padded(tokens, step)) if tokens <= FINE_UP_TO else padded(tokens)


def _cut(values: Any, places: list[int], columns: slice) -> Any:
    """The rows and columns of a batch; values without a row per text are unchanged."""
    return values[places, columns] if getattr(values, "ndim", 0) == 2 else values
