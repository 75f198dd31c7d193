"""Answers that were checked a moment ago, given again to anyone who asks the same of the same sources.

An entry is the response and the events that showed it, as JSON signed for the key it is stored under: reading it runs
no code, and an entry that was not written by a process with our SECRET_KEY is not trusted. A cache that cannot be
reached costs a turn at most time.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any, get_args

from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, Signer
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain import events
from chat.answering.domain.answer import AnswerCitation, check_warnings, stale_index
from chat.answering.domain.caching import CacheRules, cache_key, is_cacheable
from chat.answering.domain.question import ThreadPlace
from chat.answering.domain.response import TurnResponse
from chat.answering.draft_record import DraftRecord
from chat.answering.follow_ups import gives_title
from chat.answering.turn_result import ShownAnswer, TurnResult
from chat.models import Turn
from corpus.selectors import content_hashes
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

RULES = CacheRules()
OWN_TO_A_TURN = (events.Status, events.QuestionReadAs, events.Done, events.Fault)


class UnreadableCacheEntry(ValueError):
    """The entry is not an answer that was stored under this key."""


class CachedAnswer(BaseModel):
    """An answer as it was shown.

    response: of the turn that gave it, with the warnings that are not computed anew. chance: as in ShownAnswer.
    payloads: of the events that showed it, in order.
    """

    model_config = ConfigDict(frozen=True)

    response: TurnResponse
    chance: float
    payloads: tuple[dict[str, Any], ...]

    @property
    def citations(self) -> tuple[AnswerCitation, ...]:
        """The citations with the passages they were taken from, which the response keeps apart as references."""
        return tuple(
            AnswerCitation(
                **asdict(cited),
                chunk_id=reference.chunk,
                chunk_hash=reference.content_hash,
                char_start=reference.char_start,
                char_end=reference.char_end,
            )
            for cited, reference in zip(self.response.citations, self.response.references, strict=True)
        )

    def replay(self) -> Iterator[tuple[events.Event, ShownAnswer]]:
        """Yield each event, and what its reader has been shown once it is sent."""
        citations = self.citations
        sentences = withheld = cited = 0
        framing = ""
        for payload in self.payloads:
            event = _EVENTS[payload["type"]].validate_python(payload)
            if isinstance(event, events.SentenceShown):
                sentences += 1
                cited = max([cited, *(citation["n"] for citation in event.citations)])
            withheld += isinstance(event, events.SentenceWithheld)
            framing = event.message if isinstance(event, events.Notice) and event.kind == events.EDITORS else framing
            yield (
                event,
                ShownAnswer(
                    sentences=self.response.sentences[:sentences],
                    citations=citations[:cited],
                    withheld=self.response.withheld[:withheld],
                    chance=self.chance,
                    framing=framing,
                ),
            )


_KINDS = {kind.__dataclass_fields__["type"].default: kind for kind in get_args(events.Event)}
_EVENTS: dict[str, TypeAdapter[events.Event]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}

# Another release may give these other fields; an entry of an older one must then not be found.
_EVENT_FIELDS = {name: [field.name for field in fields(kind)] for name, kind in _KINDS.items()}
FORM = sha256(repr([CachedAnswer.model_json_schema(), _EVENT_FIELDS]).encode()).hexdigest()[:12]


def sign_answer(answer: CachedAnswer, key: str) -> str:
    """Return the answer as text that can be read back under this key alone."""
    return _signer(key).sign(answer.model_dump_json())


def read_answer(text: Any, key: str) -> CachedAnswer:
    """Return the answer that was signed for this key. Raises UnreadableCacheEntry for any other text."""
    try:
        return CachedAnswer.model_validate_json(_signer(key).unsign(text))
    except (BadSignature, ValidationError, TypeError) as error:
        raise UnreadableCacheEntry(type(error).__name__) from error


def _signer(key: str) -> Signer:
    return Signer(salt=f"chat.kept:{key}")


async def find_cached(turn: CurrentTurn, result: TurnResult) -> CachedAnswer | None:
    """The cached answer to the planned question; None where there is none, or the cache takes no part."""
    return await in_thread(_find, key) if (key := _key(turn, result)) else None


async def replay_answer(
    turn: CurrentTurn, result: TurnResult, cached: CachedAnswer, stream: AnswerStream
) -> TurnResult:
    """Show a cached answer; it becomes this turn's own, to be recorded."""
    for event, shown in cached.replay():
        stream.continue_from(shown)
        if isinstance(event, events.Title) and (turn.question.history or not await gives_title(turn, event.title)):
            continue  # the conversation has its title
        await turn.say(event)
    return result.warned(*cached.response.warnings).ended(Turn.Outcome(cached.response.outcome), stream.snapshot())


async def store_answer(turn: CurrentTurn, result: TurnResult, response: TurnResponse) -> None:
    """Cache the answer of a recorded turn where it may be given again. Stopping now cancels only the caching."""
    key = _key(turn, result)
    if not key or result.cached or not is_cacheable(response.as_dict(), RULES):
        return
    shown = result.shown
    if turn.question.history and any(isinstance(draft, DraftRecord) for draft in shown.drafts):
        return  # a model has read this reader's conversation, and wrote for this reader only
    recomputed = check_warnings(shown.sentences, shown.withheld, {})  # at the end of the turn that replays it
    warnings = tuple(warning for warning in result.warnings if warning not in recomputed)
    cached = CachedAnswer(
        response=response.model_copy(update={"warnings": warnings}),
        chance=shown.chance,
        payloads=tuple(events.payload(event) for event in turn.sink.sent if not isinstance(event, OWN_TO_A_TURN)),
    )
    with contextlib.suppress(asyncio.CancelledError):
        await in_thread(_store, key, cached, RULES.seconds(turn.question.mode))


def _key(turn: CurrentTurn, result: TurnResult) -> str:
    """The key of the turn's answer; "" where the turn takes no part in the cache."""
    if not settings.ANSWER_CACHE or turn.fresh or result.plan is None or result.plan.continues:
        return ""
    question = turn.question
    key = cache_key(
        result.plan.standalone,
        locale=question.locale,
        language=result.plan.reader_language,
        mode=question.mode,
        collections=question.viewer.collections,
        elsewhere=question.viewer.elsewhere,
        narrowed_to=question.viewer.narrowed_to,
        near=_near(result.plan.place),
        versions=result.versions,
    )
    return f"answer:{FORM}:{key}"


def _near(place: ThreadPlace | None) -> list[str]:
    """Where the conversation stands in its sources, which a follow-up's answer depends on."""
    return [place.recalled, *(str(quote.chunk_id) for quote in place.cited)] if place else []


def _find(key: str) -> CachedAnswer | None:
    """The answer cached under the key, unless a source it cites has changed since."""
    try:
        text = cache.get(key)
        if text is None:
            return None
        cached = read_answer(text, key)
    except UnreadableCacheEntry as error:
        log.warning("An entry of the answer cache was not written by us, so it is ignored: %s", error)
        return None
    except Exception as error:  # noqa: BLE001 - each backend has its own; its words may hold a password
        log.warning("The answer cache cannot be read, so this question is answered anew: %s", type(error).__name__)
        return None
    current = content_hashes(cited.chunk_id for cited in cached.citations)
    return None if stale_index(cached.citations, current) else cached


def _store(key: str, cached: CachedAnswer, seconds: int) -> None:
    try:
        cache.set(key, sign_answer(cached, key), timeout=seconds)
    except Exception as error:  # noqa: BLE001
        log.warning("The answer cache cannot be written, so this answer is not cached: %s", type(error).__name__)
