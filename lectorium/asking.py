"""The port through which packages outside `chat` ask and search: evaluation, replay, commands.

`chat` fills it at start-up; otherwise asking raises RuntimeError.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from lectorium.providers.protocols import ChatModel, Verifier

if TYPE_CHECKING:
    from corpus.domain.passage import Passage

History = tuple[tuple[str, str], ...]
Ask = Callable[..., Awaitable[dict[str, Any]]]
Search = Callable[..., Awaitable[list[dict[str, Any]]]]
Explain = Callable[..., Awaitable[dict[str, Any]]]
Sift = Callable[..., Awaitable[dict[str, Any]]]
Examine = Callable[..., Awaitable[dict[str, Any]]]
_filled: dict[str, Callable[..., Any]] = {}


def fill(*, ask: Ask, search: Search, explain: Explain, sift: Sift, examine: Examine) -> None:
    _filled.update(ask=ask, search=search, explain=explain, sift=sift, examine=examine)


async def ask(text: str, *, mode: str = "auto", history: History = (), record: bool = False) -> dict[str, Any]:
    """The response to a question, asked as an operator who sees every collection.

    history: (role, content) pairs, oldest first. record: store the turn as a conversation without an owner.
    """
    response: dict[str, Any] = await _of("ask")(text, mode=mode, history=history, record=record)
    return response


async def search(
    text: str,
    *,
    history: History = (),
    lane: str | None = None,
    limit: int = 10,
    mode: str = "auto",
    without: str = "",
    scope: str = "",
) -> list[dict[str, Any]]:
    """At most `limit` results of the lanes, best first; of a single lane, its hits in its own order.

    mode: the answering mode whose rules apply. without: a part of retrieval to leave out (dense, sentence, lexical,
    address, context, calibration, rewordings, fusion, reader, reserves, bridges, per_source). scope:
    comma-separated collection key, work:KEY, kind:verse, language:de. Raises ValueError for an unknown part or an
    invalid scope.
    """
    rows: list[dict[str, Any]] = await _of("search")(
        text, history=history, lane=lane, limit=limit, mode=mode, without=without, scope=scope
    )
    return rows


async def explain(
    text: str, *, history: History = (), mode: str = "auto", without: str = "", scope: str = ""
) -> dict[str, Any]:
    """What a turn of this mode would plan, find and decide at first, with every number named.

    {"plan": {"route", "flags", "language", "wordings": [{"text", "kind"}], "words", "alternatives", "wanted_kinds",
    "addresses", "address_faults"}; "curated": [{"entry": id, "kind", "title", "phrasing": the one that matched,
    "similarity", "judged": None without a judge, "skips_sweep"}]; "rows": every candidate of the pool with its scores
    and the rule that cut it ("cut_by"), kept ones first, then by rank; "capped": likewise for chunks beyond the pool's
    cap, which are not scored; "gate": {"coverage", "bar", "decision": answer or a refusal's reason, "thin": an outline
    may decide, "addressed": a passage named by its address is shown anyway, "closest": the closest passage is shown
    instead of a refusal, "signals"}}.
    mode, without and scope: as for `search`.
    """
    explained: dict[str, Any] = await _of("explain")(text, history=history, mode=mode, without=without, scope=scope)
    return explained


async def sift(
    text: str,
    *,
    history: History = (),
    beside: Sequence[Passage] = (),
    leaving: Collection[UUID] = (),
    without: str = "",
) -> dict[str, Any]:
    """The evidence that would be kept, and what a quoting answer would cite.

    beside: unstored passages, treated as if the lanes found them first, in place of as many others. leaving: chunk ids
    to exclude. without: as for `search`. Returns {"kept": [the addresses of each passage], "quoted": [address],
    "quotes": [{"chunk": id, "address", "text"}]}; nothing is quoted where the question would be refused.
    """
    sifted: dict[str, Any] = await _of("sift")(text, history=history, beside=beside, leaving=leaving, without=without)
    return sifted


async def examine(
    question: str, passages: Sequence[Passage], author: ChatModel, judge: Verifier | None = None
) -> dict[str, Any]:
    """Let `author` answer from exactly these passages; return which of its sentences would be shown, and why not
    others.

    judge: replaces the configured verifier. Returns {"sentences": [{"text", "verdict", "proof", "shown", "reason",
    "citations": [number of a passage, from 1], "quote", "guards": those that object}], "dropped": [{"reason",
    "text"}]}.
    Uses no database and records nothing.
    """
    examined: dict[str, Any] = await _of("examine")(question, passages, author, judge)
    return examined


def _of(name: str) -> Callable[..., Any]:
    if name not in _filled:
        raise RuntimeError("Nothing answers questions yet: the chat app fills lectorium.asking at start-up.")
    return _filled[name]
