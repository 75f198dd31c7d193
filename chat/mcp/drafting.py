"""Tools for editors: drafts of pins and notes, their way to review, and publication by reviewers."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from chat.api.models import Token
from chat.mcp.callers import ToolCaller, ToolRefused, current_caller
from chat.mcp.outputs import EntryResult
from corpus.models import Collection
from curation import services
from curation.entries import PUBLISH, phrasings_of, references_of
from curation.matching.reach import wide_triggers
from curation.models import Curated, MemoryNote, PinnedQuestion
from lectorium.threads import in_thread

DRAFT_ACCESS, PUBLISH_ACCESS = Token.Access.DRAFT, Token.Access.PUBLISH
NEXT_STEPS = {
    Curated.State.DRAFT: "Try it with preview_match; then submit_for_review.",
    Curated.State.IN_REVIEW: "A reviewer decides now; you need do nothing more.",
    Curated.State.PUBLISHED: "Readers are answered with it.",
    Curated.State.WITHDRAWN: "Readers no longer see it. Use submit_for_review to propose it again.",
}
NO_ENTRY = "There is no pin or note with this id. Use the id that draft_pin or draft_note returned."

References = Annotated[list[str], Field(description="Addresses that the tools returned, in the order to cite.")]
Language = Annotated[str, Field(description="Of the text, e.g. en.", pattern="^[A-Za-z-]{2,12}$")]
EntryId = Annotated[UUID, Field(description="As draft_pin or draft_note returned it.")]


async def draft_pin(
    question: Annotated[str, Field(description="As a reader would ask it.")],
    references: References,
    phrasings: Annotated[list[str], Field(description="The same question in other words.")] = [],  # noqa: B006
    framing: Annotated[str, Field(description="Shown above the passages as the editors' words; never a source.")] = "",
    language: Language = "en",
    collection: Annotated[str | None, Field(description="A collection's key; without it, all of them.")] = None,
) -> EntryResult:
    """Draft a pinned question: one that the named passages answer. Readers see it once a reviewer publishes it."""

    def draft() -> EntryResult:
        caller = current_caller()
        caller.require(DRAFT_ACCESS, "curation.add_pinnedquestion")
        shelf = _collection(caller, collection) if collection else None
        pin = services.pin_draft(
            question=question, references=references, phrasings=phrasings, framing=framing, language=language,
            collection=shelf, by=caller.user,
        )  # fmt: skip
        return _entry_result(pin)

    return await in_thread(draft)


async def draft_note(
    title: Annotated[str, Field(max_length=200)],
    body: Annotated[str, Field(description="Background for the writer of answers. Never quoted or cited.")],
    triggers: Annotated[list[str], Field(description="Phrases of questions that it helps with.")],
    references: References = [],  # noqa: B006
    language: Language = "en",
) -> EntryResult:
    """Draft a note: background that connects passages. It is used once a reviewer publishes it."""

    def draft() -> EntryResult:
        caller = current_caller()
        caller.require(DRAFT_ACCESS, "curation.add_memorynote")
        note = services.note_draft(
            title=title, body=body, triggers=triggers, references=references, language=language, by=caller.user
        )
        return _entry_result(note)

    return await in_thread(draft)


async def add_phrasing(
    pin: EntryId, text: Annotated[str, Field(description="The same question in other words.")]
) -> EntryResult:
    """Add another wording to a pin, so that more readers' questions match it."""

    def add() -> EntryResult:
        entry = _entry(current_caller(), pin)
        if not isinstance(entry, PinnedQuestion):
            raise ToolRefused("This is a note; notes have triggers. Use add_trigger.")
        services.phrasing_add(pin=entry, text=text, by=current_caller().user)
        return _entry_result(entry)

    return await in_thread(add)


async def add_trigger(note: EntryId, text: Annotated[str, Field(description="A phrase of questions.")]) -> EntryResult:
    """Add a trigger to a note."""

    def add() -> EntryResult:
        entry = _entry(current_caller(), note)
        if not isinstance(entry, MemoryNote):
            raise ToolRefused("This is a pin; pins have phrasings. Use add_phrasing.")
        services.trigger_add(note=entry, text=text, by=current_caller().user)
        return _entry_result(entry)

    return await in_thread(add)


async def submit_for_review(entry: EntryId) -> EntryResult:
    """Ask the reviewers to publish a draft."""

    def submit() -> EntryResult:
        stored = _entry(current_caller(), entry)
        services.entry_submit(entry=stored, by=current_caller().user)
        return _entry_result(stored)

    return await in_thread(submit)


async def publish(entry: EntryId) -> EntryResult:
    """Publish a pin or note: readers are answered with it from now on. Only for reviewers, with a token that may."""

    def show() -> EntryResult:
        caller = current_caller()
        caller.require(PUBLISH_ACCESS, PUBLISH)
        stored = _entry(caller, entry)
        services.entry_publish(entry=stored, by=caller.user)
        return _entry_result(stored)

    return await in_thread(show)


DRAFTING_TOOLS = (draft_pin, draft_note, add_phrasing, add_trigger, submit_for_review)


def _entry(caller: ToolCaller, entry_id: UUID) -> PinnedQuestion | MemoryNote:
    """The pin or note that the caller may change. Raises ToolRefused."""
    caller.require(DRAFT_ACCESS)
    stored = stored_entry(entry_id)
    caller.require(DRAFT_ACCESS, f"curation.change_{stored._meta.model_name}")
    if stored.state == Curated.State.PUBLISHED:  # what readers see
        caller.require(PUBLISH_ACCESS, PUBLISH)
    return stored


def stored_entry(entry_id: UUID) -> PinnedQuestion | MemoryNote:
    """Raises ToolRefused where there is none with this id."""
    pin = PinnedQuestion.objects.filter(pk=entry_id).first()
    stored = pin or MemoryNote.objects.filter(pk=entry_id).first()
    if stored is None:
        raise ToolRefused(NO_ENTRY)
    return stored


def _collection(caller: ToolCaller, key: str) -> Collection:
    shelf = Collection.objects.visible_to(caller.user).filter(key=key).first()
    if shelf is None:
        raise ToolRefused("There is no such collection that you may see. Leave it out to answer readers of all.")
    return shelf


def _entry_result(entry: PinnedQuestion | MemoryNote) -> EntryResult:
    is_note = isinstance(entry, MemoryNote)
    triggers = entry.triggers if isinstance(entry, MemoryNote) else ()
    return EntryResult(
        id=entry.pk,
        kind="note" if is_note else "pin",
        title=str(entry),
        state=entry.state,
        references=references_of(entry),
        wordings=list(triggers) if is_note else phrasings_of(entry),
        next_step=NEXT_STEPS[Curated.State(entry.state)],
        warnings=[reach.warning for reach in wide_triggers(triggers, entry.language)],
    )
