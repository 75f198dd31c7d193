"""Answers that were checked a moment ago, given again to whoever asks the same of the same sources.

A cache that cannot be reached costs a turn time at most: the turn then goes on as if nothing were kept.
"""

import asyncio
import contextlib
import logging

from django.conf import settings
from django.core.cache import cache

from chat.answering.answer_cache import FORM, CachedAnswer, UnreadableCacheEntry, read_answer, sign_answer
from chat.answering.domain import events
from chat.answering.domain.answer import check_warnings, stale_index
from chat.answering.domain.caching import CacheRules, cache_key, may_be_given_again
from chat.answering.domain.question import ThreadPlace
from chat.answering.journal import Journal
from chat.conversations import services
from chat.models import Turn
from corpus.selectors import content_hashes
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

RULES = CacheRules()
OWN_TO_A_TURN = (events.Status, events.Done, events.Fault)


async def replay_answer(journal: Journal) -> bool:
    """Say a kept answer to the planned question, where there is one; it becomes this turn's own, to be recorded."""
    if not _takes_part(journal):
        return False
    kept = await in_thread(_find, _key(journal))
    if kept is None:
        return False
    journal.trace["cached"] = {"turn": str(kept.turn)}
    for said in kept.events():
        journal.sentences = list(kept.sentences[: said.sentences])
        journal.citations = list(kept.citations[: said.citations])
        journal.withheld = list(kept.withheld[: said.withheld])
        if isinstance(said.event, events.Title):
            if journal.question.history:
                continue  # the conversation has its title
            await in_thread(
                services.conversation_rename, conversation_id=journal.conversation_id, title=said.event.title
            )
        await journal.say(said.event)
    journal.warnings, journal.chance = list(kept.warnings), kept.chance
    journal.conclude(Turn.Outcome(kept.outcome))
    return True


async def store_answer(journal: Journal) -> None:
    """Keep the answer of a recorded turn where it may be given again; who stops the turn now stops only this."""
    if not _takes_part(journal) or "cached" in journal.trace or not may_be_given_again(journal.response(), RULES):
        return
    if journal.question.history and journal.trace.get("writing"):
        return  # a model has read this reader's conversation; what it wrote is for this reader
    recomputed = check_warnings(journal.sentences, journal.withheld, {})  # at the end of a turn that nobody writes
    kept = CachedAnswer(
        turn=journal.turn_id,
        outcome=journal.outcome,
        chance=journal.chance,
        said=tuple(
            (events.payload(one.event), one.sentences, one.citations, one.withheld)
            for one in journal.said
            if not isinstance(one.event, OWN_TO_A_TURN)
        ),
        sentences=tuple(journal.sentences),
        citations=tuple(journal.citations),
        withheld=tuple(journal.withheld),
        warnings=tuple(warning for warning in journal.warnings if warning not in recomputed),
    )
    with contextlib.suppress(asyncio.CancelledError):
        await in_thread(_store, _key(journal), kept, RULES.seconds(journal.question.mode))


def _takes_part(journal: Journal) -> bool:
    if not settings.ANSWER_CACHE or journal.fresh or journal.plan is None:
        return False
    return not journal.plan.continues  # what comes next is looked up, and no question says after what


def _key(journal: Journal) -> str:
    assert journal.plan is not None, "a question is looked for once it is planned"
    question = journal.question
    key = cache_key(
        journal.plan.standalone,
        locale=question.locale,
        mode=question.mode,
        collections=question.viewer.collections,
        elsewhere=question.viewer.elsewhere,
        narrowed_to=question.viewer.narrowed_to,
        near=_near(journal.plan.place),
        versions=journal.versions,
    )
    return f"answer:{FORM}:{key}"


def _near(place: ThreadPlace | None) -> list[str]:
    """Return where the thread stands, as far as the answer depends on it."""
    return [place.recalled, *(str(quote.chunk_id) for quote in place.cited)] if place else []


def _find(key: str) -> CachedAnswer | None:
    """Return the answer kept under the key, unless a source it cites has changed since."""
    try:
        text = cache.get(key)
        if text is None:
            return None
        kept = read_answer(text, key)
    except UnreadableCacheEntry as error:
        log.warning("What lies in the answer cache was not kept by us, so it is passed over: %s", error)
        return None
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The answer cache cannot be read, so this question is answered anew: %s", type(error).__name__)
        return None
    current = content_hashes(cited.chunk_id for cited in kept.citations)
    return None if stale_index(kept.citations, current) else kept


def _store(key: str, kept: CachedAnswer, seconds: int) -> None:
    try:
        cache.set(key, sign_answer(kept, key), timeout=seconds)
    except Exception as error:  # noqa: BLE001
        log.warning("The answer cache cannot be written, so this answer is not kept: %s", type(error).__name__)
