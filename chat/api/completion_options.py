"""The options of a completion that mean something here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop as _

from chat.answering.domain.query.checks import BadMessage, check_flag
from chat.api.domain.stop_sequences import MOST


@dataclass(frozen=True, slots=True)
class CompletionOptions:
    """counts: whether the stream ends with the usage."""

    stream: bool
    counts: bool
    stop: tuple[str, ...]


def check_options(body: Mapping[str, Any]) -> CompletionOptions:
    """Raises BadMessage."""
    options = body.get("stream_options")
    if options is not None and not isinstance(options, dict):
        raise BadMessage(_('"stream_options" must be an object, such as {"include_usage": true}.'), "stream_options")
    if body.get("n") not in (None, 1) or isinstance(body.get("n"), bool):
        raise BadMessage(_("There is one answer to a question: leave n out, or send 1."), "n")
    return CompletionOptions(
        stream=check_flag(body.get("stream"), "stream"),
        counts=check_flag((options or {}).get("include_usage"), "stream_options.include_usage"),
        stop=_check_stop(body.get("stop")),
    )


def _check_stop(stop: object) -> tuple[str, ...]:
    sequences = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(sequences, list) or len(sequences) > MOST or not all(map(_is_sequence, sequences)):
        raise BadMessage(f'"stop" must be a text, or a list of up to {MOST} texts, none of them empty.', "stop")
    return tuple(sequences)


def _is_sequence(value: object) -> bool:
    return isinstance(value, str) and bool(value)
