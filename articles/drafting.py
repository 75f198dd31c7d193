"""Writes an article from its material: as an anthology of clips, or by the `compile_article` model."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from articles.domain.body import ArticleBody, ArticleSentence, sections_of
from articles.domain.rules import CompileRules
from articles.material import ArticleMaterial
from chat.answering.domain.footnotes import Footnote, minted
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.stream.tokens import DropReason
from chat.answering.stages.write import Draft, fenced_notes
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.calling import WrittenAnswer
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.providers.errors import EmptyAnswer, ProviderError
from lectorium.providers.protocols import Piece

log = logging.getLogger(__name__)
JOB = "compile_article"
ANTHOLOGY = "anthology"
RULES = CompileRules()
CUT = "The model's text was cut off; its last sentence may be missing."
LANGUAGE_NAME = "English"  # of compiled sentences
PROSE = "The model cited none of the sources it was given, so this is an anthology of clips instead."
NO_MODEL = "The model did not answer ({fault}), so this is an anthology of clips instead."


@dataclass(frozen=True, slots=True)
class ArticleDraft:
    """body: not yet checked. compiler: who wrote it. strays: citations of sources that were not given.

    remark: for the editor.
    """

    body: ArticleBody
    compiler: str
    strays: int = 0
    remark: str = ""


def draft_article(topic: str, material: ArticleMaterial, key: str) -> ArticleDraft:
    """The draft of the ladder's model; an anthology where none is configured, or it cites nothing it was given."""
    with CallRun(JOB, RULES.seconds) as calls:
        try:
            written, fault = calls.run(calls.ask(key, article_slots(topic, material)))
        except TimeoutError:
            written, fault = None, "too slow"
    if written is None:
        return anthology(material, NO_MODEL.format(fault=fault) if fault else "")
    return draft_of(written, material)


def article_slots(topic: str, material: ArticleMaterial) -> dict[str, Slot]:
    return {
        "language": LANGUAGE_NAME,
        "topic": (FencedText("Topic", topic),),
        "sources": fenced_notes(material.sources),
        "background": tuple(FencedText("Background", fact) for fact in material.facts),
    }


def draft_of(written: WrittenAnswer, material: ArticleMaterial) -> ArticleDraft:
    """What a model's text says and cites. Text that cites no given source is not used."""
    draft = Draft(_as_pieces(written), minted(material.sources))
    sentences, remark = asyncio.run(_sentences(draft))
    if not any(sentence.cited for sentence in sentences):
        return anthology(material, PROSE)
    model = written.served
    strays = sum(dropped.reason is DropReason.NEVER_MINTED for dropped in draft.dropped)
    body = sections_of(map(_article_sentence, sentences), titles_of(material.sources))
    return ArticleDraft(body, f"{model.model} {model.prompt}".strip(), strays, remark)


def anthology(material: ArticleMaterial, remark: str = "") -> ArticleDraft:
    """The clips word for word, each a paragraph, under the titles of their sources."""
    sentences = [
        ArticleSentence(sentence.text, paragraph, (material.sources[clip.passage].alias,))
        for paragraph, clip in enumerate(material.clips)
        for sentence in clip.sentences
    ]
    return ArticleDraft(sections_of(sentences, titles_of(material.sources)), ANTHOLOGY, remark=remark)


def titles_of(sources: Sequence[Footnote]) -> Mapping[int, str]:
    return {source.alias: source.passage.title for source in sources}


def _article_sentence(sentence: DraftSentence) -> ArticleSentence:
    return ArticleSentence(sentence.text, sentence.paragraph, sentence.cited, sentence.inherited)


async def _sentences(draft: Draft) -> tuple[list[DraftSentence], str]:
    """The sentences of a draft without its headings, and a remark where it was cut."""
    found: list[DraftSentence] = []
    try:
        async with aclosing(draft.sentences()) as sentences:
            async for sentence in sentences:
                if not sentence.block.startswith("#"):
                    found.append(sentence)
    except EmptyAnswer:
        return [], ""
    except ProviderError as error:
        log.warning("a compile was cut: %s", error)
        return found, CUT
    return found, ""


async def _as_pieces(written: WrittenAnswer) -> AsyncGenerator[Piece, None]:
    yield Piece(written.text)
    yield Piece(truncated=written.truncated)
