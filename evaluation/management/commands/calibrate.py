"""`manage.py calibrate`: fits the embedder's scales and the coverage gate, and stores them with their evidence."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from chat.answering.calibrations import MissingCalibration, calibration_of, calibration_path
from chat.answering.domain.evidence.coverage import Calibration
from corpus.models import EmbeddingSpace
from corpus.multilingual import multilingual_space
from corpus.selectors import (
    SpaceRefused,
    corpus_fingerprint,
    serving_space,
    space_embedder,
    space_named,
)
from evaluation.calibration.fit import BUDGET, FittedGate, fit
from evaluation.calibration.gate_report import CURVE, LABELS, gate_lines
from evaluation.calibration.labelled import (
    UNFITTED,
    RetrievedQuestion,
    measure_signals,
    read_golden,
    read_natural,
    read_off_topic,
    retrieve_pools,
)
from evaluation.calibration.languages import language_bars
from evaluation.calibration.other_corpora import PublicQuestion, on_other_corpora, read_hotpotqa, read_squad2
from evaluation.calibration.passages import passage_points
from evaluation.domain.curve import curve_svg
from evaluation.domain.ranking import trade_off
from evaluation.results import publish, publish_picture
from lectorium.providers.english.embedders import reads_only_english
from lectorium.providers.protocols import Embedder
from lectorium.providers.registry import clip_reader

OFF_TOPIC = 150
OTHERS = 60  # questions of each public corpus
NEVER = replace(UNFITTED, answer_from=1.0)  # a space that only serves questions in other languages answers none


class Command(BaseCommand):
    help = "Fit the coverage gate on labelled questions about the imported lectures (LECTORIUM_DATA)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--space", default="", help="Embedding space to measure and store the result in; default: the serving one."
        )
        parser.add_argument(
            "--budget", type=float, default=BUDGET, help="Share of unanswerable near misses that may be answered, 0..1."
        )

        parser.add_argument(
            "--languages",
            action="store_true",
            help="Fit only from which closeness on questions in other languages get closest passages, over the "
            "imported texts. Needs a multilingual space, and no evaluation data.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["languages"]:
            self._fit_languages(options["space"])
            return
        if not 0 <= options["budget"] < 1:
            raise CommandError("--budget must be at least 0 and less than 1.")
        golden = settings.DATA_DIR / "golden" / "dev.jsonl"
        squad = settings.DATA_DIR / "qa" / "squad2" / "questions_dev.jsonl"
        passages = squad.with_name("passages.jsonl")
        hotpotqa = settings.DATA_DIR / "qa" / "hotpotqa" / "dev.jsonl"
        data = (golden, squad, passages, hotpotqa)
        for path in data:
            if not path.is_file():
                raise CommandError(f"{path} does not exist; point LECTORIUM_DATA at the evaluation data.")
        space = _space(options["space"])
        questions = read_golden(golden) + read_natural() + read_off_topic(squad, OFF_TOPIC)
        others = {"hotpotqa": read_hotpotqa(hotpotqa, OTHERS), "squad2": read_squad2(squad, passages, OTHERS)}
        with tqdm(total=len(questions), unit="question", desc="retrieving") as bar:
            found = retrieve_pools(questions, lambda: bar.update(), space, UNFITTED)
        scales = with_passages(UNFITTED, found, space_embedder(space), others)
        with tqdm(total=len(found), unit="question", desc="reading") as bar:
            measured = measure_signals(found, lambda: bar.update(), space, scales)
        fitted = fit(measured, options["budget"], data)
        calibration = on_scales(fitted.calibration, scales)
        if space and not reads_only_english(space.model):
            calibration = replace(calibration, languages=language_bars(space))
        self.stdout.write(json.dumps(calibration.evidence, indent=1))
        self.stdout.write(f"Stored {_store(calibration, space, own=bool(options['space']))}.")
        if not options["space"] and clip_reader():  # the page is of the gate that most run with
            _report(fitted)

    def _fit_languages(self, name: str) -> None:
        """Fit the bars of other languages and store them with the space, beside the rest of its calibration."""
        space = _space(name) if name else multilingual_space()
        if space is None or reads_only_english(space.model):
            raise CommandError("There is no multilingual space: run manage.py space build e5, then repeat this.")
        bars = language_bars(space)
        try:
            known = calibration_of(space)
        except MissingCalibration:
            known = NEVER
        self.stdout.write(json.dumps(bars))
        self.stdout.write(f"Stored {_store(replace(known, languages=bars), space, own=True)}.")


def _space(name: str) -> EmbeddingSpace | None:
    """The space of this name, or the serving one. Raises CommandError."""
    try:
        return space_named(name) if name else serving_space()
    except SpaceRefused as refusal:
        raise CommandError(str(refusal)) from refusal


def _report(fitted: FittedGate) -> None:
    """Write docs/results/gate.md and its curve."""
    publish("gate", gate_lines(fitted, corpus_fingerprint()))
    answered, hallucinated = fitted.at_the_bar
    picture = curve_svg(trade_off(fitted.near), (answered.value, hallucinated.value), LABELS)
    publish_picture(CURVE, picture)


def _store(calibration: Calibration, space: EmbeddingSpace | None, *, own: bool) -> str:
    """Store a calibration in the space if `own`, else in the file of its model, the default of the model's spaces."""
    stored = asdict(calibration)
    if space:
        EmbeddingSpace.objects.filter(pk=space.pk).update(calibration=stored if own else {})
    if own:
        return f"with {space}"
    path = calibration_path(space_embedder(space).name)
    path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return f"in {path.name}"


def with_passages(
    calibration: Calibration,
    found: Sequence[RetrievedQuestion],
    embedder: Embedder,
    others: Mapping[str, Sequence[PublicQuestion]],
) -> Calibration:
    """Add the scale of the prefloors, with its evidence, including that of `others`."""
    try:
        points, evidence = passage_points(found)
    except ValueError as error:
        raise CommandError(str(error)) from error
    evidence["other corpora"] = on_other_corpora(embedder, others, points)
    return replace(calibration, passage=points, evidence={**calibration.evidence, "passage": evidence})


def on_scales(calibration: Calibration, scales: Calibration) -> Calibration:
    """Copy the scale and its evidence from `scales` into the calibration."""
    both = {**calibration.evidence, **scales.evidence}
    return replace(calibration, passage=scales.passage, evidence=both)
