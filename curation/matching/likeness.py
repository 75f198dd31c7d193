"""How like the entries a question is. It is embedded already; a judge of rewordings reads it with close phrasings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

import numpy as np

from corpus.domain.text.folding import fold
from corpus.language import lexemes, stemming_of
from curation.domain.acceptance import Likeness
from curation.domain.entry import Entry
from curation.domain.sameness import (
    Content,
    MatchRule,
    has_same_words,
    objection_to,
    says_trigger,
)
from curation.matching.entries import MatchableEntries
from lectorium.providers.protocols import Matrix, RewordingJudge

Verdict = tuple[float, float, float]
JUDGED_AT_MOST = 3  # pins a question
PHRASINGS_JUDGED = 6  # of each
TOO_FAR = "It asks something else."
MAY_DIFFER = "It may ask something else."
SAME = "It asks the same in other words."
NOTE_REASONS = {  # by whether the question says a trigger, and whether it is close enough
    (True, True): "The question says this trigger.",
    (True, False): "The question says this trigger, but is too far from the note's words.",
    (False, True): "Its words are close to the question.",
    (False, False): "Its words are too far from the question.",
}


@dataclass(frozen=True, slots=True)
class MatchedQuestion:
    """A question's wordings, the standalone one first, and their unit vectors (n, width).

    whole: which wordings ask the whole question; only those can match a pin, because a pin answers by itself.
    """

    wordings: Sequence[str]
    vectors: Matrix
    whole: Sequence[bool]
    language: str


@dataclass(frozen=True, slots=True)
class OpenPin:
    """A pin for the judge. cosines: of the question with each phrasing. is_objected: the words speak against it."""

    phrasings: Sequence[str]
    cosines: Matrix
    is_objected: bool
    id: UUID


def likenesses(
    question: MatchedQuestion, matchable: MatchableEntries, rule: MatchRule | None, judge: RewordingJudge | None
) -> list[tuple[Entry, Likeness]]:
    """Every entry with its likeness, the most similar first.

    Without a rule or a judge, a pin matches only by its exact wordings, and a note only by its triggers.
    """
    found = [
        (entry, _note(question, entry, vectors, rule) if entry.kind == "note" else _pin(question, entry, vectors, rule))
        for entry, vectors in zip(matchable.entries, matchable.vectors, strict=True)
    ]
    found.sort(key=lambda pair: -pair[1].similarity)
    if rule and judge:
        vectors_of = {entry.id: vectors for entry, vectors in zip(matchable.entries, matchable.vectors, strict=True)}
        found = _judged(question, found, vectors_of, rule, judge)
    return sorted(found, key=lambda pair: (not pair[1].accepted, -pair[1].similarity))


def _note(question: MatchedQuestion, note: Entry, vectors: Matrix, rule: MatchRule | None) -> Likeness:
    """A trigger may stand in a question about something else, so a note needs a cosine too, but a lower one."""
    said = next((trigger for trigger in note.triggers if _says(question, trigger)), "")
    is_said = bool(said)
    cosines = (vectors @ question.vectors.T).max(axis=1)
    best = int(cosines.argmax())
    similarity, phrasing = min(1.0, float(cosines[best])), said or note.phrasings[best]
    if rule is None:
        return Likeness(float(is_said), 1.0, phrasing, is_said, NOTE_REASONS[is_said, is_said], strong=is_said)
    bar = rule.note_said if is_said else rule.note_accept
    accepted = similarity >= bar
    strong = accepted and (is_said or similarity >= rule.note_strong)
    return Likeness(similarity, bar, phrasing, accepted, NOTE_REASONS[is_said, accepted], strong=strong)


def _pin(question: MatchedQuestion, pin: Entry, vectors: Matrix, rule: MatchRule | None) -> Likeness:
    """The likeness by the words and the cosine, as long as the judge has not read the pin."""
    whole = np.array(question.whole)
    cosines = (vectors @ question.vectors[whole].T).max(axis=1)
    likeness = Likeness(
        similarity=max(0.0, float(cosines.max())),
        threshold=rule.bar(len(pin.phrasings)) if rule else 1.0,
        phrasing=pin.phrasings[int(cosines.argmax())],
        accepted=False,
        reason=TOO_FAR,
    )
    if pin.language != question.language:
        return replace(likeness, similarity=0.0, reason=f"The pin is in another language ({pin.language}).")
    content = _content(question)
    wordings = [text for text, asks in zip(question.wordings, question.whole, strict=True) if asks]
    plain = {_plain(text) for text in wordings}
    for phrasing in pin.phrasings:
        if _plain(phrasing) in plain:
            return replace(likeness, similarity=1.0, phrasing=phrasing, accepted=True, reason="This wording is pinned.")
        if any(has_same_words(text, phrasing, content) for text in wordings):
            reason = "It has the words of this phrasing."
            return replace(likeness, similarity=1.0, phrasing=phrasing, accepted=True, reason=reason)
    objection = objection_to(wordings[0], likeness.phrasing, pin.phrasings, content)
    near = not objection and rule is not None and likeness.similarity >= rule.near
    return replace(likeness, reason=objection or TOO_FAR, near=near)


def _judged(
    question: MatchedQuestion,
    found: Sequence[tuple[Entry, Likeness]],
    vectors: Mapping[UUID, Matrix],
    rule: MatchRule,
    judge: RewordingJudge,
) -> list[tuple[Entry, Likeness]]:
    """Let the judge read the closest pins, in one call, and give those their chance and their bar.

    Other pins that are not accepted yet are rejected: a cosine is no chance.
    """
    border = [
        OpenPin(pin.phrasings, vectors[pin.id] @ question.vectors[0], likeness.reason != TOO_FAR, pin.id)
        for pin, likeness in found
        if _is_open(pin, likeness) and pin.language == question.language and likeness.similarity >= rule.judge_from
    ][:JUDGED_AT_MOST]
    verdicts = verdicts_of(question.wordings[0], border, rule, judge)
    judged = {pin.id: verdict for pin, verdict in zip(border, verdicts, strict=True)}
    return [(entry, _settled(entry, likeness, judged.get(entry.id), rule)) for entry, likeness in found]


def _is_open(entry: Entry, likeness: Likeness) -> bool:
    return entry.kind == "pin" and not likeness.accepted


def _settled(entry: Entry, likeness: Likeness, judged: Verdict | None, rule: MatchRule) -> Likeness:
    if judged is None:
        return replace(likeness, similarity=0.0, near=False) if _is_open(entry, likeness) else likeness
    chance, bar, same = judged
    accepted = chance >= bar
    reason = SAME if accepted else MAY_DIFFER if likeness.reason == TOO_FAR else likeness.reason
    near = not accepted and chance >= rule.near
    return replace(likeness, similarity=chance, threshold=bar, accepted=accepted, reason=reason, judged=same, near=near)


def verdicts_of(question: str, pins: Sequence[OpenPin], rule: MatchRule, judge: RewordingJudge) -> list[Verdict]:
    """For each pin the chance that the question asks the same, its bar, and the judge's best chance."""
    places = [judged_places(pin.cosines) for pin in pins]
    pairs = [(pin.phrasings[place], question) for pin, read in zip(pins, places, strict=True) for place in read]
    verdicts = iter(judge.same(pairs) if pairs else [])
    found = []
    for pin, read in zip(pins, places, strict=True):
        chances = [next(verdicts) for _ in read]
        found.append((*rule.verdict(chances, objected=pin.is_objected), max(chances)))
    return found


def judged_places(cosines: Matrix) -> list[int]:
    """The phrasings that the judge reads: the pin's question, which comes first, and the closest others."""
    others = [int(place) for place in np.argsort(-cosines) if place]
    return [0, *others[: PHRASINGS_JUDGED - 1]]


def _says(question: MatchedQuestion, trigger: str) -> bool:
    return any(says_trigger(wording, trigger, _content(question)) for wording in question.wordings)


def _content(question: MatchedQuestion) -> Content:
    return partial(lexemes, language=stemming_of(question.language))


def _plain(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in fold(text)).split())
