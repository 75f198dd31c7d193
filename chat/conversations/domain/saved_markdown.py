"""A conversation as Markdown in which every text stays text, whoever wrote it: a model, a source or a reader."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from chat.answering.domain.answer import FROM_EDITORS
from chat.conversations.domain.saved import SavedParagraph, SavedSentence, SavedSource, SavedTurn, Say

SPECIAL = re.compile(r"""[\\`*_{}\[\]<>&|~$#^=@]|(?<!\d):(?=\S)|:(?=[^\s\d])|(?<=www)\.""", re.IGNORECASE)
FIRST = re.compile(r"^(\d*)([-+:.)])")
BLANK = ("Cc", "Zl", "Zp")
REFUSED, SOURCES, RELATED = "No answer from these sources", "Sources", "Related, not an answer"
ASKED, SEARCHED, NOTE, VERSION = "Asked", "Searched:", "Note:", "corpus version"
TEXTS = (REFUSED, SOURCES, RELATED, ASKED, SEARCHED, NOTE, VERSION, FROM_EDITORS)
SAFE_IN_LINK = "/:?#&=%,;.+~-_@!$"


def escaped(text: str) -> str:
    """Return one line that Markdown shows as this text; line breaks and control characters become single spaces."""
    line = "".join(" " if unicodedata.category(char) in BLANK else char for char in text)
    safe = SPECIAL.sub(lambda found: f"\\{found[0]}", re.sub(" +", " ", line).strip())
    return FIRST.sub(lambda found: f"{found[1]}\\{found[2]}", safe)


def markdown(title: str, turns: Iterable[SavedTurn], say: Say = str) -> str:
    """Return the conversation: each question a heading, its sentences with [n], then its numbered sources."""
    return "\n\n".join([f"# {escaped(title)}", *(block for turn in turns for block in _blocks(turn, say))]) + "\n"


def _blocks(turn: SavedTurn, say: Say) -> Iterator[str]:
    yield f"## {escaped(turn.question)}"
    yield f"{say(ASKED)} {turn.asked_at:%Y-%m-%d %H:%M} UTC"
    yield from _opening(turn, say)
    yield from map(_paragraph, turn.paragraphs)
    if turn.message:
        yield escaped(turn.message)
    if turn.searched:
        yield f"{say(SEARCHED)} {escaped(turn.searched)}"
    yield from (f"{say(NOTE)} {escaped(note)}" for note in turn.notes)
    if turn.removed:
        yield say(f"{turn.removed} sentence{'' if turn.removed == 1 else 's'} removed by the checks.")
    if turn.sources:
        yield f"### {say(SOURCES)}"
    for source in turn.sources:
        yield f"**[{source.n}]** {source.verdict}{_version(turn.corpus, say)}"
        yield from _quoted(source)
    if turn.nearest:
        yield f"### {say(RELATED)}"
    for moment in turn.nearest:
        yield from _quoted(moment)


def _opening(turn: SavedTurn, say: Say) -> Iterator[str]:
    if turn.disclaimer:
        yield f"**{escaped(turn.disclaimer)}**"
    if turn.notice:
        yield escaped(turn.notice)
    if turn.framing:
        yield f"**{say(FROM_EDITORS)}** {escaped(turn.framing)}"
    if turn.is_refusal:
        yield f"### {say(REFUSED)}"


def _paragraph(paragraph: SavedParagraph) -> str:
    if paragraph.kind == "clip":
        origin = [f"*{escaped(paragraph.origin)}*", *(f"[{n}]" for n in paragraph.numbers)] if paragraph.origin else []
        return "\\\n".join(f"> {' '.join(line)}" for line in (map(_sentence, paragraph.sentences), origin) if line)
    begin = {"heading": "### ", "quotation": "> ", "item": "- "}.get(paragraph.kind, "")
    if paragraph.number:
        begin = f"{paragraph.number} "
    return begin + " ".join(map(_sentence, paragraph.sentences))


def _sentence(sentence: SavedSentence) -> str:
    marks = [f"*({', '.join(sentence.marks)})*"] if sentence.marks else []
    text = escaped(sentence.text)
    return " ".join(
        [f"**{text}**" if sentence.is_lead and text else text, *(f"[{n}]" for n in sentence.numbers), *marks]
    )


def _quoted(source: SavedSource) -> Iterator[str]:
    yield "\\\n".join(f"> {line}" for line in map(escaped, source.quote.splitlines()) if line)
    yield " · ".join(escaped(part) for part in (source.title, source.translation_of, source.facts) if part)
    if source.link:
        yield f"<{quote(source.link, safe=SAFE_IN_LINK)}>"


def _version(corpus: str, say: Say) -> str:
    return f" · {say(VERSION)} {escaped(corpus)}" if corpus else ""
