"""Files of an allowed form that cost more than they weigh, in any size: made by `HOSTILE[name](size in bytes)`."""

import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.corpus.files import library, pdf

PROSE = "and so the river runs to the sea while the hills look on "
ENDED = "The river runs to the sea. The hills look on, and nobody minds. "


def filled(unit, size, beginning="", end=""):
    """A text of this many bytes: the unit repeated between a beginning and an end."""
    room = size - len(beginning.encode()) - len(end.encode())
    return (beginning + unit * (room // len(unit.encode())) + end).encode()


def numbered(line, size, beginning=""):
    """A text of about this many bytes: a line repeated with its number as {n}."""
    return (beginning + "".join(line.format(n=n) for n in range(size // len(line.format(n=10_000))))).encode()


def clock(seconds, mark="."):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}000"


def captions(size, beginning, mark):
    cue = "{n}\n{start} --> {end}\nThe river runs to the sea. The hills\n\n"
    of = lambda n: cue.format(n=n, start=clock(2 * n, mark), end=clock(2 * n + 1, mark))  # noqa: E731
    return (beginning + "".join(of(n) for n in range(1, size // len(of(1000))))).encode()


def records(record, size):
    """JSON lines of about this many bytes; `record(n)` is the nth."""
    return "\n".join(json.dumps(record(n)) for n in range(1, size // (len(json.dumps(record(10_000))) + 1))).encode()


def database(works=(), sections=(), **more):
    with TemporaryDirectory() as folder:
        return library(Path(folder) / "l.db", works, sections, **more).read_bytes()


def works_of_one_verse(size):
    """About 65 bytes a work, as SQLite packs them."""
    keys = [f"k{n}" for n in range(size // 65)]
    return database([(key, "T", "en") for key in keys], [(key, "A 1.1", "A", 1, 1, "One") for key in keys])


def one_large_work(size):
    text = ENDED * 16
    rows = (("k", f"A 1.{n}", "A", 1 + n // 9000, n % 9000, text) for n in range(size // 1080))
    return database([("k", "T", "en")], rows)


def packed(name, data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def many_zeros(size):
    """An archive of entries that are each too small for a ratio of their own to be looked at."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for n in range(min(5000, size // 1100)):
            archive.writestr(f"{n}.txt", ENDED[:50] * (20 * 1024))
    return out.getvalue()


def old_encoding(size):
    return ("Le fleuve s’écoule vers la mer, où l’été demeure ; déjà là. " * (size // 60)).encode("cp1252")


def printed(size):
    page = "\n".join([PROSE] * 50)
    return pdf([page] * max(1, size // len(page)))


def arrays(size):
    return b'[{"_id": "a", "text": "x", "more": [' + b"[]," * (size // 3) + b"[]]}]"


def bullets(size):
    return filled("- a\n", size)


HOSTILE = {
    "expanding.txt": lambda size: filled("\ufdfa", size),
    "expanding_words.txt": lambda size: filled("\ufdfa a ", size),
    "one_word.txt": lambda size: filled("a", size),
    "one_broken_word.txt": lambda size: filled("a", size, beginning="b-\nb "),
    "long_words.txt": lambda size: filled("a" * 2000 + " ", size),
    "no_stops.txt": lambda size: filled(PROSE, size),
    "no_stops_lines.txt": lambda size: filled(PROSE.strip() + "\n", size),
    "stops_without_ends.txt": lambda size: filled("Mr. A. ", size),
    "initials.txt": lambda size: filled("I. ", size),
    "open_bracket.txt": lambda size: filled("(Aa.) Bb. ", size, beginning="(("),
    "dots.txt": lambda size: filled(".", size, end="x"),
    "spaced_dots.txt": lambda size: filled(". ", size, end=".x"),
    "marks.txt": lambda size: filled("\u0301\u0323", size, beginning="a"),
    "zalgo.txt": lambda size: filled("a" + "\u0301\u0323" * 100 + " ", size),
    "two_spaces.txt": lambda size: filled("a  b  ", size),
    "joiners.txt": lambda size: filled("ab\u200b ", size),
    "hyphens.txt": lambda size: filled("river-\nrun ", size),
    "brackets.txt": lambda size: filled("[a b ", size),
    "speakers.txt": lambda size: filled("Ann: a\n\nBob: b\n\n", size),
    "paragraphs.txt": lambda size: filled("Aa.\n\n", size),
    "numbered.txt": lambda size: numbered(PROSE * 16 + "{n}.\n\n", size),
    "han.txt": lambda size: filled("河流入海山在看", size),
    "emoji.txt": lambda size: filled("👩‍👩‍👧‍👦", size),
    "prose.txt": lambda size: filled(ENDED, size),
    "old.txt": old_encoding,
    "prose.md": lambda size: filled(ENDED * 8 + "\n\n# Head\n\n", size),
    "no_stops.md": lambda size: filled(PROSE, size),
    "emphasis.md": lambda size: filled("*a _b ", size),
    "links.md": lambda size: filled("[a](", size),
    "images.md": lambda size: filled("![a]", size),
    "definitions.md": lambda size: filled("[a]: b\n", size),
    "code_marks.md": lambda size: filled("`a``b", size),
    "quotes.md": lambda size: filled("> a\n", size),
    "bullets.md": bullets,
    "nested.md": lambda size: filled("> - ", size),
    "nul.md": lambda size: filled("a\0 *b*\n", size),
    "entities.md": lambda size: filled("&amp;\\*", size),
    "captions.vtt": lambda size: captions(size, "WEBVTT\n\n", "."),
    "spaced.vtt": lambda size: captions(size, "WEBVTT\n\n", ".").replace(b"sea. ", b"sea.  \n"),
    "captions.srt": lambda size: captions(size, "", ","),
    "printed.pdf": printed,
    "library.db": one_large_work,
    "works.db": works_of_one_verse,
    "notes.db": lambda size: database(notes=[(f"t{n}", "b", "x") for n in range(size // 20)]),
    "one_talk/paragraphs.jsonl": lambda size: records(lambda n: {"lecture": "a", "para": n, "text": ENDED}, size),
    "talks/paragraphs.jsonl": lambda size: records(lambda n: {"lecture": f"a{n}", "para": 1, "text": ENDED}, size),
    "same_title/corpus.jsonl": lambda size: records(lambda n: {"_id": f"{n}", "title": "T", "text": ENDED}, size),
    "verses.jsonl": lambda size: records(
        lambda n: {"ref": f"A {1 + n // 9000}.{n % 9000}", "chapter": 1 + n // 9000, "verse": n % 9000, "text": ENDED},
        size,
    ),
    "arrays.json": arrays,
    "rows.json": lambda size: b"[" + records(
        lambda n: {"_id": f"{n}", "title": f"T{n}", "text": ENDED}, size
    ).replace(b"\n", b",") + b"]",
    "library.zip": lambda size: packed("l.db", one_large_work(300 * size)),
    "works.zip": lambda size: packed("l.db", works_of_one_verse(size)),
    "many.zip": many_zeros,
}  # fmt: skip


def repeated(chance, texts):
    """The name of a file and what makes it in a size: a naughty string over and over, as one of the text formats."""
    name = chance.choice(["a.txt", "a.md", "a.vtt", "a.srt", "corpus.jsonl", "verses.jsonl"])
    unit = chance.choice(texts or ["\u202ea\u0301", "((", "-->", "&#x0;"]) + chance.choice(
        ["", " ", "\n", ". ", "\n\n"]
    )
    times = {"a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n", "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n"}

    def make(size):
        text = unit * max(1, size // len(unit.encode("utf-8", "surrogatepass")))
        if name.endswith(".jsonl"):
            place = {"_id": "a", "title": "T"} if name == "corpus.jsonl" else {"ref": "A 1.1", "chapter": 1, "verse": 1}
            return json.dumps({**place, "text": text}).encode()
        return (times.get(name, "") + text).encode("utf-8", "surrogatepass")

    return name, make
