"""Files as they come from the world: good ones, damaged ones, oddly filled ones, and ones made to do harm."""

import functools
import io
import json
import sqlite3
import stat
import zipfile
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from tests.corpus.files import library, pdf, wave, zipped

NAUGHTY = settings.DATA_DIR / "attacks" / "naughty_strings.json"
MARKDOWN = "---\ntitle: T\ndate: 2023-01-08\n---\n# Head\n\nOne *two* &amp; \\*.\n\n## Next\n\n- a\n- b `c`\n"
VTT = (
    "WEBVTT\n\nNOTE\ntitle: T\n\n1\n00:01.000 --> 00:02.000\n<v Ann>One &amp;\ntwo [applause]\n\n"
    "00:02.000 --> 00:03.500\nX: y\n"
)
SRT = "1\n00:00:01,000 --> 00:00:02,000\n- One\n\n2\n00:00:02,500 --> 00:00:03,000\nTWO: two\n"
PARAGRAPHS = [{"lecture": "a", "para": n, "text": f"Words {n}.", "speaker": "Ann"} for n in range(3)]
VERSES = [{"ref": f"BG 1.{n}", "chapter": 1, "verse": n, "text": ["one", "two"]} for n in range(1, 4)]
PASSAGES = [{"_id": str(n), "title": "T", "text": "One.\n\nTwo."} for n in range(3)]


def lines(records):
    return "\n".join(json.dumps(record) for record in records)


def library_bytes(works=(("k", "T", "en"),), sections=(("k", "BG 1.1", "BG", 1, 1, "One"),),
                  pins=(("q", '["BG 1.1"]'),), notes=(("t", "b", "x"),)):  # fmt: skip
    with TemporaryDirectory() as folder:
        return library(Path(folder) / "l.db", works, sections, pins, notes).read_bytes()


GOOD = {
    "a.txt": b"Ann: One con-\nscious.\n\nAnn: Two [laughter]\r\n\r\nThree.",
    "a.md": MARKDOWN.encode(),
    "a.vtt": VTT.encode(),
    "a.srt": SRT.encode(),
    "paragraphs.jsonl": lines(PARAGRAPHS).encode(),
    "corpus.jsonl": lines(PASSAGES).encode(),
    "verses.jsonl": lines(VERSES).encode(),
    "passages.json": json.dumps(PASSAGES, indent=1).encode(),
    "paragraphs.json": json.dumps({"title": "T", "paragraphs": PARAGRAPHS}).encode(),
    "verses.json": json.dumps(VERSES).encode(),
    "a.pdf": pdf(["HEAD\nOne con-\nscious.\n1", "HEAD\nTwo.\n2"]),
    "a.db": library_bytes(),
    "a.zip": zipped({"b/a.vtt": VTT, "c.txt": "One."}),
    "b.zip": zipped({"b/a.vtt": VTT, "c.txt": "One."}, zipfile.ZIP_BZIP2),
    "l.zip": zipped({"b/a.vtt": VTT, "c.txt": "One."}, zipfile.ZIP_LZMA),
    "a.wav": wave(),
}
WEDGES = [
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"-->", b"\n\n", b"{", b'"', b"\\u0000", b"\\ud800", b"&#0;",
    b"&#xd800;", b"<v ", b"99:99:99.999", b"9999999999:00:00.000", b"1e999", b"endobj", b"/Filter /FlateDecode", b"-1",
    b"..", b"[" * 2000,
]  # fmt: skip
ENCODINGS = ["utf-16", "utf-16-be", "utf-32", "cp1252", "shift_jis", "utf-7", "cp037"]
ODD_TEXTS = ["", " ", "\0", "\ud800", "x" * 600, "\u202e\u200b", "1", "None", "[]", "../a", "a\nb", "Ann: [music]"]
ODD_VALUES = [None, True, -1, 0, 2**63, 1e308, [], {}, [None], {"a": 1}, [["one"]], *ODD_TEXTS]
ODD_TIMES = [
    "00:00:01.000",
    "00:00:01,000",
    "0:1",
    "99:99:99.999",
    "9" * 400 + ":00:00.000",
    "-00:00:01.000",
    "",
    "NaN",
]
PACKINGS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
ODD_NAMES = ["a.txt", "A.TXT", "b/a.txt", "a.txt/b.txt", "../a.txt", "/a.txt", "c:\\a.txt", "a\nb.txt",
             "x" * 300 + ".txt", ".", "a.vtt", "é.md", "._a.txt", "a.zip", "verses.jsonl", "\ud83d.txt"]  # fmt: skip


@functools.cache
def naughty():
    """Return the naughty strings with anything in them; none where LECTORIUM_DATA lacks them."""
    texts = json.loads(NAUGHTY.read_text(encoding="utf-8")) if NAUGHTY.is_file() else []
    return [text for text in texts if text.strip()]


def encoded(text):
    return text.encode("utf-8", "surrogatepass")


def damaged(good, chance, texts=()):
    """Return a file that was cut, flipped, wedged, doubled, encoded otherwise, or has noise after its first bytes."""
    data = bytearray(good)
    for _ in range(chance.randint(0, 4)):
        at = chance.randint(0, max(0, len(data) - 1))
        match chance.choice(["cut", "flip", "wedge", "text", "double", "noise", "encode"]):
            case "cut":
                del data[at : at + chance.randint(1, 400)]
            case "flip" if data:
                data[at] = chance.randint(0, 255)
            case "wedge":
                data[at:at] = chance.choice(WEDGES)
            case "text":
                data[at:at] = encoded(chance.choice(texts or ODD_TEXTS))
            case "double":
                data[at:at] = data[: chance.randint(0, 300)]
            case "noise":
                data[at:] = bytes(chance.randint(0, 255) for _ in range(chance.randint(0, 300)))
            case "encode":
                data = bytearray(data.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace"))
    return bytes(data)


def filled(name, chance, texts=()):
    """Return a file of the form its name says whose values are odd: what a program wrote that knew the form only."""
    texts = [*ODD_TEXTS, *texts]

    def text():
        return chance.choice(texts)

    match name:
        case "paragraphs.jsonl" | "corpus.jsonl" | "verses.jsonl":
            records = {"p": PARAGRAPHS, "c": PASSAGES, "v": VERSES}[name[0]]
            return encoded(lines(_odd(record, chance, texts) for record in records))
        case "paragraphs.json" | "passages.json" | "verses.json":
            rows = {"para": PARAGRAPHS, "pass": PASSAGES, "vers": VERSES}[name[:4]]
            odd = [chance.choice([_odd(row, chance, texts), *ODD_VALUES]) for row in rows]
            return encoded(json.dumps(chance.choice([odd, {"title": "T", "rows": odd}, chance.choice(odd)])))
        case "a.vtt" | "a.srt":
            head = "WEBVTT\n\n" if name == "a.vtt" else ""
            times = (f"{chance.choice(ODD_TIMES)} --> {chance.choice(ODD_TIMES)}" for _ in range(3))
            return encoded(head + "\n\n".join(f"{n}\n{time}\n{text()}" for n, time in enumerate(times)))
        case "a.pdf":
            return pdf([text() for _ in range(chance.randint(0, 3))])
        case "a.zip" | "b.zip" | "l.zip":
            return _archive(chance, texts)
        case "a.db":
            tables = {"works": ("k", "T", "en"), "sections": ("k", "BG 1.1", "BG", 1, 1, "One"), "pins": ("q", "[]"),
                      "notes": ("t", "b", "x")}  # fmt: skip
            return library_bytes(**{
                table: [_odd_row(row, chance, texts) for _ in range(2)] for table, row in tables.items()
            })  # fmt: skip
        case "a.md":
            return encoded(f"---\n{text()}: {text()}\ndate: {text()}\n---\n# {text()}\n\n{text()}\n\n> {text()}\n")
        case _:
            return encoded(text() + "\n\n" + text())


def _odd(record, chance, texts):
    kept = {key: value for key, value in record.items() if chance.random() < 0.9}
    odd = {key: chance.choice([*ODD_VALUES, *texts]) for key in kept if chance.random() < 0.3}
    return kept | odd


def _odd_row(row, chance, texts):
    storable = [None, -1, 2**62, 0.5, b"\xff\0", *(text for text in texts if text.isprintable())]
    return [chance.choice(storable) if chance.random() < 0.2 else value for value in row]


def _archive(chance, texts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice(PACKINGS)) as archive:
        for name in chance.sample(ODD_NAMES, chance.randint(0, 4)):
            entry = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
            entry.external_attr = chance.choice([0, 0, 0, stat.S_IFLNK << 16, 0o777 << 16])
            archive.writestr(entry, chance.choice([b"", encoded(chance.choice(texts)), *GOOD.values()]))
    return out.getvalue()


def _deflated_pdf(size):
    """Return a PDF whose only page unpacks to this many bytes."""
    packed = zlib.compress(b"BT /F1 12 Tf " + b"(aaaa) Tj " * (size // 10) + b"ET", 9)
    whole = pdf(["x"])
    start, end = whole.index(b"<< /Length"), whole.index(b"endstream")
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\n"
    return whole[:start] + stream + whole[end:]


def _endless_library():
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE notes (title TEXT, body TEXT, triggers TEXT)")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, x, x FROM n"
    database.execute(f"CREATE VIEW works AS {endless}")
    database.commit()
    return database.serialize()


# What is small and becomes large, or costs more than it weighs; made when asked for.
BOMBS = {
    "zeros.zip": lambda: zipped({"a.txt": b"\0" * (64 << 20)}),
    "many.zip": lambda: zipped({f"{n}.txt": b"x" for n in range(5001)}),
    "nested.zip": lambda: zipped({"a.txt": zipped({"b.txt": "x"})}),
    "large.pdf": lambda: _deflated_pdf(100 << 20),
    "looped.pdf": lambda: pdf(["x"]).replace(b"/Kids [5 0 R]", b"/Kids [2 0 R]"),
    "endless.db": _endless_library,
    "deep.jsonl": lambda: b'{"a": ' * 200_000,
    "digits.jsonl": lambda: b'{"ref": "A 1", "verse": 1, "text": "x", "chapter": ' + b"9" * 5000 + b"}",
    "deep.json": lambda: b"[" * 200_000,
    "digits.json": lambda: b'[{"_id": ' + b"9" * 5000 + b"}]",
    "row.json": lambda: b'[{"_id": "a", "text": "' + b"a" * (5 << 20) + b'"}]',
    "line.jsonl": lambda: b'{"_id": "' + b"a" * (5 << 20) + b'"}',
    "line.txt": lambda: b"a" * (5 << 20),
    "deep.md": lambda: b">" * 20_000 + b" a\n\n" + b"[" * 20_000 + b"*_" * 20_000,
    "tags.vtt": lambda: b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"<v " * 200_000,
    "cues.srt": lambda: b"1\n00:00:01,000 --> 00:00:02,000\n" * 20_000,
    "entities.vtt": lambda: b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"&" * 500_000,
}

# What a pattern that looks back over what it has read would read again and again: a beginning, a unit, an end.
_TIMED = "1\n00:00:01,000 --> 00:00:02,000\n"
REPETITIVE = {
    "braces.srt": (_TIMED + "x", "{\\", ""),
    "blank.srt": (_TIMED + "x", " \n", ""),
    "time.srt": ("1\nNaN --> ", "9", ":00:00,000\ny"),
    "number.srt": (_TIMED + "x\n\n", "2", "\n00:00:02,000 -> y"),
    "spaces.srt": (_TIMED + "x\n\n00:00:02,000", " ", "y"),
    "voices.vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\n", "<v.", ""),
    "fact.vtt": ("WEBVTT\n\nNOTE title: x", " ", "y\n\n00:01.000 --> 00:02.000\nx\n"),
    "word.txt": ("", "a", ""),
    "hyphens.txt": ("", "a-\n", ""),
    "initials.txt": ("", "A.", ""),
    "brackets.txt": ("", "[a ", ""),
    "brackets.md": ("", "![[", ""),
    "emphasis.md": ("", "*a ", ""),
    "indented.md": ("", "\t\0a\n", ""),
}
