"""Test sets. No builder trains on their rows. Large sets are sampled with a fixed seed."""

import random
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.build.claims import fool_me_twice, monotonicity, negation
from training.build.reading import qmsum_stretches
from training.build.sources import lecture_texts
from training.rows import GroundingRow, read_json_lines
from training.text import sentences

UNSEEN = "unseen"
_LECTURES = "unseen claims; the lectures themselves were perturbed for training, the claims were not"
_REPLIES = "unseen rows; the same dialogue corpora were trained on through FaithDial"
_HOTPOT = "unseen rows; other HotpotQA questions were trained on as claims"
_MEETINGS = "unseen rows; claims were written for training over other QMSum meetings"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim, its evidence, whether the evidence supports it, and the kind of error if known."""

    evidence: str
    claim: str
    supported: bool
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """A test set of claims.

    seen: UNSEEN if no claim of its corpus was trained on, else a description; it starts with UNSEEN if the rows
    themselves were not trained on.
    """

    name: str
    seen: str
    rows: list[ClaimRow]


def claim_sets(data: Path, *, rows: int) -> list[ClaimSet]:
    """Every claim test set, sampled to at most `rows` rows, or a third of that for each domain of SummEdits."""
    sets: list[tuple[str, str, Callable[[Path], Iterator[ClaimRow]]]] = [
        ("lecture claims (golden dev)", _LECTURES, _golden),
        ("WiCE dev", "held back; 374 train claims of the set were used", _wice),
        ("FoolMeTwice, held-back pages", "held back; the other pages were used", lambda d: _kept(fool_me_twice, d)),
        ("HaluEval QA", _HOTPOT, _halueval),
        ("BEGIN Wizard of Wikipedia", _REPLIES, lambda d: _begin(d, "wow")),
        ("BEGIN Topical Chat", _REPLIES, lambda d: _begin(d, "topicalchat")),
        ("BEGIN CMU DoG", _REPLIES, lambda d: _begin(d, "cmudog")),
        ("negation NLI, held-back premises", "held back; the other premises were used", lambda d: _kept(negation, d)),
        (
            "MED monotonicity, held-back premises",
            "held back; the other premises were used",
            lambda d: _kept(monotonicity, d),
        ),
        *((f"SummEdits {domain}", SUMMEDITS[domain], _summedits(domain)) for domain in SUMMEDITS),
    ]
    return [
        ClaimSet(name, seen, _sample(list(read(data)), rows // 3 if "SummEdits" in name else rows))
        for name, seen, read in sets
    ]


_DOMAINS = ("news", "podcast", "qmsumm", "sales_call", "sales_email", "ectsum", "samsum", "scitldr")
SUMMEDITS = dict.fromkeys(_DOMAINS, UNSEEN) | {"qmsumm": _MEETINGS}


def robust_claims(data: Path, *, rows: int) -> tuple[list[ClaimRow], list[ClaimRow]]:
    """The true claims among `rows` of each of the first three sets; and at most `rows` sentences with diacritics.

    Such a lecture sentence is a true claim with its own paragraph as evidence.
    """
    true = [row for test in claim_sets(data, rows=rows)[:3] for row in test.rows if row.supported]
    marked = [
        ClaimRow(entry.text, sentence, supported=True)
        for entry in lecture_texts(data)
        for sentence in sentences(entry.text)
        if _is_marked(sentence)
    ]
    return true, _sample(marked, rows)


def _is_marked(text: str) -> bool:
    return any(unicodedata.combining(c) for c in unicodedata.normalize("NFD", text))


def _sample(rows: list[ClaimRow], count: int) -> list[ClaimRow]:
    return rows if len(rows) <= count else random.Random(7).sample(rows, count)


def _golden(data: Path) -> Iterator[ClaimRow]:
    for row in read_json_lines(data / "golden/claims_dev.jsonl"):
        kind = row["error_type"] if row["label"] != "supported" else ""
        yield ClaimRow(row["evidence"], row["claim"], row["label"] == "supported", kind)


def _wice(data: Path) -> Iterator[ClaimRow]:
    for row in read_json_lines(data / "grounding/wice/claim_oracle_chunks_dev.jsonl"):
        yield ClaimRow(" ".join(row["evidence"]), row["claim"], row["label"] == "supported", row["label"])


def _halueval(data: Path) -> Iterator[ClaimRow]:
    for row in read_json_lines(data / "grounding/halueval/qa_labelled.jsonl"):
        yield ClaimRow(row["knowledge"].strip(), f"{row['question']} {row['answer']}", not row["hallucinated"])


def _begin(data: Path, name: str) -> Iterator[ClaimRow]:
    for row in read_json_lines(data / f"grounding/begin/dev_{name}.jsonl"):
        if row["label"] != "generic":
            yield ClaimRow(row["evidence"], row["claim"], row["label"] == "supported")


def _kept(builder: Callable[[Path, int], Iterator[GroundingRow]], data: Path) -> Iterator[ClaimRow]:
    """A builder's rows with split "test"."""
    for row in builder(data, 0):
        if row.split == "test":
            yield ClaimRow(row.evidence, row.claim, row.label == "supported", row.kind)


def _summedits(domain: str) -> Callable[[Path], Iterator[ClaimRow]]:
    def read(data: Path) -> Iterator[ClaimRow]:
        for row in read_json_lines(data / "grounding/summedits/dev.jsonl"):
            if row["domain"] == domain:
                yield ClaimRow(row["doc"], row["summary"], str(row["label"]) == "1")

    return read


@dataclass(frozen=True, slots=True)
class Ranking:
    """A question, its competing passages, and which of them are relevant."""

    question: str
    passages: list[str]
    gold: set[int]


def hotpot_rankings(data: Path, count: int) -> list[Ranking]:
    """HotpotQA's test part: two relevant paragraphs among ten."""
    rankings = []
    for row in read_json_lines(data / "qa/hotpotqa/dev.jsonl"):
        if row["origin_split"] == "test":
            titles = {title for title, _ in row["supporting_facts"]}
            passages = [f"{entry['title']}. {' '.join(entry['sentences'])}" for entry in row["context"]]
            gold = {place for place, entry in enumerate(row["context"]) if entry["title"] in titles}
            rankings.append(Ranking(row["question"], passages, gold))
    return random.Random(7).sample(rankings, min(count, len(rankings)))


def meeting_rankings(data: Path, count: int) -> list[Ranking]:
    """QMSum val: stretches of the gold turns among twenty of the same meeting."""
    rng = random.Random(7)
    rankings = []
    for row, own, rest in qmsum_stretches(data, "val"):
        if own and len(rest) >= 5:
            passages = rng.sample(own, min(3, len(own)))
            gold = set(range(len(passages)))
            rankings.append(Ranking(row["question"], passages + rng.sample(rest, min(17, len(rest))), gold))
    return rng.sample(rankings, min(count, len(rankings)))


def squad_questions(data: Path, titles: frozenset[str]) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Passages by id, and the questions, of some SQuAD 2 articles."""
    passages = {
        row["passage_id"]: row["text"]
        for row in read_json_lines(data / "qa/squad2/passages.jsonl")
        if row["title"] in titles
    }
    questions = [row for row in read_json_lines(data / "qa/squad2/questions_dev.jsonl") if row["title"] in titles]
    return passages, questions


def lecture_questions(data: Path) -> tuple[dict[str, str], list[tuple[str, set[str]]]]:
    """Lecture paragraphs by address, and golden questions with their gold addresses."""
    passages = {
        row["address"]: row["text"]
        for name in ("vivekananda", "william_james")
        for row in read_json_lines(data / f"lectures/{name}/paragraphs.jsonl")
    }
    asked = []
    for row in read_json_lines(data / "golden/dev.jsonl"):
        gold = {address for address in row.get("gold") or [] if address in passages}
        if gold and not row.get("history"):
            asked.append((row["question"], gold))
    return passages, asked
