"""A reader judges the clips that may be shown, each with the question (stage 3, second half)."""

from collections.abc import Sequence
from dataclasses import replace

from chat.answering.domain.clip_order import JudgedClips, lead_scores, led_by_answer, order_clips, said_first
from chat.answering.domain.english import metadata_sentences
from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, rivals
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan
from chat.answering.passages.copies import Scale, without_copied_clips
from corpus.domain.passage import Passage
from corpus.indexing.terms import TermStatistics
from corpus.language import lexemes
from corpus.models import EmbeddingSpace
from lectorium.providers.protocols import Reader

VERSE = "verse"
SPARE = 2  # clips compared for each of the first that are judged, so that copies take no places
ANSWERS = 0.5  # even odds on the reader's calibrated scale
PROMISING = 0.1  # chance of the likeliest of the first clips from which more are judged


def judge_clips(
    plan: QueryPlan,
    kept: Sequence[Candidate],
    sentences: Sequence[EvidenceSentence],
    terms: TermStatistics,
    reader: Reader,
    rules: DiscardRules,
    space: tuple[EmbeddingSpace | None, Scale | None] = (None, None),
) -> JudgedClips:
    """Return the best clips in the order of a reader that reads each of them with the question.

    kept: the candidates whose sentences these are. terms: how many chunks contain each word of the question. space: in
    which clips of one upload are compared, and its scale.
    """
    quoting = QuotationRules(judged=rules.judged)
    rival = rivals(sentences, replace(quoting, judged=max(SPARE * rules.judged, rules.judged_most)))
    clips = without_copied_clips(rival, kept, *space)[: rules.judged_most]
    texts = [" ".join(sentence.text for sentence in clip.sentences) for clip in clips]
    readings = list(reader.read(plan.sought, texts[: rules.judged]))
    likeliest = max((reading.answerability for reading in readings), default=ANSWERS)
    if len(readings) < len(texts) and PROMISING <= likeliest < ANSWERS:
        readings += reader.read(plan.sought, texts[rules.judged :])
    clips, texts = clips[: len(readings)], texts[: len(readings)]
    led = [led_by_answer(clip, reading.span) for clip, reading in zip(clips, readings, strict=True)]
    relevance = [reading.relevance for reading in readings]
    answerability = [reading.answerability for reading in readings]
    bare_verses = [_is_bare_verse(plan, kept[clip.passage]) for clip in clips]
    judged = order_clips(led, relevance, answerability, lead_scores(clips, sentences, quoting), bare_verses, quoting)
    rare = {word for word in plan.words if 0 < terms.chunks.get(word, 0) <= quoting.rare * terms.total}
    if not judged.clips or len(rare) < quoting.said_together:  # most questions: no text need be stemmed for this
        return judged
    said = [len(rare.intersection(lexemes(text))) for text in texts]
    held = len(rare.intersection(lexemes(_whole(kept[judged.clips[0].passage].passage))))
    return said_first(judged, led, answerability, said, held, quoting)


def _whole(passage: Passage) -> str:
    """The text of a passage and of its source's metadata."""
    return f"{passage.text} {metadata_sentences(passage)}"


def _is_bare_verse(plan: QueryPlan, candidate: Candidate) -> bool:
    """Is it a verse, where neither verses nor this one are asked for?"""
    return candidate.passage.kind == VERSE and VERSE not in plan.wanted_kinds and not candidate.at_address
