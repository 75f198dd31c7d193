"""Citation precision and recall of answers, by each judge: as JSON and as docs/results/citations.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from audit.domain.metrics import Share
from evaluation.citations.answers import CitedSentence, JudgedAnswers
from evaluation.citations.judges import Judge
from evaluation.domain.limits import limits

GOAL = 0.95  # shared/design/evaluation.md, precision and recall alike
LABELS = "labels"
Figures = dict[str, tuple[Share, Share]]  # by judge: precision, recall


def figures(told: Sequence[CitedSentence], judges: Sequence[Judge]) -> Figures:
    """Return precision and recall by judge; by labels only where every sentence has them."""
    found: Figures = {}
    if told and all(sentence.right for sentence in told):
        precise = Share.of(right for sentence in told for right in sentence.right)
        found[LABELS] = precise, Share.of(any(sentence.right) for sentence in told)
    cited = [sentence for sentence in told if sentence.evidence]
    for judge in judges:
        pairs = judge.supports([pair for sentence in cited for pair in sentence.pairs])
        whole = judge.supports([sentence.whole for sentence in cited])
        found[judge.name] = Share.of(pairs), Share(sum(whole), len(told))
    return found


def as_json(answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge]) -> dict[str, Any]:
    """Return every figure as hits, total, rate and interval."""
    return {
        "judges": {
            judge.name: {"bar": judge.bar, "accepts": judge.accepts.as_dict(), "rejects": judge.rejects.as_dict()}
            for judge in judges
        },
        "answers": {
            name: {
                "written": one.written,
                "shown": len(one.told),
                **{
                    judge: {"precision": precise.as_dict(), "recall": recall.as_dict()}
                    for judge, (precise, recall) in figures(one.told, judges).items()
                },
            }
            for name, one in answers.items()
        },
    }


def _limits(answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge]) -> str:
    """Return where precision and recall are lowest, by whichever judge."""
    found = {
        f"{name}, judged by {judge}": pair
        for name, one in answers.items()
        if one.told
        for judge, pair in figures(one.told, judges).items()
    }
    if not found:
        return limits("nothing was shown")
    precise = min(found, key=lambda name: found[name][0].value)
    recalled = min(found, key=lambda name: found[name][1].value)
    return limits(
        f"precision is lowest of “{precise}”: {found[precise][0]}", f"recall of “{recalled}”: {found[recalled][1]}"
    )


def section(
    answers: Mapping[str, JudgedAnswers], judges: Sequence[Judge], verifier: str, corpus: str, seed: int
) -> str:
    """Return the page docs/results/citations.md."""
    lines = [
        "## Citations, judged by others than the live verifier",
        "",
        f"The live verifier is `{verifier}`; none of these is. *labels*: a paraphrase written by hand from one known "
        "passage is supported by that passage; it judges only answers made of such paraphrases, and calls wrong every "
        "other passage, though it may say the same. *words*: share of the sentence's words that stand in what is "
        "cited; blind to word order and to a “not”. *meaning*: cosine of the sentence with the closest one of what is "
        "cited; blind to numbers and negations. The bars of the last two were fitted on half of the paraphrases, each "
        "beside its own passage and beside another of the same source; how they do on the other half:",
        "",
        "| judge | bar | own passage accepted | another passage rejected |",
        "|---|---|---|---|",
        *(f"| {judge.name} | {judge.bar:.2f} | {judge.accepts} | {judge.rejects} |" for judge in judges),
        "",
        "A judge that accepts only so many right pairs cannot find a higher precision than that in written answers. "
        f"Asked: answerable golden questions (`golden/dev.jsonl`, section A) of {corpus}; without a chat model every "
        "sentence is quoted from what it cites, so these say that nothing was misquoted, and nothing of synthesis. "
        "Written: paraphrases of held-out passages (`evaluation/escape`), by a writer that cites the right note, a "
        f"wrong one, or none (seed {seed}); of the last two only what the checks could repair is shown.",
        "",
        "| answers | written | shown | judge | precision | recall | both ≥ 0.95 |",
        "|---|---:|---:|---|---|---|---|",
    ]
    for name, one in answers.items():
        for judge, (precise, recall) in figures(one.told, judges).items():
            met = "yes" if min(precise.value, recall.value) >= GOAL else "no"
            lines.append(
                f"| {name} | {one.written or '–'} | {len(one.told)} | {judge} | {precise} | {recall} | {met} |"
            )
    lines += ["", _limits(answers, judges)]
    return "\n".join([*lines, "", "Shares with 95 % Wilson intervals. Read by: `manage.py evaluate citations`.", ""])
