"""Stages 0 and 1: route the question and plan its searches, by rules."""

from collections.abc import Sequence
from dataclasses import replace

from chat.domain import planning
from chat.domain.decompose import refinements
from chat.domain.question import QueryPlan, Question, Route, Wording
from chat.domain.viewer import Viewer
from corpus.addresses import lecture_keys, shelf
from corpus.domain.address_parsing import addresses_in, without_addresses
from corpus.domain.folding import fold
from corpus.domain.stopwords import ASKING_WORDS, PLACE_WORDS
from corpus.glossary import synonyms_of
from corpus.language import lexeme, lexemes

_ASKING = frozenset(lexeme(word) for word in ASKING_WORDS)
_PLACES = frozenset(lexeme(word) for word in PLACE_WORDS)


def plan_question(question: Question) -> QueryPlan:
    """Return the plan. Reads names, schemes and glossary from the database once they have changed."""
    asked_words = lexemes(question.text)
    standalone = planning.standalone_question(question.text, asked_words, question.history)
    words = topic_words(standalone)
    synonyms = synonyms_of(standalone)
    keys, faults = named_places(standalone, question.viewer)
    wordings = tuple(
        # Word search knows the synonyms already, as alternatives of the question's own words.
        Wording(text, kind, words if kind == "glossary" else topic_words(text))
        for text, kind in planning.wordings(standalone, question.text, words, synonyms.wordings)
    )
    return QueryPlan(
        route=_route(question, asked_words, bool(keys or faults), any(one.kind == "part" for one in wordings)),
        standalone=standalone,
        language=question.locale,
        wordings=wordings,
        words=words,
        alternatives=synonyms.alternatives,
        term=fold(planning.term_to_define(standalone)),
        address_keys=keys,
        address_faults=faults,
        wanted_kinds=planning.wanted_kinds(standalone),
        flags=planning.flags(question.text),
    )


def named_places(text: str, viewer: Viewer) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the folded addresses that `text` asks for, and a sentence for each that cannot be found.

    A whole chapter, or a lecture by its day, is asked for only by a question that names nothing else: in "What does
    the second chapter of the Gita teach about grief?" it is a topic's place, and the words decide.
    """
    known = shelf(None if viewer.sees_all else viewer.collections)
    mentions = addresses_in(text, known.book)
    keys, rest = lecture_keys(without_addresses(text, mentions))
    alone = not set(lexemes(rest)) - _ASKING - _PLACES
    found = list(keys) if alone else []
    faults: list[str] = []
    for mention in mentions:
        fault = known.fault(mention, missing_book=alone)
        if fault:
            faults.append(fault)
        elif mention.verses or alone:
            found += known.keys(mention)
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(faults))


def topic_words(text: str) -> tuple[str, ...]:
    """Return the lexemes that say what a question is about; all of them where it only asks ("Tell me.")."""
    every = tuple(dict.fromkeys(lexemes(text)))
    return tuple(word for word in every if word not in _ASKING) or every


def refine(plan: QueryPlan, sentences: Sequence[str]) -> QueryPlan | None:
    """Return the plan with wordings for one more look, drawn from the nearest sentences; None where there is none."""
    searched = [wording.text for wording in (*plan.wordings, *plan.refined)]
    added = refinements(plan.standalone, sentences, searched)
    if not added:
        return None
    return replace(plan, refined=tuple(Wording(text, "refined", topic_words(text)) for text in added))


def _route(question: Question, words: tuple[str, ...], has_address: bool, has_parts: bool) -> Route:
    if has_address:
        return Route.ADDRESS
    if planning.is_greeting(question.text):
        return Route.NO_RETRIEVAL
    if not planning.has_words(question.text) or planning.is_underspecified(words, question.history):
        return Route.UNDERSPECIFIED
    return Route.MULTI_HOP if has_parts else Route.SINGLE_HOP
