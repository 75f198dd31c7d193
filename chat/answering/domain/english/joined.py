"""Claims that no passage says alone and that follow from several together: “A is in B” and “B is in C”."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english.alignment import align
from chat.answering.domain.english.attribution import attributed_names
from chat.answering.domain.english.edits import DENYING
from chat.answering.domain.english.guards import (
    CheckedClaim,
    SourceText,
    TurnContext,
    VerifierJudgement,
    check_claim,
)
from chat.answering.domain.terms import evidence_terms
from chat.answering.domain.words import SentenceWords, Words, words_in
from corpus.domain.passage import Span


@dataclass(frozen=True, slots=True)
class JoinedSources:
    """Passages of which each holds a part of a claim. spans: in each, the sentence with that part.

    together: these sentences, read as one passage.
    """

    sources: tuple[SourceText, ...]
    spans: tuple[Span, ...]
    together: SourceText


def join_sources(text: str, sources: Sequence[SourceText], turn: TurnContext) -> JoinedSources | None:
    """The two or more passages that hold a claim together, or None.

    Each must hold a word of the claim that the others lack, and a word that the claim does not have must join them, as
    the middle term of a syllogism does. A claim that names who says it is not joined, for each passage has its own
    speaker; nor is anything denied, for what follows from a denial is easily turned round.
    """
    if any(attributed_names(text)):
        return None
    claim = words_in(text, turn.stem)
    content = frozenset(word.stem for word in claim if word.is_content)
    closest = [(source, found[0]) for source in sources if (found := align(claim, source.sentences).sentences)]
    held = [content & _stems(sentence) for _, sentence in closest]
    own = [stems.difference(*(held[:at] + held[at + 1 :])) for at, stems in enumerate(held)]
    parts = [(_first(claim, stems), *found) for found, stems in zip(closest, own, strict=True) if stems]
    if len(parts) < 2 or not frozenset.intersection(*(_stems(sentence) for *_, sentence in parts)) - content:
        return None
    sentences = [claim, *(sentence.words for *_, sentence in parts)]
    if any(word.folded in DENYING for words in sentences for word in words):
        return None
    parts.sort(key=lambda part: part[0])
    together = _together([(source, sentence) for _, source, sentence in parts], turn)
    return JoinedSources(
        tuple(source for _, source, _ in parts), tuple(sentence.span for *_, sentence in parts), together
    )


def _together(parts: Sequence[tuple[SourceText, SentenceWords]], turn: TurnContext) -> SourceText:
    """The sentences in the order of the claim, as one sentence, so that what lies between them is compared too."""
    whole = " ".join(source.text[slice(*sentence.span)] for source, sentence in parts)
    passage = replace(parts[0][0].passage, text=whole, paragraphs=(), cues=())
    words = words_in(whole, turn.stem)
    return SourceText(passage, whole, (SentenceWords((0, len(whole)), words),), words, (), evidence_terms([words]))


def _first(claim: Words, stems: frozenset[str]) -> int:
    """The place of the first of these words in the claim."""
    return next(at for at, word in enumerate(claim) if word.stem in stems)


def infer_claim(
    text: str, joined: JoinedSources, judgement: VerifierJudgement, turn: TurnContext, rules: CheckRules
) -> tuple[CheckedClaim, ...]:
    """The claim as inferred from each of the passages; () where a guard objects or the verifier is not sure of it."""
    found = check_claim(text, joined.together, judgement, turn, rules)
    if found.objections or judgement.support < rules.verified_from:
        return ()
    inferred = replace(found, verdict="inferred", own_words=False, verified=False, support=round(judgement.support, 4))
    return tuple(
        replace(inferred, source=source, span=span) for source, span in zip(joined.sources, joined.spans, strict=True)
    )


def _stems(sentence: SentenceWords) -> frozenset[str]:
    return frozenset(word.stem for word in sentence.words if word.is_content)
