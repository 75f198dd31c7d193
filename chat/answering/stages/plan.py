"""Stages 0 and 1: route the question and plan its searches, by rules; models may sort it and add wordings."""

import asyncio
import logging
import string
from collections.abc import Sequence
from dataclasses import replace

from chat.answering.domain import refusals
from chat.answering.domain.query import planning
from chat.answering.domain.query.bad_input import bad_input
from chat.answering.domain.query.decompose import refinements
from chat.answering.domain.query.drafted_plan import SCHEMA, DraftedPlan, PlanFault, keeps_the_question, parse_plan
from chat.answering.domain.query.reply import DirectReply
from chat.answering.domain.query.routing import SCHEMA as ROUTE
from chat.answering.domain.query.routing import RoutingDecision, parse_route
from chat.answering.domain.query.small_talk import small_talk_of
from chat.answering.domain.query.tales import tale_asked_for
from chat.answering.domain.query.vagueness import vague_question
from chat.answering.domain.question import Mode, QueryPlan, Question, Route, Wording
from chat.answering.domain.thread.follow_up import FollowUp, read_follow_up
from chat.answering.domain.thread.kinds import FollowUpKind
from chat.answering.domain.thread.place import has_topic
from chat.answering.domain.viewer import Viewer
from chat.answering.replies.corrections import corrected
from chat.answering.replies.languages import foreign_language, is_english, translated, without_translation
from corpus.catalogue.addresses import MOST_ADDRESSES, lecture_keys, shelf
from corpus.catalogue.glossary import synonyms_of
from corpus.domain.addresses.parsing import addresses_in, without_addresses
from corpus.domain.text.folding import fold
from corpus.domain.text.question_language import FUNCTION_WORDS, language_of
from corpus.domain.text.spoken_language import without_language_request
from corpus.domain.text.stopwords import ASKING_WORDS, PLACE_WORDS
from corpus.language import lexeme, lexemes, stemming_of
from corpus.selectors import standing_at
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
    if plan.route in HOPS and (language := foreign_language(question.text, question.history)):
        if read := await translated(plan.standalone, question.viewer, language, key):
            question = replace(question, text=read.text, as_typed=True, history=())
            plan = replace(await in_thread(plan_question, question), read_as=read)
        else:
            plan = await in_thread(without_translation, plan, question.viewer, language)
    if question.mode is Mode.INSTANT or plan.route not in HOPS or plan.continues:
        return plan
    said = tuple(FencedText(message.role.capitalize(), message.content) for message in question.history)
    slots: dict[str, Slot] = {"conversation": said, "question": (FencedText("Question", question.text),)}
    routed, drafted = await asyncio.gather(_routed(key, slots), _drafted(key, slots))
    if drafted and (routed is None or routed.route in HOPS):
        helped = await in_thread(_helped, question, plan, drafted)
        plan = replace(helped, read_as=plan.read_as, unread=plan.unread)
    if routed is None:
        return plan
    route = plan.route if plan.route is Route.ADDRESS else routed.route  # an address may stand in the thread
    flags = tuple(dict.fromkeys((*plan.flags, *routed.flags)))
    return replace(plan, route=route, flags=flags, reply=_reply(question.text, route))


async def _routed(key: str, slots: dict[str, Slot]) -> RoutingDecision | None:
    """Return the label that the ladder's `route` model gives; None where the rules' own stands."""
    written = await calling.write("route", key, slots, schema=ROUTE)
    return parse_route(unfenced(written.text)) if written else None


async def _drafted(key: str, slots: dict[str, Slot]) -> DraftedPlan | None:
    """Return the plan that the ladder's `plan` model drafts; None where there is none, or its output is no plan."""
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
    read_as = None
    if is_english(question.text, language) and not question.as_typed and not small_talk_of(question.text):
        read_as = corrected(question.text, question.viewer.scope)
    question = replace(question, text=read_as.text) if read_as else question
    asked_words = lexemes(question.text, stemming_of(language))
    own = planning.own_words(asked_words, _VAGUE)
    thread = read_follow_up(question.text, asked_words, own, question.history, standalone)
    standalone, words = thread.standalone, topic_words(thread.standalone, language)
    tale = tale_asked_for(standalone)
    synonyms = synonyms_of(standalone, language, stemmed=stemming_of(language))
    named = standalone if thread.spells_out else question.text
    keys, faults, only, close = named_places(named, question.viewer, language)
    wordings = tuple(
        # Word search knows the synonyms already, as alternatives of the question's own words.
        Wording(text, kind, words if kind == "glossary" else topic_words(text, language))
        for text, kind in planning.wordings(
            standalone, tale, thread.searched, keywords(standalone, words, language), synonyms.wordings
        )
    )
    has_parts = any(wording.kind == "part" for wording in wordings)
    route = _route(question, own, thread, language, has_address=bool(keys or faults), has_parts=has_parts)
    return QueryPlan(
        route=route,
        standalone=standalone,
        tale=tale,
        language=language,
        wordings=wordings,
        words=words,
        alternatives=synonyms.alternatives,
        term=fold(planning.term_to_define(standalone)),
        person=fold(planning.person_to_introduce(standalone)),
        address_keys=keys,
        address_faults=faults,
        close_keys=close,
        only_addresses=only,
        wanted_kinds=planning.wanted_kinds(standalone),
        flags=planning.flags(question.text),
        reply=_reply(question.text, route),
        read_as=read_as,
        follow_up=thread.kind,
        place=thread.place,
        repeats_last=thread.repeats_last,
    )


def named_places(
    text: str, viewer: Viewer, language: str
) -> tuple[tuple[str, ...], tuple[str, ...], bool, tuple[str, ...]]:
    """Return the folded addresses that `text` asks for, a sentence for each that cannot be found, whether that is all,
    and, where none can be found, the closest addresses.

    A whole chapter, or a lecture by its day, is asked for only by a question that names nothing else: in "What does
    the second chapter of the Gita teach about grief?" it is a topic's place, and the words decide.
    """
    known = shelf(None if viewer.sees_all else viewer.collections)
    mentions = addresses_in(text, known.book)
    keys, rest = lecture_keys(without_addresses(text, mentions), None if viewer.sees_all else viewer.collections)
    readings = {"en", stemming_of(language)}
    rest = without_language_request(rest)
    alone = any(not set(lexemes(rest, reading)) - _EMPTY[reading] - _PLACES for reading in readings)
    found = list(keys) if alone else []
    faults: list[str] = []
    close: list[str] = []
    for mention in list(dict.fromkeys(mentions))[:MOST_ADDRESSES]:
        fault = known.fault(mention, missing_book=alone)
        if fault:
            faults.append(fault)
            close += known.closest(mention)
        elif alone or not mention.is_whole_chapter:
            found += known.keys(mention)
    nearby = () if found else first_standing(close, viewer)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(faults)), alone, nearby


def first_standing(keys: Sequence[str], viewer: Viewer) -> tuple[str, ...]:
    """Return the first of these folded addresses that a passage in sight has; () where none has."""
    standing = {key for _, held in standing_at(keys, viewer.scope, len(keys)) for key in held} if keys else set()
    return tuple(key for key in keys if key in standing)[:1]


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


def _route(
    question: Question, own: tuple[str, ...], thread: FollowUp, language: str, *, has_address: bool, has_parts: bool
) -> Route:
    if has_address:
        return Route.ADDRESS
    if small_talk_of(question.text):
        return Route.NO_RETRIEVAL
    lost = thread.kind == FollowUpKind.CONTINUE and not thread.place  # nothing was quoted that could go on
    vague = vague_question(question.text) is not None if is_english(question.text, language) else not own
    if lost or (vague and not has_topic(question.history)) or bad_input(question.text):
        return Route.UNDERSPECIFIED
    return Route.MULTI_HOP if has_parts else Route.SINGLE_HOP


def _reply(text: str, route: Route) -> DirectReply | None:
    if route is Route.NO_RETRIEVAL:
        return refusals.small_reply(text)
    return refusals.ask_back(text) if route is Route.UNDERSPECIFIED else None
