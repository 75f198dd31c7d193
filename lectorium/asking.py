"""The port through which packages outside `chat` ask and search: evaluation, replay, commands.

`chat` fills it at start-up; otherwise asking raises RuntimeError.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from lectorium.providers.protocols import ChatModel, Verifier

if TYPE_CHECKING:
    from corpus.domain.passage import Passage

History = tuple[tuple[str, str], ...]
Ask = Callable[..., Awaitable[dict[str, Any]]]
Replay = Callable[..., Awaitable[dict[str, Any]]]
AnswerWith = Callable[..., Awaitable[dict[str, Any]]]
Search = Callable[..., Awaitable[list[dict[str, Any]]]]
Explain = Callable[..., Awaitable[dict[str, Any]]]
Sift = Callable[..., Awaitable[dict[str, Any]]]
Examine = Callable[..., Awaitable[dict[str, Any]]]
AskedQuestions = Callable[[int], list[str]]


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """How a turn searches for a question, by rules: spelling corrected, glossary synonyms added.

    wordings: the standalone question first. whole: which wordings ask the whole question. has_reply: it gets a reply of
    its own, such as to a greeting, and nothing is searched.
    """

    wordings: tuple[str, ...]
    whole: tuple[bool, ...]
    language: str
    has_reply: bool


class NotReplayable(LookupError):
    """The turn cannot be asked again; the message says why."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What a replay changes.

    job, row: the job that another model does, by the id of its row of the ladder; "" for the job without a model.
    verifier: shipped, overlap, a folder of weights or PROVIDER:MODEL; "" for the one in use. collections: at most these
    are searched, of those that the turn's reader may see today.
    """

    mode: str
    job: str = ""
    row: str = ""
    verifier: str = ""
    collections: tuple[UUID, ...] = ()


Plan = Callable[..., PlannedQuestion]
CheckClaims = Callable[..., list[dict[str, Any]]]
_filled: dict[str, Callable[..., Any]] = {}


def fill(
    *,
    ask: Ask,
    replay: Replay,
    answer_with: AnswerWith,
    plan: Plan,
    search: Search,
    explain: Explain,
    sift: Sift,
    examine: Examine,
    check_claims: CheckClaims,
    asked_questions: AskedQuestions,
) -> None:
    _filled.update(
        ask=ask,
        replay=replay,
        answer_with=answer_with,
        plan=plan,
        search=search,
        explain=explain,
        sift=sift,
        examine=examine,
        check_claims=check_claims,
        asked_questions=asked_questions,
    )


async def ask(
    text: str,
    *,
    mode: str = "auto",
    locale: str = "en",
    history: History = (),
    record: bool = False,
    collections: tuple[UUID, ...] | None = None,
    asked_before: Sequence[str] = (),
) -> dict[str, Any]:
    """The response to a question, asked as an operator who sees every collection.

    locale: of the page; the question's own language counts where it can be told. history: (role, content) pairs, oldest
    first. record: store the turn as a conversation without an owner. collections: the only ones that the operator sees.
    asked_before: questions that are asked first, as turns of the same conversation after `history`, and not recorded.
    """
    response: dict[str, Any] = await _of("ask")(
        text, mode=mode, locale=locale, history=history, record=record, collections=collections,
        asked_before=asked_before,
    )  # fmt: skip
    return response


async def replay(turn_id: UUID, options: ReplayOptions) -> dict[str, Any]:
    """Ask a recorded turn's question again, after the same turns, over today's corpus; nothing is recorded.

    Returns {"response", "trace"}, as a turn stores them. Raises NotReplayable, and ModelMissing for the verifier.
    """
    replayed: dict[str, Any] = await _of("replay")(turn_id, options)
    return replayed


async def answer_with(text: str, history: History, options: ReplayOptions) -> dict[str, Any]:
    """Answer a question as an operator's, with what the options change; nothing is recorded.

    Returns {"response", "trace"}, as a turn stores them. history: as for `ask`. Raises NotReplayable, ModelMissing.
    """
    answered: dict[str, Any] = await _of("answer_with")(text, history, options)
    return answered


def plan(text: str, *, locale: str = "en", collections: tuple[UUID, ...] | None = None) -> PlannedQuestion:
    """How a turn plans a question without asking a model. locale, collections: as for `ask`."""
    planned: PlannedQuestion = _of("plan")(text, locale=locale, collections=collections)
    return planned


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
    address, context, calibration, rewordings, copies, fusion, reader, reserves, bridges, per_source). scope:
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
    "similarity", "bar": what that was compared with, "judged": None where no judge was asked, "skips_sweep",
    "answered": it is the pin that answered, "effect": what it did, in words}]; "rows":
    every candidate of the pool with its scores and the rule that cut it ("cut_by"), kept ones first, then by rank;
    "capped": likewise for chunks beyond the pool's cap, which are not scored; "gate": {"coverage", "bar", "subject":
    the chance that the corpus speaks of what is asked, "decision": answer or a refusal's reason, "thin": an outline may
    decide, "addressed": a passage named by its address is shown anyway, "closest": the closest passage is shown instead
    of a refusal, "signals"}}.
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
    "quotes": [{"chunk": id, "address", "text"}], "closest": [address]}; nothing is quoted where the question would be
    refused, and "closest" are then the passages shown instead.
    """
    sifted: dict[str, Any] = await _of("sift")(text, history=history, beside=beside, leaving=leaving, without=without)
    return sifted


async def examine(
    question: str,
    passages: Sequence[Passage],
    author: ChatModel,
    judge: Verifier | None = None,
    background: Sequence[str] = (),
) -> dict[str, Any]:
    """Let `author` answer from exactly these passages; return which of its sentences would be shown, and why not
    others.

    judge: replaces the configured verifier. background: editors' notes on the subject. Returns {"sentences":
    [{"text", "verdict", "proof", "shown", "reason", "citations": [number of a passage, from 1], "quote", "guards":
    those that object}], "dropped": [{"reason", "text"}]}.
    Uses no database and records nothing.
    """
    examined: dict[str, Any] = await _of("examine")(question, passages, author, judge, background)
    return examined


def check_claims(
    claims: Sequence[tuple[Passage, str]], *, author: str = "", judge: Verifier | None = None
) -> list[dict[str, Any]]:
    """What the guards and the verifier in use say of each claim beside its passage, in order.

    author: the model that wrote the claims, which is not asked to judge them. judge: replaces the verifier in use.
    Returns {"verdict": supported, inferred, partial, unsupported or contradicted, "span": the characters that decide,
    "support", "contradiction" and "label": the verifier's, "objections": [(guard, reason, words)], "shared": share of
    the claim's words but numbers in those characters, "has_numbers": whether they have a number}. Call it on a thread
    without an event loop. Raises ProviderError where no verifier can be asked.
    """
    checked: list[dict[str, Any]] = _of("check_claims")(claims, author=author, judge=judge)
    return checked


def asked_questions(most: int) -> list[str]:
    """Up to `most` different questions that readers asked, the latest first."""
    questions: list[str] = _of("asked_questions")(most)
    return questions


def _of(name: str) -> Callable[..., Any]:
    if name not in _filled:
        raise RuntimeError("Nothing answers questions yet: the chat app fills lectorium.asking at start-up.")
    return _filled[name]
