"""Small files of every binary format, made on the spot."""

import io
import sqlite3
import wave as waves
import zipfile


def pdf(pages):
    """Return a PDF with these lines of text on its pages; an empty text is a page without a text layer."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        shown = " T* ".join(f"({_escaped(line)}) Tj" for line in page.split("\n") if line)
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, offsets = io.BytesIO(b"%PDF-1.4\n"), []
    out.seek(0, io.SEEK_END)
    for number, body in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))
    table = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write(b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets))
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode())
    return out.getvalue()


def zipped(files, packing=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def broken_zip(packing):
    """Return an archive whose only entry, a.txt, cannot be unpacked by the decoder of its packing."""
    data = bytearray(zipped({"a.txt": "Hello there. " * 2000}, packing))
    packed = data.index(b"a.txt") + len("a.txt") + (9 if packing == zipfile.ZIP_LZMA else 0)
    for at in range(packed + 4, packed + 40):
        data[at] ^= 0xFF
    return bytes(data)


def wave(samples=4000, rate=8000):
    """Return silence."""
    out = io.BytesIO()
    with waves.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(rate)
        sound.writeframes(b"\x80" * samples)
    return out.getvalue()


def library(path, works=(), sections=(), pins=(), notes=()):
    """Write a curated library: (key, title, language), (work, address, book, chapter, verse, text), …"""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path)
    database.executescript(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;"
        "CREATE TABLE works (key TEXT, title TEXT, language TEXT);"
        "CREATE TABLE sections (work TEXT, address TEXT, book TEXT, chapter INTEGER, verse INTEGER, text TEXT);"
        "CREATE TABLE pins (question TEXT, 'references' TEXT);"
        "CREATE TABLE notes (title TEXT, body TEXT, triggers TEXT);"
    )
    for table, rows in (("works", works), ("sections", sections), ("pins", pins), ("notes", notes)):
        for row in rows:
            database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    database.commit()
    database.close()
    return path


def _escaped(line):
    return line.encode("latin-1", "replace").decode("latin-1").translate(str.maketrans({c: f"\\{c}" for c in "()\\"}))
