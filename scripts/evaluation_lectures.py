"""Copies the lectures of LECTORIUM_DATA that natural or golden questions are about into a folder, to import from there.

python scripts/evaluation_lectures.py FOLDER
manage.py prepare && manage.py import_lectures FOLDER/* && manage.py index    # in a stack of its own (LECTORIUM_STATE)
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "evaluation" / "natural"
ADDRESS = re.compile(r"\b(CW|VRE)(\d?):([\w-]+):\d+")  # of a paragraph: collection, volume, lecture, number
COLLECTIONS = ("vivekananda", "william_james")
TABLES = ("lectures.jsonl", "paragraphs.jsonl")
REAL = "real-"  # begins the source of a question about a real lecture; the lecture's key follows


def asked_about(data: Path) -> set[str]:
    """The keys of all lectures that a question or a claim is about."""
    golden = " ".join(file.read_text(encoding="utf-8") for file in sorted((data / "golden").glob("*.jsonl")))
    found = {f"v{volume}-{name}" if volume else name for _, volume, name in ADDRESS.findall(golden)}
    for file in sorted(QUESTIONS.glob("*.jsonl")):
        sources = (row["source"] for row in rows(file) if "source" in row)
        found |= {source.removeprefix(REAL) for source in sources if source.startswith(REAL)}
    return found


def rows(file: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, file.read_text(encoding="utf-8").splitlines())


def copy_lectures(data: Path, folder: Path) -> dict[str, int]:
    """Copy the lectures into `folder`, a subfolder a collection; return the number of rows by file."""
    wanted, counts = asked_about(data), {}
    for collection in COLLECTIONS:
        for table in TABLES:
            kept = [row for row in rows(data / "lectures" / collection / table) if row["lecture"] in wanted]
            copy = folder / collection / table
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
            counts[f"{collection}/{table}"] = len(kept)
    return counts


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    data = Path(os.environ.get("LECTORIUM_DATA", ROOT.parent / "shared" / "data"))
    sys.stdout.write(f"{copy_lectures(data, Path(sys.argv[1]))}\n")


if __name__ == "__main__":
    main()
