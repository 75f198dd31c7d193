"""Masks a stored answer for a reader who may no longer see everything that it rests on.

A sentence is left out once one of its citations may not be shown, and with it every uncited sentence of that answer,
which may rest on the same source. Masking works on the stored JSON, of responses and of events alike.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from chat.answering.domain.events import EDITORS
from chat.answering.domain.query.small_talk import SmallTalk
from chat.answering.domain.refusals import MESSAGES, SMALL_TALK

Values = Mapping[str, Any]
Shows = Callable[[Values], bool]  # may this quote, a citation or a nearest moment, still be shown?
SAYS = "Part of this answer is not shown: a source that it rests on has changed, or you may no longer see it."
_WARNING = {"type": "OUT_OF_SIGHT", "message": SAYS, "details": {}}
ABILITIES = SMALL_TALK[SmallTalk.ABILITIES]
_END = {"complete": False, "summary": "", "validation": {}, "withheld": [], "warnings": [_WARNING]}


def quotes_of(values: Values) -> Iterator[Values]:
    """Yield the quotes of a response or an event; a response's citations with the chunks they were taken from."""
    chunks = {reference["n"]: reference["chunk"] for reference in values.get("references", ())}
    yield from ({**citation, "chunk": chunks.get(citation["n"])} for citation in values.get("citations", ()))
    yield from values.get("nearest", ())


def response_for(response: Values, shows: Shows) -> dict[str, Any]:
    """Return the response without anything that rests on a quote that may not be shown."""
    kept = [quote for quote in quotes_of({**response, "nearest": ()}) if shows(quote)]
    left = dict(response)
    if "nearest" in left:
        left["nearest"] = [moment for moment in left["nearest"] if shows(moment)]
    if len(kept) == len(response.get("citations", ())):
        return left
    numbers = {quote["n"] for quote in kept}
    sentences = [
        sentence
        for sentence in response["sentences"]
        if sentence["citations"] and numbers.issuperset(sentence["citations"])
    ]
    is_closest = response.get("outcome") == "closest_passage"
    if is_closest and not sentences:
        left["message"] = MESSAGES.get(response["reason"], "")
    notice = [left["message"]] if is_closest else []
    return left | {
        "framing": "",  # editors' words about the whole set
        "sentences": sentences,
        "citations": [citation for citation in response["citations"] if citation["n"] in numbers],
        "references": [reference for reference in response.get("references", ()) if reference["n"] in numbers],
        "answer": " ".join([*notice, *map(_written, sentences), SAYS]),
        **_END,
    }


def responses_for(responses: Iterable[Values], shows: Shows) -> list[dict[str, Any]]:
    """Mask a conversation's responses, oldest first.

    A question that was spelled out after a masked answer is given as it was asked: it may repeat what is masked.
    """
    left, is_whole = [], True
    for response in responses:
        masked = response_for(response, shows)
        if not is_whole and "standalone_question" in masked:
            masked["standalone_question"] = masked.get("question", "")
        is_whole = is_whole and len(masked.get("citations", ())) == len(response.get("citations", ()))
        left.append(masked)
    return left


def without_surroundings(response: Values) -> dict[str, Any]:
    """Remove what a response tells about the corpus as a whole: what was searched, which addresses exist."""
    left = dict(response) | {"readings": [], "examples": []}
    if left.get("outcome") == "refused":
        left["message"] = MESSAGES.get(left["reason"], "")
    if left.get("message", "").startswith(ABILITIES):  # what follows counts and names lectures
        left |= {"message": ABILITIES, "answer": ABILITIES}
    warnings = [warning for warning in left.get("warnings", ()) if warning.get("type") != "PHANTOM_SOURCE"]
    return left | {"searched": "", "warnings": warnings}


def events_for(events: Sequence[Values], shows: Shows) -> list[dict[str, Any]]:
    """Mask a turn's events; the last one tells the reader about the gap."""
    cited = [citation for event in events for citation in event.get("citations", ())]
    is_whole = all(map(shows, cited))
    left = [masked for event in events if (masked := _event_for(event, shows, is_whole))]
    if is_whole or any(event["type"] == "sentence" for event in left):
        return left
    return [event for event in left if event.get("kind") != "closest_passage"]  # there is nothing left to introduce


def _event_for(event: Values, shows: Shows, is_whole: bool) -> dict[str, Any] | None:
    kind = event["type"]
    if event.get("nearest"):
        return {**event, "nearest": [moment for moment in event["nearest"] if shows(moment)]}
    if is_whole:
        return dict(event)
    if kind == "sentence" and not (event["citations"] and all(map(shows, event["citations"]))):
        return None
    if kind in {"sources", "withheld", "suggestions"} or event.get("kind") == EDITORS:  # they name sources, too
        return None
    return {**event, **{key: _END[key] for key in _END if key in event}} if kind == "done" else dict(event)


def _written(sentence: Values) -> str:
    return " ".join([sentence["text"], *(f"[{n}]" for n in sentence["citations"])])
