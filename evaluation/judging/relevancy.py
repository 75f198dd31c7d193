"""Answer relevancy: does the answer answer the question that was asked?

With a chat model as in Ragas (Es et al. 2023): the model reads the answer and writes the questions that it answers;
relevancy is their mean cosine with the question asked, and 0 for an answer that says it cannot answer. Without a model
the answer's closest sentence stands in for the written questions; that figure has no anchor.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

from evaluation.judging.model_judge import SECONDS
from lectorium.ladder.calling import stream, unfenced
from lectorium.ladder.prompts import FencedText
from lectorium.ladder.selectors import prompt, serving
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Embedder
from lectorium.threads import in_thread

PROMPT, MAX_TOKENS, QUESTIONS = "judge_questions", 300, 3
ANCHOR = 0.817  # shared/seeds/003: a 32B model on its own questions


async def relevancy_by_model(model: str, question: str, answer: str, embedder: Embedder) -> float | None:
    """-1..1; None where the model gave no usable list."""
    written = await _questions(model, answer)
    if written is None:
        return None
    if not written:
        return 0.0
    return await in_thread(_mean_cosine, question, written, embedder)


def relevancy_by_sentences(question: str, sentences: Sequence[str], embedder: Embedder) -> float:
    """The cosine of the question with the closest sentence, -1..1; 0 for an answer without sentences."""
    if not sentences:
        return 0.0
    [asked] = embedder.embed_questions([question])
    return float(max(embedder.embed_passages(list(sentences)) @ asked))


def _mean_cosine(question: str, written: Sequence[str], embedder: Embedder) -> float:
    asked, *others = embedder.embed_questions([question, *written])
    return float(sum(asked @ vector for vector in others) / len(others))


async def _questions(model: str, answer: str) -> list[str] | None:
    served = replace(await in_thread(serving, "judge", model), temperature=0.0, max_tokens=MAX_TOKENS)
    messages = (await in_thread(prompt, PROMPT)).fill(answer=(FencedText("Answer", answer),))
    try:
        async with asyncio.timeout(SECONDS), aclosing(stream(served, messages)) as pieces:
            said = "".join([piece.text async for piece in pieces])
        found = json.loads(unfenced(said))["questions"]
    except (ProviderError, TimeoutError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return [str(text) for text in found[:QUESTIONS]] if isinstance(found, list) else None
