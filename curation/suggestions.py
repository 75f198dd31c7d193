"""Other wordings of a pin's question, for its editor to choose from: refused questions like it, and a model's."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from audit.clustering import refused_like
from corpus.domain.text.folding import fold
from corpus.domain.text.question_language import language_of
from corpus.selectors import serving_space, space_embedder
from curation.domain.wordings import WordingRules, new_wordings, wordings_in
from curation.services import LIMITS
from curation.translations.writer import language_name, readable
from lectorium.ladder.call_run import CallRun
from lectorium.ladder.prompts import FencedText, Slot
from lectorium.ladder.selectors import has_model

log = logging.getLogger(__name__)
JOB = "rephrase"
SECONDS = 45.0  # an editor waits
RULES = WordingRules()
EMPTY = "Write the question of the pin first."
NO_ANSWER = "The model did not answer. Try again in a moment."
NO_QUESTION = "The model wrote no usable question. Try again, or choose another model for `rephrase`."
NOTHING = "No refused question is like this one."
NO_MODEL = "No model does `rephrase`, so none is asked."


@dataclass(frozen=True, slots=True)
class SuggestedWording:
    """times: how often readers asked it in vain; 0 for a model's."""

    text: str
    times: int = 0


@dataclass(frozen=True, slots=True)
class WordingSuggestions:
    """remark: what the editor should know where a source gave nothing."""

    wordings: tuple[SuggestedWording, ...] = ()
    remark: str = ""


def suggested_wordings(question: str, wordings: Sequence[str], language: str, *, with_log: bool) -> WordingSuggestions:
    """Wordings that the pin does not have yet. with_log: whether this editor may read refused questions.

    Stores nothing but the usage of the model.
    """
    if not fold(question):
        return WordingSuggestions(remark=EMPTY)
    have = (question, *wordings)
    asked = _asked_in_vain(question, have, language) if with_log else ()
    taken = (*have, *(wording.text for wording in asked))
    written, remark = _by_model(question, taken, language) if has_model(JOB) else ((), "")
    if not asked and not written and not remark:
        remark = NOTHING if has_model(JOB) else f"{NOTHING} {NO_MODEL}"
    return WordingSuggestions((*asked, *map(SuggestedWording, written)), remark)


def _asked_in_vain(question: str, have: Sequence[str], language: str) -> tuple[SuggestedWording, ...]:
    space = serving_space()
    if space is None:
        return ()
    vector = space_embedder(space).embed_questions([question])[0]
    times: dict[str, int] = {}
    for gap in refused_like(vector, space):
        if len(gap.question) <= LIMITS.phrasing_chars and language_of(gap.question, language) == language:
            times.setdefault(gap.question.strip(), gap.times)
    return tuple(SuggestedWording(text, times[text]) for text in new_wordings(times, have, fold, RULES))


def _by_model(question: str, taken: Sequence[str], language: str) -> tuple[list[str], str]:
    """The model's wordings, and a remark where there are none."""
    slots: dict[str, Slot] = {
        "count": str(RULES.asked),
        "language": language_name(language),
        "question": (FencedText("Question", question),),
        "wordings": (FencedText("Wordings", "\n".join(taken[1:])),) if taken[1:] else (),
    }
    try:
        with CallRun(JOB, SECONDS) as calls:
            written, fault = calls.run(calls.ask(question, slots))
    except TimeoutError:
        return [], NO_ANSWER
    except Exception:  # a broken model must not take the form away from its editor
        log.exception("suggesting wordings failed")
        return [], NO_ANSWER
    if written is None:
        return [], NO_ANSWER if fault else ""
    fitting = (text for text in wordings_in(readable(written.text), RULES) if language_of(text, language) == language)
    found = new_wordings(fitting, taken, fold, RULES)
    return found, "" if found else NO_QUESTION
