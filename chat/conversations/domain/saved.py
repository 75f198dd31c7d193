"""A response as a saved file and a shared page show it: plain values, in which every text is still raw.

Removed sentences are counted, never repeated: a file is read far from the checks that removed them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from chat.answering.domain.answer import AnswerSentence, NumberedCitation, QuotedPlace
from chat.answering.domain.refusals import DISCLAIMER
from chat.answering.domain.response import TurnResponse
from corpus.domain.clock import clock

Link = Callable[[str], str]  # from a path on this site to the whole address
FILE_NAME_CHARS = 50
NUMBERED = re.compile(r"[0-9]{1,9}\.")
UNCHECKED = "Not checked"
Say = Callable[[str], str]  # from one of our own sentences to the reader's language
VERDICTS = {  # with the next two, equal to static/js/words.js
    "quoted": "Quoted",
    "supported": "Verified",
    "checked": "Checked, in other words",
    "partial": "Partly supported",
    "inferred": "Inferred",
    "contradicted": "Source says otherwise",
    "unsupported": "Not supported",
    "conflicting": "Conflicting sources",
    "unchecked": UNCHECKED,
}
REPAIRS = {"moved": "source corrected by the check", "suggested": "source found by the check"}
WORD_FOR_WORD = "Word for word from"
TRANSLATIONS = {"machine": "Machine translation of", "reviewed": "Reviewed translation of"}
STOPPED = "Stopped. What stands above was complete when it was shown."
STOPPED_EMPTY = "Stopped before anything could be shown."
TEXTS = (*VERDICTS.values(), *REPAIRS.values(), WORD_FOR_WORD, *TRANSLATIONS.values(), STOPPED, STOPPED_EMPTY)


@dataclass(frozen=True, slots=True)
class SavedMoment:
    """The seconds of a lecture at which a quote is spoken. lecture: its key. media: its recording's path, or ""."""

    lecture: str
    start: float
    end: float | None
    media: str


@dataclass(frozen=True, slots=True)
class SavedSource:
    """A quote and where it stands. n: its number, 0 for a nearest moment. link: an address on this site, or "".

    language: of the quote. title_language: of the title, which may be translated; then `translation_of` names the
    original.
    """

    n: int
    quote: str
    title: str
    facts: str
    link: str
    verdict: str
    language: str
    title_language: str = ""
    translation_of: str = ""
    address: str = ""
    moment: SavedMoment | None = None


@dataclass(frozen=True, slots=True)
class SavedSentence:
    """marks: what to know of it, in words. language: of a quoted one, else "". is_lead: of its clip, it answers."""

    text: str
    numbers: tuple[int, ...]
    marks: tuple[str, ...]
    language: str
    is_lead: bool = False


@dataclass(frozen=True, slots=True)
class SavedParagraph:
    """kind: heading, quotation, item, clip, or "" for an ordinary one. number: an item's, as "2.", else "".

    origin, numbers: of a clip, where it is from in words, and its citations; its sentences have none of their own.
    """

    kind: str
    number: str
    sentences: tuple[SavedSentence, ...]
    origin: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """corpus: the corpus version of its answer, "" where none is known. removed: how many sentences the checks took.

    notice: what introduces a closest passage, else "". framing: the editors' words that lead a pinned answer, else "".
    """

    question: str
    asked_at: datetime
    corpus: str
    is_refusal: bool
    disclaimer: str
    notice: str
    framing: str
    paragraphs: tuple[SavedParagraph, ...]
    message: str
    searched: str
    nearest: tuple[SavedSource, ...]
    sources: tuple[SavedSource, ...]
    notes: tuple[str, ...]
    removed: int

    @property
    def is_quotation(self) -> bool:
        """Whether the answer is nothing but its sources' words, so that its sources need not repeat them."""
        return bool(self.paragraphs) and all(paragraph.kind == "clip" for paragraph in self.paragraphs)


def saved_turn(response: TurnResponse, asked_at: datetime, link: Link, say: Say = str) -> SavedTurn:
    """Return an ended turn; `response` holds what its reader may see of it, in their language."""
    sentences, outcome = response.sentences, response.outcome
    is_general = any(sentence.kind == "outside" for sentence in sentences)
    sources = () if is_general else response.citations
    written = [sentence for sentence in sentences if not sentence.quoted]
    cited = {n for sentence in written for n in sentence.citations}
    unverified = {n for sentence in written if sentence.proof != "verified" for n in sentence.citations}
    stopped = [say(STOPPED if sentences else STOPPED_EMPTY)] if outcome == "interrupted" else []
    return SavedTurn(
        question=response.question,
        asked_at=asked_at,
        corpus=response.versions.get("corpus", ""),
        is_refusal=outcome == "refused",
        disclaimer=say(DISCLAIMER) if is_general else "",
        notice=response.message if outcome == "closest_passage" and sentences else "",
        framing=response.framing if sentences else "",
        paragraphs=tuple(_paragraphs(sentences, {source.n: source for source in sources}, say)),
        message="" if sentences else response.message,
        searched=response.searched if outcome == "refused" else "",
        nearest=tuple(_source(moment, link, say) for moment in response.nearest),
        sources=tuple(
            _source(
                source,
                link,
                say,
                n=source.n,
                verdict=_verdict(source.verdict, quoted=source.n not in cited, verified=source.n not in unverified),
            )
            for source in sources
        ),
        notes=(*stopped, *(warning.message for warning in response.warnings)),
        removed=len(response.withheld),
    )


def is_own(url: str) -> bool:
    """Is this the path of a page of this site, which no browser takes for another's or for a script?"""
    return url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()


def file_name(title: str, ending: str) -> str:
    """Return a name that every system takes for a file of its own: letters, marks and digits, joined by hyphens."""
    kept = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in title.lower())
    words = "-".join(kept[:FILE_NAME_CHARS].split())
    return f"lectorium-{words or 'conversation'}.{ending}"


def _paragraphs(
    sentences: Iterable[AnswerSentence], cited: Mapping[int, NumberedCitation], say: Say
) -> Iterable[SavedParagraph]:
    for _, group in groupby(sentences, key=lambda sentence: sentence.paragraph):
        parts = list(group)
        if all(part.clip for part in parts):
            yield _clip(parts, cited, say)
            continue
        block = parts[0].block.strip()
        kind = {"": "", "#": "heading", ">": "quotation"}.get(block[:1], "item")
        follows = [False, *(part.quoted for part in parts)]  # "Quoted" is said once where a run begins
        shown = tuple(_sentence(part, cited, say, follows=on) for part, on in zip(parts, follows, strict=False))
        yield SavedParagraph(kind, block if NUMBERED.fullmatch(block) else "", shown)


def _clip(sentences: Sequence[AnswerSentence], cited: Mapping[int, NumberedCitation], say: Say) -> SavedParagraph:
    """A clip, whose source is named once."""
    numbers = tuple(dict.fromkeys(n for sentence in sentences for n in sentence.citations if n in cited))
    shown = (replace(_sentence(sentence, cited, say, follows=True), numbers=()) for sentence in sentences)
    origin = ""
    if numbers:
        source = cited[numbers[0]]
        place = source.address if source.start is None else clock(source.start)
        origin = f"{say(WORD_FOR_WORD)} {', '.join(filter(None, (_title(source), source.speaker, place)))}"
    return SavedParagraph("clip", "", tuple(shown), origin, numbers)


def _sentence(
    sentence: AnswerSentence, cited: Mapping[int, NumberedCitation], say: Say, *, follows: bool
) -> SavedSentence:
    numbers = tuple(n for n in sentence.citations if n in cited)
    marks = [VERDICTS["conflicting"]] if sentence.conflicting else []
    if sentence.kind == "factual" and not (sentence.quoted and follows):
        verified = sentence.proof == "verified"
        marks.insert(0, _verdict(sentence.verdict, quoted=sentence.quoted, verified=verified))
    if repair := REPAIRS.get(sentence.repair):
        marks.append(repair)
    language = cited[numbers[0]].language if sentence.quoted and numbers else ""
    return SavedSentence(sentence.text, numbers, tuple(map(say, marks)), language, sentence.lead)


def _source(source: QuotedPlace, link: Link, say: Say, *, n: int = 0, verdict: str = "") -> SavedSource:
    moment = "" if source.start is None else clock(source.start)
    translated = source.translated_title
    facts = (source.speaker, source.date, source.place, moment or source.address)
    return SavedSource(
        n=n,
        quote=source.quote,
        title=_title(source),
        facts=" · ".join(filter(None, facts)),
        link=link(source.url) if is_own(source.url) else "",
        verdict=say(verdict),
        language=source.language,
        title_language=translated.language if translated else source.language,
        translation_of=f"{say(TRANSLATIONS[translated.origin])} “{source.title}”" if translated else "",
        address=source.address,
        moment=_moment(source),
    )


def _moment(source: QuotedPlace) -> SavedMoment | None:
    if source.start is None or source.kind != "lecture":
        return None
    key, _, _ = source.address.rpartition(":")
    return SavedMoment(key or source.address, source.start, source.end, source.media or "")


def _title(source: QuotedPlace) -> str:
    """The title of a source in the language of the reader, where it has one."""
    return source.translated_title.text if source.translated_title else source.title


def _verdict(verdict: str, *, quoted: bool, verified: bool) -> str:
    if quoted:
        return VERDICTS["quoted"]
    return VERDICTS["checked"] if verdict == "supported" and not verified else VERDICTS.get(verdict, UNCHECKED)
