"""Finds what an article is compiled from, by the product's own search."""

import asyncio
from dataclasses import dataclass, replace
from uuid import uuid4

from django.contrib.auth.models import AbstractBaseUser

from articles.domain.rules import CompileRules
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.evidence.conflicts import FactRules
from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.evidence.quotation import QuotationRules, Quote, choose_quotes
from chat.answering.domain.footnotes import Footnote, mint
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.consult import consult_facts
from chat.answering.stages.plan import plan_question
from chat.answering.stages.synthesize import in_source_order
from chat.answering.turn import find_evidence
from chat.conversations.viewers import viewer_of
from corpus.models import Collection
from corpus.selectors import serving_space
from lectorium.threads import in_thread

RULES = CompileRules()


class NothingFound(ValueError):
    """The message tells the editor that the topic has no sources, and what to do."""


@dataclass(frozen=True, slots=True)
class ArticleMaterial:
    """sources: numbered from 1, best first. clips: their best ones, in source order. facts: stored facts about them.

    A clip's passage is an index into `sources`.
    """

    sources: tuple[Footnote, ...]
    clips: tuple[Quote, ...]
    facts: tuple[str, ...] = ()


def editor_viewer(editor: AbstractBaseUser, collection: Collection | None) -> Viewer:
    """What an editor may read, within a collection if one is named."""
    viewer = viewer_of(editor, None)
    if collection is None:
        return viewer
    return replace(viewer, collections=tuple({collection.pk} & set(viewer.collections)), sees_all=False, elsewhere=())


def find_material(topic: str, viewer: Viewer, rules: CompileRules = RULES) -> ArticleMaterial:
    """The sources of a topic that the viewer may see. Raises NothingFound. Runs an event loop of its own."""
    evidence = asyncio.run(_evidence(topic, viewer))
    if evidence is None:
        raise NothingFound(
            f"Nothing about “{topic}” was found in what you may read. Word it as the lectures do, or import some."
        )
    quoting = replace(QuotationRules(), max_clips=rules.clips, within=rules.within)
    chosen = evidence.pinned or choose_quotes(evidence.sentences, quoting)
    clips = in_source_order(chosen, [candidate.passage for candidate in evidence.candidates])
    # The passages of the clips first, so that an anthology and a model are given the same sources.
    order = dict.fromkeys([*(clip.passage for clip in clips), *range(len(evidence.candidates))])
    kept = list(order)[: max(rules.sources, len({clip.passage for clip in clips}))]
    sources = mint(evidence.candidates[index].passage for index in kept)
    facts = consult_facts(evidence, viewer).background(FactRules())
    return ArticleMaterial(sources, tuple(replace(clip, passage=kept.index(clip.passage)) for clip in clips), facts)


async def _evidence(topic: str, viewer: Viewer) -> Evidence | None:
    """What a search for the topic finds. A topic asks nothing, so what would not answer a question is used too."""
    question = Question(topic, viewer, Mode.AUTO, as_typed=True)
    turn = CurrentTurn(uuid4(), uuid4(), question, EventSink(), fresh=True)
    plan = replace(await in_thread(plan_question, question), reply=None)
    looks = [look async for look in find_evidence(turn, plan, await in_thread(serving_space))]
    found = looks[-1].evidence
    if isinstance(found, Evidence):
        return found
    return found.thin or found.closest or found.addressed
