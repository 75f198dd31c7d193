"""Packs a kit: rows, the base in pieces, the weights that runs start from, what every run is measured on, the code."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from safetensors.torch import load_file

from lectorium.providers.cross_encoder_weights import SHIPPED
from lectorium.providers.cross_encoder_weights import WEIGHTS as SMALL_WEIGHTS
from lectorium.providers.mpnet.adapter import FACTS
from lectorium.providers.mpnet.base import BASE_WEIGHTS
from lectorium.providers.windowing import without_marks
from training.background.bases import ADAPTER as BIG_READER
from training.build.reading import squad2
from training.build.sources import encyclopedia_texts, lecture_texts
from training.build.written import written_questions
from training.gpu.candidates import SOURCE as CANDIDATES
from training.gpu.kit import (
    ADAPTER,
    QUESTIONS,
    SMALL,
    DevelopmentClaim,
    DevelopmentQuestion,
    PoolPassage,
    PoolQuestion,
    write_base,
    write_objects,
)
from training.gpu.settings import GpuSettings
from training.questions.examples import public_pairs
from training.rows import GroundingRow, ReadingRow, Row, read_json_lines, read_rows

OTHER_PASSAGES = 2500  # of an encyclopedia that no question is about
HALVES = ("dev", "fresh", "latest")  # never "newest" or "unseen"
ROOT = Path(__file__).parents[2]
NATURAL = Path("evaluation/natural")
HANDWRITTEN = Path("evaluation/escape/handwritten")
UNUSED = ("pooler.", "embeddings.position_ids")
PACKAGES = ("training/", "lectorium/", "chat/", "corpus/")  # of this repository, that a run imports from
LISTING = """
import sys, pathlib, training.gpu.training, training.gpu.distilling
here = pathlib.Path.cwd()
files = [pathlib.Path(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
print(*(file.relative_to(here) for file in files if file.is_relative_to(here)), sep="\\n")
"""


@dataclass(frozen=True, slots=True)
class PackSources:
    """Where a kit comes from. rows: the folder that `python -m training build` writes. base: all-mpnet-base-v2.

    adapters, small: the folders of the big reader's adapters and of the small reader. root: of the repository.
    samples, lectures: JSON lines in xz of the chunks that the natural questions about them are searched in
    (`write_corpus`).
    """

    data: Path
    rows: Path
    base: Path
    samples: Path
    lectures: Path
    adapters: Path = ROOT / BIG_READER
    small: Path = SHIPPED
    root: Path = ROOT


def pack_kit(kit: Path, sources: PackSources, settings: GpuSettings, *, seed: int) -> dict[str, int]:
    """Write a kit; return the number of values by file."""
    kit.mkdir(parents=True, exist_ok=True)
    questions, passages = pool_of_questions(sources.data, seed)
    counts = {
        "questions": write_objects(kit, "questions", questions),
        "passages": write_objects(kit, "passages", passages),
        "reading": write_objects(kit, "reading", reading_rows(sources.rows, settings)),
        "grounding": write_objects(kit, "grounding", grounding_rows(sources.rows, settings)),
        "natural": write_objects(kit, "natural", development_questions(sources.root / NATURAL)),
        "claims": write_objects(kit, "claims", development_claims(sources.root / HANDWRITTEN)),
    }
    shutil.copyfile(sources.samples, kit / "samples.jsonl.xz")
    shutil.copyfile(sources.lectures, kit / "lectures.jsonl.xz")
    weights = load_file(sources.base / BASE_WEIGHTS)
    counts["pieces"] = len(
        write_base(kit, {name: weight for name, weight in weights.items() if not name.startswith(UNUSED)})
    )
    for name in ("tokenizer.json", "config.json"):
        shutil.copyfile(sources.base / name, kit / name)
    for name in (ADAPTER, FACTS, QUESTIONS):
        shutil.copyfile(sources.adapters / name, kit / name)
    shutil.copyfile(sources.small / SMALL_WEIGHTS, kit / SMALL)
    counts["modules"] = copy_code(kit / "code")
    return counts


def pool_of_questions(data: Path, seed: int) -> tuple[list[PoolQuestion], list[PoolPassage]]:
    """The written questions, SQuAD 2 and public pairs, and their passages among those of lectures and encyclopedia."""
    rng = random.Random(seed)
    asked: list[tuple[str, PoolQuestion]] = []
    for source, rows in (("written", written_questions(data, seed)), ("squad2", squad2(data, seed))):
        for row in rows:
            if row.split != "test" and row.passages:
                own = row.passages[0]
                span = own.answer_span if own.answerable else None
                asked.append((own.text, PoolQuestion(row.question, -1, span, row.split, source)))
    asked += [(row.passage, PoolQuestion(row.question, -1, row.span, row.split, "pairs")) for row in public_pairs(data)]
    own_texts = {text for text, _ in asked}
    spoken = {entry.text for entry in lecture_texts(data) if entry.split != "test"}
    written = sorted({entry.text for entry in encyclopedia_texts(data) if entry.split == "train"} - own_texts)
    others = sorted(spoken - own_texts) + rng.sample(written, min(OTHER_PASSAGES, len(written)))
    texts = sorted(own_texts) + others
    places = {text: place for place, text in enumerate(texts)}
    questions = [replace(question, passage=places[text]) for text, question in asked]
    return questions, [PoolPassage(text, text in spoken) for text in texts]


def reading_rows(folder: Path, settings: GpuSettings) -> Iterator[ReadingRow]:
    """Rows for training whose passages are not candidates, named by their source's file."""
    for name, weight in settings.reading.items():
        if name == CANDIDATES or not weight:
            continue
        for row in _built(folder, name):
            if isinstance(row, ReadingRow) and row.split == "train":
                yield replace(row, source=name)


def grounding_rows(folder: Path, settings: GpuSettings) -> Iterator[GroundingRow]:
    """Claims for training and calibration, without their marks, named by their source's file."""
    for name in settings.grounding:
        for row in _built(folder, name):
            if isinstance(row, GroundingRow) and row.split != "test":
                yield replace(row, source=name, claim=without_marks(row.claim))


def _built(folder: Path, name: str) -> Iterator[Row]:
    file = folder / f"{name}.jsonl"
    if not file.is_file():
        raise SystemExit(f"{folder} has no rows of {name}: run `python -m training build --source {name}`.")
    return read_rows(file)


def development_questions(folder: Path) -> Iterator[DevelopmentQuestion]:
    """The questions without earlier turns of the halves that may be looked at."""
    for half in HALVES:
        for row in read_json_lines(folder / f"{half}.jsonl"):
            if not row.get("history"):
                answers = (*(row.get("answers") or ()), *(row.get("also") or ()))
                real = row["source"].startswith("real")
                yield DevelopmentQuestion(row["id"], row["question"], real, bool(row["answerable"]), answers)


def development_claims(folder: Path) -> Iterator[DevelopmentClaim]:
    """The hand-written claims of the development half with their passages."""
    texts = {row["passage"]: row["text"] for row in read_json_lines(folder / "passages.jsonl")}
    for row in read_json_lines(folder / "dev.jsonl"):
        yield DevelopmentClaim(without_marks(row["claim"]), texts[row["passage"]], row["label"], row["kind"])


def write_corpus(file: Path) -> int:
    """Write the texts of all chunks of this stack (LECTORIUM_STATE) as JSON lines in xz; return their number."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
    django.setup()
    from corpus.models import Chunk

    texts = Chunk.objects.order_by("pk").values_list("text", flat=True)
    return write_objects(file.parent, file.name.removesuffix(".jsonl.xz"), texts)


def copy_code(folder: Path) -> int:
    """Copy the modules of this repository that a run imports, so that no other part of it has to travel."""
    command = [sys.executable, "-c", LISTING]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    own = {ROOT / file for file in loaded if file.startswith(PACKAGES)}
    files = own | {file for file in Path(__file__).parent.iterdir() if file.is_file()}
    for file in files:
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    return len(files)
