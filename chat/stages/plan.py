"""Stages 0 and 1: route the question and plan its searches, by rules."""

from collections.abc import Sequence
from dataclasses import replace

from chat.domain import planning
from chat.domain.decompose import refinements
from chat.domain.question import QueryPlan, Question, Route, Wording
from corpus.domain.address import addresses_in
from corpus.domain.folding import fold
from corpus.domain.stopwords import ASKING_WORDS
from corpus.language import lexeme, lexemes
from corpus.selectors import book_names, check_address

_ASKING = frozenset(lexeme(word) for word in ASKING_WORDS)


def plan_question(question: Question) -> QueryPlan:
    """Return the plan. Reads the books' names from the database once a corpus version."""
    asked_words = lexemes(question.text)
    standalone = planning.standalone_question(question.text, asked_words, question.history)
    words = topic_words(standalone)
    mentions = addresses_in(standalone, book_names())
    faults = tuple(fault for mention in mentions if (fault := check_address(mention)))
    wordings = tuple(
        Wording(text, kind, topic_words(text)) for text, kind in planning.wordings(standalone, question.text, words)
    )
    return QueryPlan(
        route=_route(question, asked_words, bool(mentions), any(one.kind == "part" for one in wordings)),
        standalone=standalone,
        language=question.locale,
        wordings=wordings,
        words=words,
        term=fold(planning.term_to_define(standalone)),
        address_keys=tuple(key for mention in mentions for key in mention.keys),
        address_faults=faults,
        wanted_kinds=planning.wanted_kinds(standalone),
        flags=planning.flags(question.text),
    )


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
