"""Citation precision and recall by judge, as JSON and as docs/results/citations.md."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share
from evaluation.citations.answers import CitedSentence, JudgedAnswers
from evaluation.citations.judges import Judge
from evaluation.domain.report_parts import limits
from lectorium.report_table import table

GOAL = 0.95  # shared/design/evaluation.md, precision and recall alike
LABELS = "labels"
Figures = dict[str, tuple[Share, Share]]  # by judge: precision, recall


def figures(shown: Sequence[CitedSentence], judges: Sequence[Judge]) -> Figures:
    """Precision and recall by judge; by labels only if every sentence has them."""
    found: Figures = {}
    if shown and all(sentence.right for sentence in shown):
        precision = Share.of(right for sentence in shown for right in sentence.right)
        found[LABELS] = precision, Share.of(any(sentence.right) for sentence in shown)
    cited = [sentence for sentence in shown if sentence.evidence]
    for judge in judges:
        pairs = judge.supports([pair for sentence in cited for pair in sentence.pairs])
        whole = judge.supports([sentence.whole for sentence in cited])
        found[judge.name] = Share.of(pairs), Share(sum(whole), len(shown))
    return found


def as_json(answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge]) -> dict[str, Any]:
    return {
        "judges": {
            judge.name: {"bar": judge.bar, "accepts": judge.accepts.as_dict(), "rejects": judge.rejects.as_dict()}
            for judge in judges
        },
        "answers": {
            name: {
                "written": judged.written,
                "shown": len(judged.sentences),
                **{
                    judge: {"precision": precision.as_dict(), "recall": recall.as_dict()}
                    for judge, (precision, recall) in figures(judged.sentences, judges).items()
                },
            }
            for name, judged in answers.items()
        },
    }


def _limits(answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge]) -> str:
    """The answers and judges with the lowest precision and the lowest recall."""
    found = {
        f"{name}, judged by {judge}": pair
        for name, judged in answers.items()
        if judged.sentences
        for judge, pair in figures(judged.sentences, judges).items()
    }
    if not found:
        return limits("nothing was shown")
    precision = min(found, key=lambda name: found[name][0].value)
    recall = min(found, key=lambda name: found[name][1].value)
    return limits(
        f"precision is lowest of “{precision}”: {found[precision][0]}", f"recall of “{recall}”: {found[recall][1]}"
    )


def section(
    answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge], verifier: str, corpus: str, seed: int
) -> list[str]:
    """Lines of docs/results/citations.md."""
    columns = ("answers", "written", "shown", "judge", "precision", "recall", "both ≥ 0.95")
    return [
        "## Citations, judged independently of the live verifier",
        "",
        f"The live verifier is `{verifier}`; none of these judges is. *labels*: a hand-written paraphrase is supported "
        "by the passage it was written from; only answers made of such paraphrases are judged, and every other passage "
        "counts as wrong, even one that says the same. *words*: share of the sentence's words that occur in the "
        "citation; ignores word order and negation. *meaning*: cosine of the sentence with the closest sentence of the "
        "citation; ignores numbers and negation. The thresholds of the last two were fitted on half of the "
        "paraphrases, each with its own passage and with another of the same source. Their results on the other half:",
        "",
        *table(
            ("judge", "bar", "own passage accepted", "another passage rejected"),
            ((judge.name, f"{judge.bar:.2f}", judge.accepts, judge.rejects) for judge in judges),
        ),
        "In written answers, a judge cannot find a higher precision than the share of right pairs that it accepts. "
        f"Asked: answerable golden questions (`golden/dev.jsonl`, section A) of {corpus}. Without a chat model every "
        "sentence is quoted from its citation, so these rows show that nothing was misquoted, and nothing about "
        "synthesis. Written: paraphrases of held-out passages (`evaluation/escape`) by a writer that cites the right "
        f"note, a wrong one, or none (seed {seed}); of the last two only sentences that the checks repaired are shown.",
        "",
        *table(columns, _rows(answers, judges), right=("written", "shown")),
        _limits(answers, judges),
        "",
        "Shares with 95 % Wilson intervals. Regenerate: `manage.py evaluate citations`.",
    ]


def _rows(answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge]) -> Iterator[tuple[object, ...]]:
    for name, judged in answers.items():
        for judge, (precision, recall) in figures(judged.sentences, judges).items():
            met = "yes" if min(precision.value, recall.value) >= GOAL else "no"
            yield name, judged.written or "–", len(judged.sentences), judge, precision, recall, met
