"""The public question sets: their passages as files for the importer, and their questions with gold addresses."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluation.golden_run import read_rows
from evaluation.retrieval.meetings import converted

Row = dict[str, Any]
# Hand-written questions about HotpotQA's paragraphs, each with its false premise.
FALSE_PREMISES = Path(__file__).parent / "false_premises.jsonl"
# Articles of SQuAD 2 from which no training row comes (training/build/reading.py; a test holds the two equal).
SQUAD2_UNSEEN = frozenset(
    {"Warsaw", "Huguenot", "Oxygen", "Private_school", "Black_Death", "Scottish_Parliament", "Normans", "Force"}
)


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question. gold: for each gold passage, addresses of which any one finds it; () if it has no answer.

    kind: for the report, why it has no answer.
    """

    text: str
    gold: tuple[frozenset[str], ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A question set. write(data, folder): write its passages for the importer. questions(data): its questions.

    hops: passages that an answer needs. cuts: the k of recall@k.
    """

    key: str
    title: str
    about: str
    hops: int
    cuts: tuple[int, ...]
    write: Callable[[Path, Path], object]
    questions: Callable[[Path], list[SetQuestion]]

    @property
    def collection(self) -> str:
        """Key of the collection that holds its passages."""
        return f"evaluation-{self.key}"


def _write_hotpotqa(data: Path, folder: Path) -> None:
    _write_texts(folder, _encyclopedia(data))


def _write_hotpotqa_test(data: Path, folder: Path) -> None:
    """Only the paragraphs given with the test part's questions, which the false premises are about too."""
    titles = {entry["title"] for row in _hotpotqa_test(data) for entry in row["context"]}
    _write_texts(folder, (text for text in _encyclopedia(data) if text["title"] in titles))


def _hotpotqa_test(data: Path) -> list[Row]:
    return [row for row in read_rows(data / "qa" / "hotpotqa" / "dev.jsonl") if row["origin_split"] == "test"]


def _encyclopedia(data: Path) -> Iterator[Row]:
    """HotpotQA's paragraphs without duplicates, and 2Wiki's passages: {"id", "title", "text"}."""
    seen: dict[str, int] = {}
    for row in read_rows(data / "qa" / "hotpotqa" / "dev.jsonl"):
        for entry in row["context"]:
            if entry["title"] not in seen:
                seen[entry["title"]] = len(seen)
                text = "".join(entry["sentences"]).strip()
                yield {"id": f"hotpot-{seen[entry['title']]}", "title": entry["title"], "text": text}
    yield from read_rows(data / "qa" / "2wiki_passages" / "corpus.jsonl")


def _ask_hotpotqa(data: Path) -> list[SetQuestion]:
    """Two-hop questions; and as unanswerable ones SQuAD 2's impossible questions and those with a false premise."""
    named = defaultdict(set)
    for entry in _encyclopedia(data):
        named[entry["title"]].add(entry["id"])
    asked = [
        SetQuestion(
            row["question"], tuple(frozenset(named[t]) for t in dict.fromkeys(t for t, _ in row["supporting_facts"]))
        )
        for row in _hotpotqa_test(data)
    ]
    elsewhere = [replace(question, kind="of another corpus") for question in _ask_squad2(data) if not question.gold]
    false = [SetQuestion(row["question"], kind="of a false premise") for row in read_rows(FALSE_PREMISES)]
    return asked + elsewhere + false


def _write_squad2(data: Path, folder: Path) -> None:
    passages = read_rows(data / "qa" / "squad2" / "passages.jsonl")
    _write_texts(
        folder, ({"id": p["passage_id"], "title": p["title"].replace("_", " "), "text": p["text"]} for p in passages)
    )


def _ask_squad2(data: Path) -> list[SetQuestion]:
    return [
        SetQuestion(row["question"], () if row["is_impossible"] else (frozenset({row["passage_id"]}),))
        for row in read_rows(data / "qa" / "squad2" / "questions_dev.jsonl")
        if row["title"] in SQUAD2_UNSEEN
    ]


def _write_qmsum(data: Path, folder: Path) -> None:
    converted([data / "qa" / "qmsum" / "val.jsonl"], folder)


def _ask_qmsum(data: Path) -> list[SetQuestion]:
    """Questions whose gold is any turn of their spans."""
    return [
        SetQuestion(
            row["question"],
            (
                frozenset(
                    f"{row['meeting_id']}:{n}" for first, last in row["turn_spans"] for n in range(first, last + 1)
                ),
            ),
        )
        for row in read_rows(data / "qa" / "qmsum" / "questions.jsonl")
        if row["split"] == "val" and row["turn_spans"]
    ]


def _write_texts(folder: Path, passages: Iterable[Row]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as out:
        for passage in passages:
            out.write(json.dumps({"_id": passage["id"], "title": passage["title"], "text": passage["text"]}) + "\n")


SETS = {
    question_set.key: question_set
    for question_set in (
        QuestionSet(
            "hotpotqa",
            "HotpotQA and 2Wiki",
            "Two-hop questions of HotpotQA's test part over its paragraphs and 2Wiki's passages as one corpus (5,635 "
            "and 6,119 titles; the data has no more); each needs two passages. Unanswerable: SQuAD 2's impossible "
            "questions, and questions about these paragraphs with a false premise.",
            2,
            (20,),
            _write_hotpotqa,
            _ask_hotpotqa,
        ),
        QuestionSet(
            "hotpotqa_test",
            "HotpotQA, paragraphs of its test part",
            "The same questions over the ten paragraphs given with each of the test part's questions, a fifth of the "
            "corpus above.",
            2,
            (20,),
            _write_hotpotqa_test,
            _ask_hotpotqa,
        ),
        QuestionSet(
            "squad2",
            "SQuAD 2",
            "Questions about the eight articles that training held back, over the passages of all articles. "
            "Unanswerable: its impossible questions, each searched together with the passage it nearly fits.",
            1,
            (1, 5, 20),
            _write_squad2,
            _ask_squad2,
        ),
        QuestionSet(
            "qmsum",
            "QMSum",
            "Questions about QMSum's validation meetings, none of which names its meeting, over the transcripts of "
            "those meetings. Gold: any turn of the spans marked by annotators.",
            1,
            (5, 10),
            _write_qmsum,
            _ask_qmsum,
        ),
    )
}
