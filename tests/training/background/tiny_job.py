"""A job on a tiny base with two claims and two questions. As a program, it trains until it is stopped."""

import sys
from dataclasses import replace
from pathlib import Path

from tests.providers.mpnet.tiny import fast_tokenizer, tiny_network
from training.background.bases import MPNET, TrainableBase
from training.background.config import EvaluationSize, JobConfig, JobFolder, load_job
from training.background.evaluation import ANSWERABILITY_SOURCE
from training.rows import GroundingRow, PassageRow, ReadingRow, write_rows

CLAIM = GroundingRow("claims", "train", "It rained.", "It rained. Nobody came.", "supported", evidence_spans=[(0, 10)])
FALSE = GroundingRow("claims", "train", "It snowed.", "It rained. Nobody came.", "contradicted")
RAIN = PassageRow("It rained on Sunday.", True, True, (13, 19))
CATS = PassageRow("Cats sleep.", False, False)
RIVALS = ReadingRow("questions", "train", "When did it rain?", [RAIN, CATS])
LONE = ReadingRow("questions", "train", "When did cats sleep?", [PassageRow("Nobody came.", None, False)])


def tiny_config(**changes: object) -> JobConfig:
    return replace(
        load_job(),
        step_tokens=64,
        widths=(16, 32),
        warmup_steps=2,
        rate_share=1.0,
        grounding={"claims": 1.0},
        reading={"questions": 1.0},
        evaluation=EvaluationSize(claims=4, questions=4, rivals=4),
        **changes,
    )


def tiny_folder(path: Path) -> JobFolder:
    """The folder of a job with its rows."""
    folder = JobFolder(path / "mpnet", path / "data")
    for name, rows in {"claims": [CLAIM, FALSE], "questions": [RIVALS, LONE]}.items():
        held_back = [replace(row, split="calibrate", source=ANSWERABILITY_SOURCE) for row in rows]
        write_rows(folder.data / f"{name}.jsonl", [*rows, *held_back])
    return folder


def tiny_base() -> TrainableBase:
    return replace(MPNET, load=lambda: (tiny_network(), fast_tokenizer()))


if __name__ == "__main__":
    from training.background.job import run_job

    sys.exit(
        run_job(tiny_config(checkpoint_seconds=0.2, evaluate_pairs=10**9), tiny_folder(Path(sys.argv[1])), tiny_base())
    )
