"""Checks the passage scale on corpora it was not fitted on: public questions with right and wrong passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.domain.embedded import text_to_embed
from evaluation.calibration.labelled import spaced
from evaluation.calibration.passages import Points, auroc, shares_above
from lectorium.management.json_lines import read_objects
from lectorium.providers.protocols import Embedder

WRONG = 9  # wrong passages per question; HotpotQA has at most as many


@dataclass(frozen=True, slots=True)
class PublicQuestion:
    """A question, passages that answer it, and similar ones that do not."""

    question: str
    gold: tuple[str, ...]
    wrong: tuple[str, ...]


def read_hotpotqa(path: Path, number: int) -> list[PublicQuestion]:
    """HotpotQA's questions with their paragraphs, evenly spaced, without its test part."""
    fields = {"question": str, "context": list, "supporting_facts": list, "origin_split": str}
    rows = [row for row in read_objects(path, fields) if row["origin_split"] != "test"]
    found = []
    for row in spaced(rows, number):
        named = {title for title, _ in row["supporting_facts"]}
        texts = [(entry["title"] in named, " ".join(entry["sentences"])) for entry in row["context"]]
        gold, wrong = (tuple(text for is_gold, text in texts if is_gold is wanted) for wanted in (True, False))
        found.append(PublicQuestion(row["question"], gold, wrong))
    return found


def read_squad2(questions: Path, passages: Path, number: int) -> list[PublicQuestion]:
    """SQuAD 2's answerable questions, evenly spaced, with their passage and the first others of its article."""
    articles: dict[str, dict[str, str]] = {}
    for row in read_objects(passages, {"passage_id": str, "title": str, "text": str}):
        articles.setdefault(row["title"], {})[row["passage_id"]] = row["text"]
    fields = {"question": str, "title": str, "passage_id": str, "is_impossible": object}
    rows = [row for row in read_objects(questions, fields) if not row["is_impossible"]]
    found = []
    for row in spaced(rows, number):
        others = dict(articles[row["title"]])
        own = others.pop(row["passage_id"])
        found.append(PublicQuestion(row["question"], (own,), tuple(others.values())[:WRONG]))
    return found


def on_other_corpora(
    model: Embedder, sets: Mapping[str, Sequence[PublicQuestion]], points: Points
) -> dict[str, dict[str, object]]:
    """By set: the AUROC of cosines, gold against wrong, and the shares of both above each point.

    points: the map from cosine to the reference scale, fitted on other questions.
    """
    return {name: _measured(model, questions, points) for name, questions in sets.items()}


def _measured(model: Embedder, questions: Sequence[PublicQuestion], points: Points) -> dict[str, object]:
    vectors = model.embed_questions([question.question for question in questions])
    gold = [(row, text) for row, question in enumerate(questions) for text in question.gold]
    wrong = [(row, text) for row, question in enumerate(questions) for text in question.wrong]
    rows, texts = zip(*gold, *wrong, strict=True)
    cosines = (model.embed_passages([text_to_embed(text) for text in texts]) * vectors[list(rows)]).sum(axis=1)
    by_kind = {"gold": cosines[: len(gold)], "wrong": cosines[len(gold) :]}
    evidence: dict[str, object] = {
        "questions": len(questions),
        "gold": len(gold),
        "wrong": len(wrong),
        "auroc": auroc(by_kind["gold"], by_kind["wrong"]),
    }
    return evidence | {f"at {reference:.2f}": shares_above(by_kind, bar) for bar, reference in points[1:-1]}
