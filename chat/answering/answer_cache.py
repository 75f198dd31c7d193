"""An answer as it lies in the cache: JSON, signed for the one place it lies in.

Reading it runs nothing, and what was not kept there by a process with our SECRET_KEY is not taken for checked.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any, get_args
from uuid import UUID

from django.core.signing import BadSignature, Signer
from pydantic import TypeAdapter, ValidationError

from chat.answering.domain import events
from chat.answering.domain.answer import AnswerCitation, AnswerSentence, AnswerWarning, Claim, WithheldSentence
from chat.answering.journal import SentEvent


class UnreadableCacheEntry(ValueError):
    """What lies there is not an answer that was kept there."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as it was shown.

    said: each event's payload, then how much of the rest stood when it was said. chance: as in Journal.
    """

    turn: UUID
    outcome: str
    chance: float
    said: tuple[tuple[dict[str, Any], int, int, int], ...]
    sentences: tuple[AnswerSentence, ...]
    citations: tuple[AnswerCitation, ...]
    withheld: tuple[WithheldSentence, ...]
    warnings: tuple[AnswerWarning, ...]

    def events(self) -> Iterator[SentEvent]:
        """Yield what was said, in order."""
        for values, *stood in self.said:
            yield SentEvent(_EVENTS[values["type"]].validate_python(values), *stood)


_KEPT = TypeAdapter(CachedAnswer)
_KINDS = {kind.__dataclass_fields__["type"].default: kind for kind in get_args(events.Event)}
_EVENTS: dict[str, TypeAdapter[events.Event]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}

# Another release may give these other fields; what an older one kept must then not be found.
_FIELDS = [
    [field.name for field in fields(kind)]
    for kind in (CachedAnswer, AnswerSentence, Claim, AnswerCitation, WithheldSentence, AnswerWarning)
]
_EVENT_FIELDS = {name: [field.name for field in fields(kind)] for name, kind in _KINDS.items()}
FORM = sha256(repr([_FIELDS, _EVENT_FIELDS]).encode()).hexdigest()[:12]


def sign_answer(kept: CachedAnswer, place: str) -> str:
    """Return the answer as text that can be read back from this place alone."""
    return _signer(place).sign(_KEPT.dump_json(kept).decode())


def read_answer(text: Any, place: str) -> CachedAnswer:
    """Return the answer that was sealed for this place; raises UnreadableCacheEntry for whatever else lies there."""
    try:
        return _KEPT.validate_json(_signer(place).unsign(text))
    except (BadSignature, ValidationError, TypeError) as error:
        raise UnreadableCacheEntry(type(error).__name__) from error


def _signer(place: str) -> Signer:
    return Signer(salt=f"chat.kept:{place}")
