"""Asks probes of pins and notes. Their author had not read the matching; nothing may be fitted on them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from chat.answering.ask import operator
from chat.answering.domain.question import Question
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import matches_of
from corpus.models import EmbeddingSpace
from corpus.selectors import ANYWHERE, serving_space, space_embedder
from corpus.services.spaces import space_ensure
from curation.domain.acceptance import CuratedMatch
from curation.entries import EntryLists, dead_references, entry_store
from curation.matching.entries import INDEXED
from curation.matching.indexing import entries_index
from curation.models import Curated, MemoryNote, PinnedQuestion
from curation.preview import MatchPreview, matched_in, preview_match
from lectorium.providers.registry import embedder

FOLDER = Path(__file__).parent
KINDS = {"pins": "pin", "notes": "note"}


class OtherEntriesPresent(RuntimeError):
    """There are pins or notes already; the message explains how to use a separate state folder."""


@dataclass(frozen=True, slots=True)
class MatchProbe:
    """A question and what the fixture should do with it. expected: accept or reject."""

    question: str
    fixture: str
    expected: str


@dataclass(frozen=True, slots=True)
class WrongPin:
    """A pin that answers a probe and should not, and why it does."""

    fixture: str
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """What a probe's fixture did: accepted, near or rejected. other_notes: how many other notes accepted it.

    in_turn: the same in a turn, which also matches corrected spelling and synonyms of the glossary. turn_pins: the
    pins that answer there and should not.
    """

    probe: MatchProbe
    kind: str
    outcome: str
    reason: str
    wrong_pins: tuple[WrongPin, ...]
    other_notes: int
    in_turn: str
    turn_pins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeasuredProbes:
    """model: the embedder. warning: what keeps matching from working, or "". dead: references without a passage here.
    left_out: fixtures with none that has one; their probes are not asked.
    """

    model: str
    warning: str
    outcomes: tuple[ProbeOutcome, ...]
    dead: tuple[str, ...]
    left_out: tuple[str, ...]


def measure_probes(on_each: Callable[[], object], folder: Path = FOLDER) -> MeasuredProbes:
    """Publish the fixtures, ask every probe, and take the fixtures back. Raises OtherEntriesPresent.

    Passages are only looked up by address, so the corpus need not be indexed: a missing embedding space is made, and
    taken back too.
    """
    fixtures, probes = _read(folder)
    _refuse_other_entries()
    with transaction.atomic():
        try:
            dead = dead_references({address for fixture in fixtures.values() for address in fixture["references"]})
            stored = {
                name: _store(fixture, set(dead))
                for name, fixture in fixtures.items()
                if not set(fixture["references"]) <= set(dead)
            }
            space = serving_space() or space_ensure(embedder())
            entries_index(space)
            outcomes = _ask([probe for probe in probes if probe.fixture in stored], stored, space, on_each)
            left_out = tuple(name for name in fixtures if name not in stored)
            return MeasuredProbes(space.model, matched_in(space), outcomes, tuple(sorted(dead)), left_out)
        finally:
            transaction.set_rollback(True)


def _read(folder: Path) -> tuple[dict[str, dict[str, Any]], list[MatchProbe]]:
    """The fixtures by their name, and the probes."""
    stored = json.loads((folder / "fixtures.json").read_text(encoding="utf-8"))
    fixtures = {row["id"]: {**row, "kind": kind} for kinds, kind in KINDS.items() for row in stored[kinds]}
    lines = (folder / "probes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return fixtures, [MatchProbe(row["probe"], row["fixture"], row["expected"]) for row in rows]


def _refuse_other_entries() -> None:
    count = sum(model._default_manager.filter(state__in=INDEXED).count() for model in (PinnedQuestion, MemoryNote))
    if count:
        raise OtherEntriesPresent(
            f"There are {count} pins and notes here, which would take part too. The probes need a state of their own: "
            "set LECTORIUM_STATE to an empty folder, run manage.py migrate, and import the corpus there."
        )


def _store(fixture: Mapping[str, Any], dead: set[str]) -> Curated:
    row: Curated
    if fixture["kind"] == "pin":
        row = PinnedQuestion(question=fixture["question"], framing=fixture["framing"] or "")
    else:
        row = MemoryNote(title=fixture["title"], body=fixture["body"], triggers=fixture["triggers"])
    row.state = Curated.State.PUBLISHED
    references = [address for address in fixture["references"] if address not in dead]
    entry_store(row, EntryLists(references), by=None, reason="A fixture of the probes")
    return row


def _ask(
    probes: Iterable[MatchProbe], stored: Mapping[str, Curated], space: EmbeddingSpace, on_each: Callable[[], object]
) -> tuple[ProbeOutcome, ...]:
    names = {row.pk: name for name, row in stored.items()}
    outcomes = []
    for probe in probes:
        rows = preview_match(probe.question, language="en", scope=ANYWHERE)
        outcomes.append(_outcome(probe, rows, _in_turn(probe.question, space, names), names))
        on_each()
    return tuple(outcomes)


def _in_turn(question: str, space: EmbeddingSpace, names: Mapping[UUID, str]) -> dict[str, CuratedMatch]:
    """The fixtures that take part in a turn planned by rules, without a model's wordings."""
    plan = plan_question(Question(question, operator()))
    vectors = space_embedder(space).embed_questions([wording.text for wording in plan.wordings])
    return {names[match.entry.id]: match for match in matches_of(plan, vectors, operator(), space)}


def _outcome(
    probe: MatchProbe,
    rows: Sequence[MatchPreview],
    turn: Mapping[str, CuratedMatch],
    names: Mapping[UUID, str],
) -> ProbeOutcome:
    own = next(row for row in rows if names[row.entry] == probe.fixture)
    others = [row for row in rows if row.accepted and row is not own]
    met = turn.get(probe.fixture)
    answering = [name for name, match in turn.items() if match.entry.kind == "pin" and not match.is_near]
    wrong = [*([own] if own.accepted and probe.expected == "reject" else []), *others]
    return ProbeOutcome(
        probe=probe,
        kind=own.kind,
        outcome="accepted" if own.accepted else "near" if own.near else "rejected",
        reason=own.reason,
        wrong_pins=tuple(WrongPin(names[row.entry], row.title, _why(row)) for row in _pins(wrong)),
        other_notes=sum(row.kind == "note" for row in others),
        in_turn="rejected" if met is None else "near" if met.is_near else "accepted",
        turn_pins=tuple(name for name in answering if name != probe.fixture or probe.expected == "reject"),
    )


def _pins(rows: Iterable[MatchPreview]) -> Iterable[MatchPreview]:
    return (row for row in rows if row.kind == "pin")


def _why(row: MatchPreview) -> str:
    if row.judged is None:
        return row.reason
    return f"{row.reason} Chance {row.similarity:.2f}, bar {row.threshold:.2f}, support {row.judged:.2f}."
