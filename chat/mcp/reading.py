"""Tools for reading: what the caller may see, as the API gives it."""

from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from django.conf import settings
from pydantic import Field

from audit.domain.outcomes import ANSWERED
from chat.answering.domain.answer import TranslatedTitle
from chat.answering.domain.query.checks import check_question
from chat.answering.domain.question import Mode
from chat.api.conversations import citation_of
from chat.api.running_turn import begin_turn
from chat.conversations.local_titles import with_translated_titles
from chat.live.protocol import check_ask
from chat.mcp.callers import ToolRefused, current_caller
from chat.mcp.outputs import (
    ANSWER_CHARS,
    QUOTE_CHARS,
    AddressResult,
    AskResult,
    LectureList,
    ListedLecture,
    ListedWork,
    PassageList,
    ToolCitation,
    cut,
    tool_passages,
)
from chat.search.lookup import look_up
from corpus.catalogue.listing import listing
from corpus.domain.local_text import LocalText
from corpus.selectors import passages_at
from curation.translations.selectors import translated_titles
from lectorium.threads import in_thread

FOUND, MOST_FOUND, MOST_AT = 5, 20, 10
MAX_ADDRESS = 200

Scope = Annotated[
    str | None, Field(description="Narrows: a collection's key, work:KEY, kind:verse, language:de, with commas.")
]
Address = Annotated[str, Field(description="As the tools return it, e.g. BG 2.13 or first-steps:4.")]


async def ask(
    question: Annotated[str, Field(description="One question, in the reader's words.")],
    mode: Annotated[Mode, Field(description="instant quotes; auto and thinking may also write.")] = Mode.AUTO,
    scope: Scope = None,
    conversation: Annotated[UUID | None, Field(description="One of yours, to ask on in.")] = None,
) -> AskResult:
    """Ask as a reader does. Returns a checked answer with its citations, or a refusal with its reason."""
    caller = await in_thread(current_caller)
    body = {"question": question, "mode": mode, "scope": scope}
    body |= {"conversation": str(conversation)} if conversation else {}
    running = await begin_turn(caller.sender, check_ask(body, settings.QUESTION_MAX_CHARS))
    response = await in_thread(with_translated_titles, (await running.response()).as_dict(), caller.languages)
    return AskResult(
        answered=response["outcome"] in ANSWERED,
        outcome=response["outcome"],
        reason=response["reason"],
        answer=cut(response["answer"], ANSWER_CHARS),
        citations=[tool_citation(citation) for citation in response["citations"]],
        nearest=[place["address"] for place in response["nearest"]],
        turn=response["id"],
        conversation=response["conversation"],
    )


async def search(
    query: Annotated[str, Field(description="Words, a question or an address.")],
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = FOUND,
    scope: Scope = None,
) -> PassageList:
    """Find passages by meaning, words, spelling and address at once, best first. Nothing is recorded as a question."""
    text = check_question(query, settings.QUESTION_MAX_CHARS)
    caller = await in_thread(current_caller)
    viewer = await in_thread(caller.viewer, scope)
    _, found = await look_up(text, viewer, limit=limit, **caller.sender.counted_as)
    passages = [candidate.passage for candidate in found]
    return PassageList(passages=await in_thread(tool_passages, passages, caller.languages))


async def open_citation(
    turn: Annotated[UUID, Field(description="As `ask` returned it.")], n: Annotated[int, Field(ge=1, le=999)]
) -> ToolCitation:
    """Open citation [n] of an answer of yours, while you may see what it quotes."""
    return await in_thread(_citation, turn, n)


async def resolve_address(address: Address) -> AddressResult:
    """Return the passages at an address, word for word, to check a reference before you use it."""
    return await in_thread(_passages, address)


async def list_lectures(
    title: Annotated[str, Field(description="Words of the title, in any spelling; empty for all.")] = "",
    page: Annotated[int, Field(ge=1, le=10_000)] = 1,
) -> LectureList:
    """List the works and lectures that you may see, fifty a page: works first, then lectures by series and date."""
    return await in_thread(_lectures, title, page)


READING_TOOLS = (ask, search, open_citation, resolve_address, list_lectures)


def tool_citation(cited: dict[str, Any]) -> ToolCitation:
    return ToolCitation(**{**cited, "quote": cut(cited["quote"], QUOTE_CHARS)})


def _translated(title: LocalText | None) -> TranslatedTitle | None:
    return TranslatedTitle(**asdict(title)) if title else None


def _citation(turn: UUID, n: int) -> ToolCitation:
    caller = current_caller()
    return tool_citation(with_translated_titles(citation_of(caller.viewer(), turn, n), caller.languages))


def _passages(address: str) -> AddressResult:
    caller = current_caller()
    found = passages_at(address[:MAX_ADDRESS], caller.viewer().scope)
    if not found or len(address) > MAX_ADDRESS:
        raise ToolRefused(
            f"There is no passage at “{cut(address, 80)}” that you may see. Use addresses that `search` returned."
        )
    return AddressResult(address=found[0].address, passages=tool_passages(found[:MOST_AT], caller.languages))


def _lectures(title: str, page: int) -> LectureList:
    caller = current_caller()
    found = listing(caller.user, title[:MAX_ADDRESS], str(page))
    titles = translated_titles({(lecture.title, lecture.language) for lecture in found.lectures}, caller.languages)
    works = [
        ListedWork(
            title=work.title,
            abbreviation=work.abbreviation,
            sections=work.sections_in_all,  # type: ignore[attr-defined]  # annotated by listing
            language=work.language,
        )
        for work in found.works
    ]
    lectures = [
        ListedLecture(
            title=lecture.title,
            address=lecture.key,
            series=lecture.heading,  # type: ignore[attr-defined]
            speaker=lecture.speaker,
            date=lecture.date.isoformat() if lecture.date else "",
            language=lecture.language,
            has_recording=bool(lecture.media),
            translated_title=_translated(titles.get((lecture.title, lecture.language))),
        )
        for lecture in found.lectures
    ]
    return LectureList(works=works, lectures=lectures, page=found.page.number, pages=found.page.paginator.num_pages)
