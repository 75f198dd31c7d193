"""Turns answered questions into claims: true with the right answer, false with another."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.build.reading import squad2_split
from training.build.sources import lexicon
from training.lexicon import Lexicon, names_in
from training.perturb import change_number, falsify, swap_kin, swap_name, swap_peer
from training.rows import GroundingRow, Split, read_json_lines, split_of
from training.text import crop_around, sentence_spans

_AUXILIARY = r"(?:is|are|was|were|did|do|does|has|have|had|can|could|will|would|should|must|may|might)"
_COPULA = re.compile(r"^(?:what|who|which|where)\s+(is|are|was|were)\s+(.+)$", re.IGNORECASE)
_INVERTED = re.compile(
    rf"^(.*?\b)?(?:what|which|who|whom|when|where|how many|how much)\b(.*?)\b({_AUXILIARY})\s+(.+)$", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"^(?:what|which|who)\s+((?:\w+\s+){0,2}?)(\w+(?:s|ed|ook|ame|ade|ote|on|ew))\s+(.+)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answer and the answer's span in the passage; impossible questions have a wrong answer."""

    question: str
    answer: str
    start: int
    passage: str
    split: Split


def as_claim(question: str, answer: str) -> str:
    """Turn a question and its answer into a statement by rule; if no rule fits, join the two."""
    asked = question.strip().rstrip(" ?").strip()
    answer = answer.strip().rstrip(".")
    copula = _COPULA.match(asked)
    if copula:
        claim = f"{copula[2]} {copula[1]} {answer}"
    elif inverted := _INVERTED.match(asked):
        claim = _uninverted(inverted, answer, asked)
    elif subject := _SUBJECT.match(asked):
        claim = f"{answer} {subject[2]} {subject[3]}"
    else:
        return f"{question.strip()} {answer}"
    return claim[:1].upper() + claim[1:] + "."


def _uninverted(match: re.Match[str], answer: str, asked: str) -> str:
    auxiliary, rest = match[3], match[4]
    unit = match[2].strip() if re.search(r"how (many|much)", asked, re.IGNORECASE) else ""
    where = "in " if re.search(r"\b(when|where|year|what century)\b", asked, re.IGNORECASE) else ""
    where = "" if re.match(r"(in|on|at|from|by|during|near)\b", answer, re.IGNORECASE) else where
    lead = f"{match[1].strip()} " if match[1] and len(match[1].split()) < 3 else ""
    answer = f"{lead}{where}{answer} {unit}".strip()
    if auxiliary.lower() in {"did", "do", "does"}:
        return f"{rest} {answer}"
    words = rest.split()
    place = next(
        (i for i, word in enumerate(words) if i and re.search(r"(ed|en|ing|wn|ught|lt|made|known)$", word)), None
    )
    if place is None:
        return f"{rest} {auxiliary} {answer}"
    return f"{' '.join(words[:place])} {auxiliary} {' '.join(words[place:])} {answer}"


def declarative(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Each answered question as a claim: with its answer, with another answer, and with a changed question."""
    rng = random.Random(seed)
    words = lexicon(data)
    for row in [*_squad2(data), *squad1(data), *_hotpot(data)]:
        size = rng.choice([20, 60, 100, 150])
        text, offset = crop_around(row.passage, (row.start, row.start + len(row.answer)), size, rng)
        start = row.start - offset
        spans = [(a, b) for a, b in sentence_spans(text) if a <= start < b]
        yield GroundingRow("declarative", row.split, _stated(row, row.answer, rng), text, "supported", "", spans)
        other = _other_answer(row, text, words, rng)
        if other:
            claim = _stated(row, other, rng)
            yield GroundingRow("declarative", row.split, claim, text, "contradicted", "answer", spans)
        if rng.random() < 0.6:
            change = falsify(_stated(row, row.answer, rng), text, words, rng)
            if change:
                yield GroundingRow("declarative", row.split, change.text, text, change.label, change.kind, spans)
    yield from _impossible(data, rng)


def _stated(row: AnsweredQuestion, answer: str, rng: random.Random) -> str:
    return f"{row.question} {answer}" if rng.random() < 0.2 else as_claim(row.question, answer)


def _other_answer(row: AnsweredQuestion, text: str, words: Lexicon, rng: random.Random) -> str | None:
    names = [name for name in names_in(text) if name not in row.answer and name not in row.question]
    if row.answer in names_in(f"so {row.answer}"):
        return rng.choice(names) if names and rng.random() < 0.7 else words.other_name(row.answer, names, rng)
    for changer in (change_number, swap_peer, swap_name, swap_kin):
        change = changer(row.answer, text, words, rng)
        if change and change.text.lower() != row.answer.lower():
            return change.text
    return None


def _squad2(data: Path) -> Iterator[AnsweredQuestion]:
    texts = {row["passage_id"]: row["text"] for row in read_json_lines(data / "qa/squad2/passages.jsonl")}
    for row in read_json_lines(data / "qa/squad2/questions_dev.jsonl"):
        split = squad2_split(row["title"])
        if not row["is_impossible"] and split == "train":
            yield AnsweredQuestion(
                row["question"], row["answers"][0], row["answer_starts"][0], texts[row["passage_id"]], split
            )


def squad1(data: Path) -> Iterator[AnsweredQuestion]:
    """The SQuAD 1 questions of the retrieval pairs."""
    for row in read_json_lines(data / "train/retrieval_pairs/train.jsonl"):
        if row["source"].startswith("squad_v1_dev"):
            start = row["passage"].find(row["answers"][0])
            split = split_of(row["passage"][:80], calibrate=0.02)
            if start >= 0:
                yield AnsweredQuestion(row["question"], row["answers"][0], start, row["passage"], split)


def _hotpot(data: Path) -> Iterator[AnsweredQuestion]:
    for row in read_json_lines(data / "qa/hotpotqa/dev.jsonl"):
        if row["origin_split"] == "test" or row["answer"] in ("yes", "no"):
            continue
        texts = {entry["title"]: [s.strip() for s in entry["sentences"]] for entry in row["context"]}
        facts = [texts[title][index] for title, index in row["supporting_facts"] if index < len(texts.get(title, []))]
        passage = " ".join(facts)
        start = passage.find(row["answer"])
        if start >= 0:
            yield AnsweredQuestion(row["question"], row["answer"], start, passage, split_of(row["id"]))


def _impossible(data: Path, rng: random.Random) -> Iterator[GroundingRow]:
    # An unanswerable question makes a false claim with any name or number of its passage as the answer.
    texts = {row["passage_id"]: row["text"] for row in read_json_lines(data / "qa/squad2/passages.jsonl")}
    for row in read_json_lines(data / "qa/squad2/questions_dev.jsonl"):
        text = texts[row["passage_id"]]
        names = [name for name in names_in(text) if name not in row["question"]]
        if not row["is_impossible"] or squad2_split(row["title"]) != "train" or not names:
            continue
        years = re.findall(r"\b\d{3,4}\b", text) if re.match(r"when|what year|in what", row["question"].lower()) else []
        claim = as_claim(row["question"], rng.choice(years or names))
        yield GroundingRow("declarative", "train", claim, text[:1100], "not_supported", "impossible")


BUILDERS = {"declarative": declarative}
