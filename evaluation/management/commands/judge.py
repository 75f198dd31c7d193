"""`manage.py judge SIDE_A SIDE_B`: compares two ways to answer over a question set, blind, and stores the run."""

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from audit.domain.judging import JudgeRules, fault_of, quality_of, results_of
from audit.models import JudgeRun
from corpus.selectors import corpus_fingerprint
from evaluation.domain.ranking import BootstrapMean
from evaluation.inputs import held_out
from evaluation.judging.hostile_drafts import SIDES, hostile_pairs
from evaluation.judging.model_judge import ModelJudge, SameModel
from evaluation.judging.relevancy import ANCHOR, relevancy_by_model, relevancy_by_sentences
from evaluation.judging.rubric import RubricJudge
from evaluation.judging.run import AnswerJudge, Comparison, JudgedQuestion, compare_sides, pair_as_dict
from evaluation.judging.sides import AnswerSide, BadSide, SideAnswer, answers_of, side_of
from evaluation.natural import HALVES, LATER, history_of, read_half
from evaluation.stored_run import revision
from lectorium.asking import NotReplayable
from lectorium.ladder.verifiers import named_verifier
from lectorium.providers.errors import ModelMissing
from lectorium.providers.registry import embedder, is_chat_name
from lectorium.threads import in_thread

Sides = tuple[AnswerSide, AnswerSide]
BY_MODEL = f"Mean cosine of the question with the questions that the judge reads from the answer (anchor {ANCHOR})."
BY_SENTENCE = "Cosine of the question with the closest sentence of the answer; without a model, so without an anchor."


class Command(BaseCommand):
    help = "Compare two ways to answer, blind, and store the run for /audit/judge/."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("sides", nargs="*", metavar="SIDE", help="MODE[+row=ID][+verifier=NAME][+draft], twice.")
        parser.add_argument("--hostile", action="store_true", help="Hostile drafts, checked against as written.")
        parser.add_argument("--judge", default="", metavar="PROVIDER:MODEL", help="A chat model; default: the rubric.")
        parser.add_argument("--verifier", default="", metavar="NAME", help="Of the rubric; default: the one in use.")
        parser.add_argument("--half", choices=[*HALVES, *LATER], default="dev", help="Which natural questions.")
        parser.add_argument("--source", default="", help="Only questions whose source begins so, e.g. sample.")
        parser.add_argument("--limit", type=int, default=50)
        parser.add_argument("--seed", type=int, default=1, help="Of the hostile drafts.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["limit"] < 1 or options["hostile"] == bool(options["sides"]):
            raise CommandError("Give two sides or --hostile, and a --limit of at least 1.")
        try:
            judge = ModelJudge(options["judge"]) if options["judge"] else _rubric(options["verifier"])
            done, sides, question_set = asyncio.run(_compare(judge, options))
        except (BadSide, SameModel, ModelMissing, NotReplayable, LookupError) as error:
            raise CommandError(str(error)) from error
        self._say(done, _store(done, sides, judge, question_set))

    def _say(self, done: Comparison, run: JudgeRun) -> None:
        quality = quality_of(done.verdicts)
        for result in results_of(done.verdicts):
            self.stdout.write(
                f"{result.criterion:13} A {result.a:3}  B {result.b:3}  ties {result.ties:3}  "
                f"A wins {result.a_wins}  sign test {result.chance:.4f}"
            )
        self.stdout.write(f"kept the place when swapped {quality.by_place}; other verdict repeated {quality.noise}")
        for name, side in run.relevancy["sides"].items():
            self.stdout.write(f"relevancy of {name}: {side['mean']:.3f} [{side['low']:.3f}, {side['high']:.3f}]")
        for fault in filter(None, (done.stopped, fault_of(quality, JudgeRules()))):
            self.stderr.write(self.style.WARNING(fault))


async def _compare(judge: AnswerJudge, options: dict[str, Any]) -> tuple[Comparison, Sides, str]:
    """The comparison, its sides, and the question set in words."""
    if options["hostile"]:
        sides: Sides = SIDES
        questions, answers = await hostile_pairs(held_out(), options["limit"], options["seed"])
        question_set = f"escape test, {len(questions)} drafts, seed {options['seed']}"
    else:
        sides, answers = _two_sides(options["sides"]), answers_of
        questions = _questions(options)
        question_set = f"natural {options['half']}, {len(questions)} questions"
    with tqdm(total=len(questions), unit="question") as bar:
        measure = _relevancy(judge.model)
        done = await compare_sides(questions, sides, judge, relevancy=measure, on_each=bar.update, answers=answers)
    return done, sides, question_set


def _two_sides(names: list[str]) -> Sides:
    if len(names) != 2:
        raise BadSide("name two sides, such as: auto thinking")
    return side_of(names[0]), side_of(names[1])


def _questions(options: dict[str, Any]) -> list[JudgedQuestion]:
    rows = [row for row in read_half(options["half"]) if row["source"].startswith(options["source"])]
    rows = [row for row in rows if row["answerable"]][: options["limit"]]
    return [
        JudgedQuestion(str(row["id"]), row["question"], tuple(row.get("answers") or ()), history_of(row))
        for row in rows
    ]


def _rubric(verifier: str) -> RubricJudge:
    if is_chat_name(verifier):
        raise CommandError("--verifier names a local verifier; a chat model judges with --judge.")
    return RubricJudge(named_verifier(verifier).verifier)


def _relevancy(model: str) -> Any:
    async def measure(question: str, answer: SideAnswer) -> float | None:
        if not answer.sentences:
            return 0.0
        if model:
            return await relevancy_by_model(model, question, answer.text, embedder())
        texts = [text for text, _ in answer.sentences]
        return await in_thread(relevancy_by_sentences, question, texts, embedder())

    return measure


def _store(done: Comparison, sides: Sides, judge: Any, question_set: str) -> JudgeRun:
    quality, relevancy = quality_of(done.verdicts), {}
    for place, side in enumerate(("A", "B")):
        values = [pair.relevancy[place] for pair in done.pairs if pair.answers[place].sentences]
        mean = BootstrapMean.of([value for value in values if value is not None])
        relevancy[side] = {"mean": mean.value, "low": mean.low, "high": mean.high, "answers": mean.total}
    return JudgeRun.objects.create(
        side_a=sides[0].name,
        side_b=sides[1].name,
        judge=judge.name,
        question_set=question_set,
        revision=revision(),
        corpus=corpus_fingerprint(),
        criteria={row.criterion: {"a": row.a, "b": row.b, "ties": row.ties} for row in results_of(done.verdicts)},
        quality={name: [part.hits, part.total] for name, part in quality.as_shares().items()},
        relevancy={"how": BY_MODEL if judge.model else BY_SENTENCE, "sides": relevancy},
        pairs=[pair_as_dict(pair) for pair in done.pairs],
        stopped=done.stopped,
    )
