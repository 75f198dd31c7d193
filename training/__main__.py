"""`python -m training build|train|export|calibrate|evaluate|report`: the steps from public data to shipped weights.

`python -m training background|status|accept` start, watch and export the job that trains a bigger reader for days.
`python -m training questions` trains the adapter with which the embedder reads questions,
`python -m training rewordings` the one that tells whether two questions ask the same. `python -m training card` counts
the hand-written rows.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from lectorium.providers.cross_encoder_weights import SHIPPED
from training.background.commands import COMMANDS, run_command
from training.config import load_config

STEPS = ("build", "train", "export", "calibrate", "evaluate", "report", "questions", "rewordings", "card")
RESULTS = Path("training/results.json")
BIG = Path("training/results_big.json")  # of the big reader's adapter
REPORT = Path("docs/results/cross_encoder.md")


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        raise SystemExit(run_command(sys.argv[1:]))
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument(
        "step",
        choices=["build", "train", "export", "calibrate", "evaluate", "report", "questions", "rewordings", "card"],
    )
    parser.add_argument("--config", type=Path, default=Path("training/config.toml"))
    parser.add_argument("--source", action="append", help="build only these sources")
    parser.add_argument("--weights", type=Path, default=SHIPPED, help="the weights folder to write or measure")
    parser.add_argument("--share", type=float, default=1.0, help="export: weight of the run, the rest the folder's")
    parser.add_argument("--rows", type=int, default=400, help="most rows of a test set")
    parser.add_argument("--part", action="append", help="evaluate only these parts, keep the other figures")
    run(parser.parse_args())


def run(arguments: argparse.Namespace) -> None:
    """Run a step. Imports are local, since importing torch takes seconds."""
    config = load_config(arguments.config)
    data = Path(os.environ.get("LECTORIUM_DATA", "../shared/data"))
    if arguments.step == "build":
        from training.build import build

        build(data, config, arguments.source)
    elif arguments.step == "train":
        from training.together import train_together

        train_together(config)
    elif arguments.step == "card":
        from training.written_card import write_card

        sys.stdout.write(f"Wrote {write_card()}.\n")
    elif arguments.step == "questions":
        from training.questions import train_questions

        sys.stdout.write(train_questions(data, config.seed) + "\n")
    elif arguments.step == "rewordings":
        from training.rewordings import train_rewordings

        sys.stdout.write(train_rewordings() + "\n")
    elif arguments.step == "export":
        from training.export import export

        sys.stdout.write(export(config, arguments.weights, share=arguments.share) + "\n")
    elif arguments.step == "calibrate":
        from training.calibrate import calibrate

        sys.stdout.write(f"{calibrate(config, arguments.weights)}\n")
    elif arguments.step == "evaluate":
        from lectorium.providers.mpnet.adapter import is_adapter
        from training.evaluation.measure import evaluate

        to = BIG if is_adapter(arguments.weights) else RESULTS
        known = _read(to) if arguments.part else {}
        found = evaluate(data, arguments.weights, rows=arguments.rows, only=arguments.part)
        to.write_text(json.dumps(known | found, indent=1) + "\n", encoding="utf-8")
    else:
        from training.report import model_card, report

        found = _read(RESULTS)
        REPORT.parent.mkdir(parents=True, exist_ok=True)
        REPORT.write_text(report(found, _read(BIG)), encoding="utf-8")
        (arguments.weights / "MODEL_CARD.md").write_text(model_card(found, arguments.weights), encoding="utf-8")


def _read(results: Path) -> dict[str, Any]:
    """The figures measured so far."""
    return json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}


if __name__ == "__main__":
    main()
