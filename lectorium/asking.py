"""The port through which everything below `chat` asks and searches: evaluation, try-it, replay, commands.

`chat` fills it at start-up; without that, asking raises.
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
    """Connect the port to what answers."""
    _filled.update(ask=ask, search=search, explain=explain, sift=sift, examine=examine)


async def ask(text: str, *, mode: str = "auto", history: History = (), record: bool = False) -> dict[str, Any]:
    """Return the response to a question, as an operator who sees every collection.

    history: (role, content) pairs, oldest first. record: keep the turn as a conversation that nobody owns.
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
    """Return what the lanes find, at most `limit` rows, best first; of one lane, its own hits in its own order.

    mode: whose rules choose, as in a turn. without: a part of retrieval to do without (dense, sentence, lexical,
    address, context, calibration, rewordings, fusion, reader, reserves, parts, bridges, per_source). scope: a
    collection's key, work:KEY, kind:verse, language:de, with commas between. Raises ValueError for another part, or a
    scope that cannot be read or names what is not there.
    """
    rows: list[dict[str, Any]] = await _of("search")(
        text, history=history, lane=lane, limit=limit, mode=mode, without=without, scope=scope
    )
    return rows


async def explain(
    text: str, *, history: History = (), mode: str = "auto", without: str = "", scope: str = ""
) -> dict[str, Any]:
    """Return what a turn of this mode would plan, find and decide at its first look, every number named.

    {"plan": {"route", "flags", "language", "wordings": [{"text", "kind"}], "words", "alternatives", "wanted_kinds",
    "addresses", "address_faults"}; "curated": [{"entry": id, "kind", "title", "phrasing": the one that matched,
    "similarity", "judged": None where no judge was asked, "skips_sweep"}]; "rows": every candidate of the pool with all
    its scores and the rule that cut it ("cut_by"), those kept first, then the next by rank; "capped": such a row for
    each chunk that the pool's cap cut, which nothing measured; "gate": {"coverage", "bar", "decision": answer or a
    reason to refuse, "thin": may an outline decide instead, "addressed": is what the question names shown all the same,
    "closest": is the closest passage shown instead of a refusal, "signals"}}.
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
    """Return what would be kept as evidence, and what of it a quoting answer would cite.

    beside: passages that nobody stored; they take part as though the lanes had found them first, and take the places
    of as many others. leaving: ids of chunks that are left out of what was found. without: as for `search`. {"kept":
    [the addresses of each passage], "quoted": [address], "quotes": [{"chunk": id, "address", "text"}]}; nothing is
    quoted where the question would be refused.
    """
    sifted: dict[str, Any] = await _of("sift")(text, history=history, beside=beside, leaving=leaving, without=without)
    return sifted


async def examine(
    question: str, passages: Sequence[Passage], author: ChatModel, judge: Verifier | None = None
) -> dict[str, Any]:
    """Let `author` answer from exactly these passages, and return what would be shown of its draft, and why not more.

    judge: checks the claims in place of the verifier in use. {"sentences": [{"text", "verdict", "proof", "shown",
    "reason", "citations": [place of a passage, from 1], "quote", "guards": those that object}], "dropped": [what the
    gauntlet took out, {"reason", "text"}]}. No database is needed, and nothing is recorded.
    """
    examined: dict[str, Any] = await _of("examine")(question, passages, author, judge)
    return examined


def _of(name: str) -> Callable[..., Any]:
    if name not in _filled:
        raise RuntimeError("Nothing answers questions yet: the chat app fills lectorium.asking at start-up.")
    return _filled[name]
