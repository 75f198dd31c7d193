"""The suites of `manage.py evaluate`: each measures, and returns its figures with the way to write its page."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from tqdm import tqdm

from audit.domain.run_comparison import AskedQuestion
from corpus.selectors import corpus_fingerprint
from evaluation.citations import report as citing
from evaluation.citations import run as cited
from evaluation.conversation import conversation_section, run_conversation
from evaluation.domain.curve import curve_svg
from evaluation.domain.report_parts import Goal
from evaluation.escape import counterfactual, report, run, second_asking, two_passages
from evaluation.escape.handwritten import report as handwritten
from evaluation.escape.handwritten import verifier_report
from evaluation.escape.handwritten.checking import CheckedHandwritten, check_claims, verdict_counts
from evaluation.escape.handwritten.claims import HALVES, UNSEEN, HandwrittenSet, read_half
from evaluation.escape.handwritten.measured_halves import MeasuredHalf, measure_half
from evaluation.golden import shares as golden_shares
from evaluation.golden_run import QUESTION, goals, golden_report, run_golden
from evaluation.inputs import golden_rows, held_out
from evaluation.labelled_claims import CLAIM, LABELS, claims_report, run_claims
from evaluation.natural import (
    LATER,
    REPORT_ONLY,
    NaturalResult,
    run_natural,
    useful_against_wrong,
)
from evaluation.natural import read_half as read_questions
from evaluation.natural import shares as natural_shares
from evaluation.natural.report import CURVE_LABELS, NATURAL_HEAD, natural_part
from evaluation.results import publish, publish_part, publish_picture
from evaluation.stored_run import SuiteFigures
from lectorium.ladder.verifiers import named_verifier
from lectorium.providers.errors import ProviderError
from lectorium.providers.protocols import Verifier
from lectorium.providers.registry import embedder, verifier

Options = Mapping[str, Any]
TO_READ = ("dev",)  # halves whose questions may be read; the others are stored without their words


def golden(options: Options) -> SuiteFigures:
    rows = golden_rows("dev.jsonl", QUESTION)
    with tqdm(total=len(rows), unit="question") as bar:
        found = asyncio.run(run_golden(rows, options["mode"], lambda: bar.update()))
    scored = list(zip(rows, found.scored, strict=True))
    return SuiteFigures(
        {"golden": [{"id": row["id"], **asdict(answer)} for row, answer in scored]},
        lambda: publish("golden", golden_report(found, options["mode"])),
        page="golden",
        shares={**golden_shares(found.scored), **_goal_shares(goals(found.scored))},
        questions=tuple(
            AskedQuestion(
                str(row["id"]),
                "answered" if answer.answered else "closest passage" if answer.closest else "refused",
                answer.answered and answer.cites_gold if answer.answerable else answer.right_refusal,
                row["question"],
            )
            for row, answer in scored
        ),
    )


def natural(options: Options) -> SuiteFigures:
    """The sets that --half names, of the lectures that --of names; "all" is every set, "report" those none tuned on."""
    named = {"both": HALVES, "all": (*HALVES, *LATER), "report": REPORT_ONLY}
    halves, lectures, mode = named.get(options["half"], (options["half"],)), options["lectures"], options["mode"]
    found, asked = {}, []
    for half in halves:
        if not (rows := read_questions(half, lectures)):
            continue
        with tqdm(total=len(rows), unit="question", desc=half) as bar:
            found[half] = asyncio.run(run_natural(rows, mode, bar.update))
        for row, answer in zip(rows, found[half], strict=True):
            good = answer.contains if answer.answerable else not answer.answered
            words = row["question"] if half in TO_READ else ""
            asked.append(AskedQuestion(f"{half} {answer.id}", answer.outcome, good, words))
    if not found:
        raise CommandError(f"No question of {', '.join(halves)} is about {lectures} lectures: leave out --of.")
    return SuiteFigures(
        {half: list(map(asdict, answers)) for half, answers in found.items()},
        lambda: _publish_natural(found, lectures, mode),
        page="natural",
        shares={half: natural_shares(answers) for half, answers in found.items()},
        questions=tuple(asked),
    )


def _publish_natural(found: Mapping[str, Sequence[NaturalResult]], lectures: str, mode: str) -> None:
    curve = f"natural_{'_'.join(found)}_{lectures}_{mode}"
    points = [(wrong, useful) for _, wrong, useful in useful_against_wrong([*chain(*found.values())])]
    publish_picture(curve, curve_svg(points, points[-1], CURVE_LABELS))
    lines = natural_part(found, mode, corpus_fingerprint(), curve)
    publish_part("natural", NATURAL_HEAD, f"{mode.capitalize()} mode, {lectures}: {', '.join(found)}", lines)


def conversation(options: Options) -> SuiteFigures:
    found = run_conversation(settings.DATA_DIR)
    return SuiteFigures(
        {"conversation": list(map(asdict, found))},
        lambda: publish("conversation", [conversation_section(found, corpus_fingerprint())]),
        page="conversation",
        shares={f"{figure.what}, {figure.of}": figure.share for figure in found},
    )


def claims(options: Options) -> SuiteFigures:
    rows = golden_rows("claims_dev.jsonl", CLAIM)
    with tqdm(total=len(rows), unit="claim") as bar:
        checked = asyncio.run(run_claims(rows, lambda: bar.update()))
    return SuiteFigures(
        {"claims": verdict_counts(checked, LABELS)},
        lambda: publish("claims", claims_report(checked, verifier().name)),
        page="claims",
        shares=handwritten.as_json({"dev": checked}),
        questions=_claims_asked({"dev": checked}),
    )


def two_passages_suite(options: Options) -> SuiteFigures:
    with tqdm(total=len(two_passages.read_claims()), unit="claim") as bar:
        found = two_passages.measure(lambda: bar.update())
    return SuiteFigures(
        {"two_passages": [asdict(claim) for claim in found]},
        lambda: publish("two_passages", two_passages.two_passages_page(found, verifier().name)),
        page="two_passages",
        shares=two_passages.shares_of(found),
    )


def escape(options: Options) -> SuiteFigures:
    if options["planted"] < 1:
        raise CommandError("--planted must be at least 1.")
    unseen, halves = held_out(), _halves(options)
    checked = {half.name: _checked(half) for half in halves}
    began = time.perf_counter()
    with tqdm(total=options["planted"], unit="falsehood") as bar:
        found = asyncio.run(run.run(unseen, options["planted"], options["seed"], bar.update))
    seconds, judge = time.perf_counter() - began, verifier()

    def write() -> None:
        by_hand = handwritten.section(checked, judge.name, passed_bar=judge.passed_bar)
        generated = report.section(found, judge.name, options["seed"], seconds)
        publish("escape", ["## Escape test", "", *by_hand, *generated])

    return SuiteFigures(
        {"escape": {"handwritten": handwritten.as_json(checked), **report.as_json(found)}},
        write,
        page="escape",
        shares=report.headlines(found),
        questions=_claims_asked(checked),
    )


def verifier_suite(options: Options) -> SuiteFigures:
    halves = _halves(options)
    try:
        named = named_verifier(options["judge"])
        measured = {half.name: _measured(half, named.verifier) for half in halves}
        stored = named.store(measured[UNSEEN].bar) if UNSEEN in measured else ""
    except ProviderError as error:
        raise CommandError(str(error)) from error
    name = named.verifier.name
    return SuiteFigures(
        {"verifier": verifier_report.as_json(measured, name, stored)},
        lambda: publish_part("verifier", verifier_report.HEAD, name, verifier_report.part(measured, stored)),
        page="verifier",
        questions=_claims_asked({half: found.checked for half, found in measured.items()}),
    )


def counterfactual_suite(options: Options) -> SuiteFigures:
    with tqdm(total=counterfactual.CLAIMS, unit="claim") as bar:
        run = counterfactual.run_counterfactual(held_out(), options["seed"], lambda: bar.update())
        fates = asyncio.run(run)
    rows = [row for row in golden_rows("dev.jsonl", QUESTION) if row["section"] == "A"][: options["limit"]]
    with tqdm(total=len(rows), unit="question") as bar:
        again = asyncio.run(second_asking.ask_again(rows, lambda: bar.update()))
    lines = [*counterfactual.counterfactual_section(fates), *second_asking.again_section(again)]
    return SuiteFigures(
        {"counterfactual": {**fates, "asked again": again}},
        lambda: publish("counterfactual", lines),
        page="counterfactual",
        shares={**counterfactual.fate_shares(fates), **second_asking.return_shares(again)},
    )


def citations(options: Options) -> SuiteFigures:
    rows = [row for row in golden_rows("dev.jsonl", QUESTION) if row["section"] == "A"]
    with tqdm(unit="answer") as bar:
        run = cited.run(rows, held_out(), options["limit"], options["seed"], lambda: bar.update())
        found, judges = asyncio.run(run)
    lines = citing.section(found, judges, verifier().name, corpus_fingerprint(), options["seed"])
    return SuiteFigures(
        {"citations": citing.as_json(found, judges)}, lambda: publish("citations", lines), page="citations"
    )


def _goal_shares(found: Iterable[Goal]) -> dict[str, Any]:
    return {goal.name: goal.measured for goal in found}


def _claims_asked(checked: Mapping[str, Iterable[CheckedHandwritten]]) -> tuple[AskedQuestion, ...]:
    """Each claim by a hash of its passage and words; its words only where they may be read while tuning."""
    return tuple(
        AskedQuestion(
            f"{half} {hashlib.sha256(f'{found.claim.passage} {found.claim.text}'.encode()).hexdigest()[:10]}",
            found.outcome,
            found.is_shown is not found.claim.is_false,
            found.claim.text if half in TO_READ else "",
        )
        for half, own in checked.items()
        for found in own
    )


def _halves(options: Options) -> list[HandwrittenSet]:
    return [read_half(name) for name in HALVES if options["half"] in (name, "both", "all")]


def _checked(half: HandwrittenSet) -> list[CheckedHandwritten]:
    with tqdm(desc=f"{half.name} half", total=len(half.claims), unit="claim") as bar:
        return asyncio.run(check_claims(half.claims, None, lambda: bar.update()))


def _measured(half: HandwrittenSet, judge: Verifier) -> MeasuredHalf:
    with tqdm(desc=f"{half.name} half", total=len(half.claims), unit="claim") as bar:
        return measure_half(half, judge, embedder(), lambda: bar.update())


Suite = Callable[[Options], SuiteFigures]
