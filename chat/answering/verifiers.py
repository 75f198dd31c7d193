"""What a turn's checks need beside its notes: the library, a splitter of sentences into claims, a judge of claims."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, partial

from django.conf import settings

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english import SCHEMA, Library, SplitFault, atomic_claims, may_be_split, parse_split
from chat.answering.domain.query.specificity import specificity
from chat.answering.domain.viewer import Viewer
from chat.answering.domain.words import words_in
from corpus.catalogue.addresses import shelf
from corpus.catalogue.glossary import synonyms_of, technical_stems
from corpus.indexing.terms import term_statistics
from corpus.language import lexeme
from lectorium.ladder.calling import metered, note_builtin, unfenced
from lectorium.ladder.judging import RungJudge
from lectorium.ladder.metered_model import MeteredModel
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import ResolvedModel, chain, prompt
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import ChatMessage, Judgement, Verifier
from lectorium.providers.registry import verifier

log = logging.getLogger(__name__)


class LadderVerifier:
    """Verifier: the ladder's models, first choice first; the local one judges where none of them can.

    passed_bar: of the first choice; each judgement says whether the one who gave it passed.
    """

    def __init__(self, served: Sequence[ResolvedModel], local: Verifier) -> None:
        self._judges, self._local = [RungJudge(model) for model in served], local
        self.name, self.passed_bar = self._judges[0].name, self._judges[0].passed_bar

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Judge (evidence, claim) pairs. Call it on a thread without an event loop."""
        for judge in self._judges:
            try:
                return judge.verify(pairs)
            except ProviderError as error:
                log.warning("claims are judged without %s: %s", judge.served.model, error)
        return self._local.verify(pairs)


_tried: ContextVar[Verifier | None] = ContextVar("tried", default=None)


def try_verifier(verifier: Verifier) -> None:
    """Let this verifier judge in this task and those it starts."""
    _tried.set(verifier)


def verifier_for(question: str, key: str, author: str) -> Verifier:
    """The judge of what `author` writes: the ladder's `verify` models, never the author itself, else the local one.

    key: names the turn, for the ladder's percentages. For a question less specific than LECTORIUM_MIN_SPECIFICITY the
    local one judges.
    """
    if (tried := _tried.get()) and tried.name != f"judge {author}":
        return tried
    served = _others("verify", key, author)
    if not served or is_unspecific(question):
        return verifier()
    return LadderVerifier(served, verifier())


def splitter_for(key: str, author: str) -> Callable[[str], tuple[str, ...]]:
    """The splitter of `author`'s sentences into claims: the ladder's `extract_claims` models, else the rules.

    Call what is returned on a thread without an event loop.
    """
    served = _others("extract_claims", key, author)
    return partial(_split, served) if served else atomic_claims


def is_unspecific(question: str) -> bool:
    """Does the question name too little to be worth a model's judgement?"""
    if not settings.MIN_SPECIFICITY:
        return False
    words = words_in(question, lexeme)
    known = term_statistics({word.stem for word in words if word.is_content})
    most = CheckRules().rare_word * known.total
    rare = {word.stem for word in words if known.chunks.get(word.stem, 0) <= most}
    return specificity(words, rare) < settings.MIN_SPECIFICITY


def library_of(viewer: Viewer, language: str) -> Library:
    """What the checks look up: the glossary of a language, and the addresses that a viewer may see."""
    known = shelf(None if viewer.sees_all else viewer.collections)
    technical = cache(partial(technical_stems, language=language))
    return Library(lambda text: synonyms_of(text, language).alternatives, known.book, technical)


def _others(job: str, key: str, author: str) -> list[ResolvedModel]:
    """The models that do a job of this turn, first choice first, without the author."""
    first, *rest = chain(job, key)
    if first.is_builtin:
        note_builtin(first)
    return [model for model in (first, *rest) if not model.is_builtin and model.model != author]


def _split(served: Sequence[ResolvedModel], sentence: str) -> tuple[str, ...]:
    """The claims that the first model to answer finds; those of the rules where its answer is invalid."""
    for model in served if may_be_split(sentence) else ():
        try:
            return parse_split(unfenced(_said(model, sentence)), sentence)
        except ProviderError as error:
            log.warning("a sentence is parted without %s: %s", model.model, error)
        except SplitFault as fault:
            log.warning("the split of %s is not used: %s", model.model, fault)
            break
    return atomic_claims(sentence)


def _said(served: ResolvedModel, sentence: str) -> str:
    asked = prompt(served.job, served.prompt)
    messages = asked.fill(**split_slots(sentence))
    with metered(replace(served, prompt=asked.version)) as model:
        return asyncio.run(_listen(model, messages))


def split_slots(sentence: str) -> dict[str, Slot]:
    return {"sentence": (FencedText("Sentence", sentence),)}


async def _listen(model: MeteredModel, messages: Sequence[ChatMessage]) -> str:
    limits = model.served
    asked = model.stream(messages, max_tokens=limits.max_tokens, temperature=limits.temperature, schema=SCHEMA)
    try:
        async with aclosing(asked) as pieces:
            return "".join([piece.text async for piece in pieces])
    finally:
        await model.aclose()
