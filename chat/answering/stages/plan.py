"""Stages 0 and 1: route the question and plan its searches, by rules; models may sort it and add wordings."""

import asyncio
import logging
import string
from collections.abc import Sequence
from dataclasses import replace

from chat.answering.domain.query import planning
from chat.answering.domain.query.decompose import refinements
from chat.answering.domain.query.drafted_plan import SCHEMA, DraftedPlan, PlanFault, keeps_the_question, parse_plan
from chat.answering.domain.query.routing import SCHEMA as ROUTE
from chat.answering.domain.query.routing import RoutingDecision, parse_route
from chat.answering.domain.question import Mode, QueryPlan, Question, Route, Wording
from chat.answering.domain.thread.follow_up import FollowUp, read_follow_up
from chat.answering.domain.thread.kinds import FollowUpKind
from chat.answering.domain.viewer import Viewer
from corpus.catalogue.addresses import lecture_keys, shelf
from corpus.catalogue.glossary import synonyms_of
from corpus.domain.addresses.parsing import addresses_in, without_addresses
from corpus.domain.text.folding import fold
from corpus.domain.text.question_language import FUNCTION_WORDS, language_of
from corpus.domain.text.stopwords import ASKING_WORDS, PLACE_WORDS
from corpus.language import lexeme, lexemes, stemming_of
from lectorium.ladder import calling
from lectorium.ladder.calling import unfenced
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

HOPS = (Route.SINGLE_HOP, Route.MULTI_HOP)
_ASKING = frozenset(lexeme(word) for word in ASKING_WORDS)
_EMPTY = {
    language: _ASKING | (frozenset() if language == "en" else {lexeme(fold(word), language) for word in words})
    for language, words in FUNCTION_WORDS.items()
}
_PLACES = frozenset(lexeme(word) for word in PLACE_WORDS)
_MARKS = string.punctuation + "“”‘’«»¿¡…–—।॥"
_VAGUE = frozenset(lexemes(planning.VAGUE_WORDS))


async def plan_turn(question: Question, key: str) -> QueryPlan:
    """Return the plan by rules, with what the ladder's `route` and `plan` models add to it outside instant mode.

    key: names the turn, for the ladder's percentages. Where the rules are sure no model is asked: an address, a
    greeting, nothing to look for. Both models are asked at once, so that a reader waits for one.
    """
    plan = await in_thread(plan_question, question)
    if question.mode is Mode.INSTANT or plan.route not in HOPS or plan.continues:
        return plan
    said = tuple(FencedText(one.role.capitalize(), one.content) for one in question.history)
    slots: dict[str, Slot] = {"conversation": said, "question": (FencedText("Question", question.text),)}
    routed, drafted = await asyncio.gather(_routed(key, slots), _drafted(key, slots))
    if drafted and (routed is None or routed.route in HOPS):
        plan = await in_thread(_helped, question, plan, drafted)
    if routed is None:
        return plan
    route = plan.route if plan.route is Route.ADDRESS else routed.route  # an address may stand in the thread
    return replace(plan, route=route, flags=tuple(dict.fromkeys((*plan.flags, *routed.flags))))


async def _routed(key: str, slots: dict[str, Slot]) -> RoutingDecision | None:
    """Return the label that the ladder's `route` model gives; None where the rules' own stands."""
    written = await calling.write("route", key, slots, schema=ROUTE)
    return parse_route(unfenced(written.text)) if written else None


async def _drafted(key: str, slots: dict[str, Slot]) -> DraftedPlan | None:
    """Return the plan that the ladder's `plan` model drafts; None where there is none, or it babbles."""
    written = await calling.write("plan", key, slots, schema=SCHEMA)
    if written is None:
        return None
    try:
        return parse_plan(unfenced(written.text))
    except PlanFault as fault:
        log.warning("the plan of %s is not used: %s", written.served.model, fault)
        return None


def _helped(question: Question, plan: QueryPlan, drafted: DraftedPlan) -> QueryPlan:
    """Return the plan with a model's wordings after its own; the question itself changes only within a conversation."""
    asked = topic_words(question.text, plan.language)
    if question.history and keeps_the_question(asked, lexemes(drafted.standalone, stemming_of(plan.language))):
        plan = plan_question(question, standalone=drafted.standalone)
    added = [(text, "rephrased") for text in drafted.rephrasings] + [(text, "part") for text in drafted.parts]
    known = {wording.text for wording in plan.wordings}
    more = tuple(Wording(text, kind, topic_words(text, plan.language)) for text, kind in added if text not in known)
    return replace(
        plan,
        route=Route.MULTI_HOP if drafted.parts else plan.route,
        wordings=plan.wordings + more,
        wanted_kinds=plan.wanted_kinds | drafted.kinds,
    )


def plan_question(question: Question, *, standalone: str = "") -> QueryPlan:
    """Return the plan by rules. Reads names, schemes and glossary from the database once they have changed.

    standalone: the question by itself, where that is known; "" lets the rules find it.
    """
    language = language_of(question.text, question.locale)
    asked_words = lexemes(question.text, stemming_of(language))
    own = planning.own_words(asked_words, _VAGUE)
    thread = read_follow_up(question.text, asked_words, own, question.history, standalone)
    standalone = thread.standalone
    words = topic_words(standalone, language)
    synonyms = synonyms_of(standalone, language, stemmed=stemming_of(language))
    named = standalone if thread.spells_out else question.text
    keys, faults, only = named_places(named, question.viewer, language)
    wordings = tuple(
        # Word search knows the synonyms already, as alternatives of the question's own words.
        Wording(text, kind, words if kind == "glossary" else topic_words(text, language))
        for text, kind in planning.wordings(
            standalone, thread.searched, keywords(standalone, words, language), synonyms.wordings
        )
    )
    return QueryPlan(
        route=_route(question, own, thread, bool(keys or faults), any(wording.kind == "part" for wording in wordings)),
        standalone=standalone,
        language=language,
        wordings=wordings,
        words=words,
        alternatives=synonyms.alternatives,
        term=fold(planning.term_to_define(standalone)),
        person=fold(planning.person_to_introduce(standalone)),
        address_keys=keys,
        address_faults=faults,
        only_addresses=only,
        wanted_kinds=planning.wanted_kinds(standalone),
        flags=planning.flags(question.text),
        follow_up=thread.kind,
        place=thread.place,
    )


def named_places(text: str, viewer: Viewer, language: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Return the folded addresses that `text` asks for, a sentence for each that cannot be found, and is that all?

    A whole chapter, or a lecture by its day, is asked for only by a question that names nothing else: in "What does
    the second chapter of the Gita teach about grief?" it is a topic's place, and the words decide.
    """
    known = shelf(None if viewer.sees_all else viewer.collections)
    mentions = addresses_in(text, known.book)
    keys, rest = lecture_keys(without_addresses(text, mentions), None if viewer.sees_all else viewer.collections)
    readings = {"en", stemming_of(language)}
    alone = any(not set(lexemes(rest, reading)) - _EMPTY[reading] - _PLACES for reading in readings)
    found = list(keys) if alone else []
    faults: list[str] = []
    for mention in mentions:
        fault = known.fault(mention, missing_book=alone)
        if fault:
            faults.append(fault)
        elif alone or not mention.is_whole_chapter:
            found += known.keys(mention)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(faults)), alone


def topic_words(text: str, language: str = "en") -> tuple[str, ...]:
    """Return the lexemes that say what a question is about; all of them where it only asks ("Tell me.").

    language: what it is asked in; its function words say nothing, English ones never do.
    """
    stemmed = stemming_of(language)
    every = tuple(dict.fromkeys(lexemes(text, stemmed)))
    return tuple(word for word in every if word not in _EMPTY[stemmed]) or every


def keywords(text: str, words: tuple[str, ...], language: str = "en") -> str:
    """Return the words of `text`, as written and in order, whose lexemes are among `words`: embedders know no stems."""
    stemmed, sought = stemming_of(language), set(words)
    kept = (word.strip(_MARKS) for word in text.split() if not sought.isdisjoint(lexemes(word, stemmed)))
    return " ".join(dict.fromkeys(kept))


def refine(plan: QueryPlan, sentences: Sequence[str]) -> QueryPlan | None:
    """Return the plan with wordings for one more look, drawn from the nearest sentences; None where there is none."""
    searched = [wording.text for wording in (*plan.wordings, *plan.refined)]
    added = refinements(plan.standalone, sentences, searched)
    if not added:
        return None
    return replace(plan, refined=tuple(Wording(text, "refined", topic_words(text, plan.language)) for text in added))


def _route(question: Question, own: tuple[str, ...], thread: FollowUp, has_address: bool, has_parts: bool) -> Route:
    if has_address:
        return Route.ADDRESS
    if planning.is_greeting(question.text) or planning.asks_for_opinion(question.text):
        return Route.NO_RETRIEVAL
    lost = thread.kind == FollowUpKind.CONTINUE and not thread.place  # nothing was quoted that could go on
    if lost or not planning.has_words(question.text) or planning.is_underspecified(own, question.history):
        return Route.UNDERSPECIFIED
    return Route.MULTI_HOP if has_parts else Route.SINGLE_HOP
