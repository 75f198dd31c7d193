"""Questions with passages: which passage is relevant, whether it answers, and where."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.build.claims import FOOL_ME_TWICE_TEST
from training.build.lectures import WORKS, lecture_paragraphs, lecture_split
from training.build.mining import hard_negatives
from training.rows import PassageRow, ReadingRow, Split, read_json_lines, share_of, split_of
from training.text import as_speech, crop, crop_around, detokenize, join_with_spans, sentence_spans, sentences

# Articles of SQuAD 2 held back from training.
SQUAD2_TEST = frozenset(
    {"Warsaw", "Huguenot", "Oxygen", "Private_school", "Black_Death", "Scottish_Parliament", "Normans", "Force"}
)
SQUAD2_CALIBRATE = frozenset({"Harvard_University", "Geology"})


def squad2_split(title: str) -> Split:
    if title in SQUAD2_TEST:
        return "test"
    return "calibrate" if title in SQUAD2_CALIBRATE else "train"


def squad2(data: Path, seed: int) -> Iterator[ReadingRow]:
    """SQuAD 2 dev, half of whose questions are unanswerable from their passage, each with one competing passage."""
    rng = random.Random(seed)
    texts: dict[str, str] = {}
    by_title: dict[str, list[str]] = defaultdict(list)
    for row in read_json_lines(data / "qa/squad2/passages.jsonl"):
        texts[row["passage_id"]] = row["text"]
        by_title[row["title"]].append(row["passage_id"])
    for row in read_json_lines(data / "qa/squad2/questions_dev.jsonl"):
        split = squad2_split(row["title"])
        passage = squad_passage(row, texts[row["passage_id"]], rng, whole=split != "train")
        others = [name for name in by_title[row["title"]] if name != row["passage_id"]]
        rivals = []
        if not row["is_impossible"] and rng.random() < 0.4:
            rivals = [PassageRow(crop(texts[rng.choice(others)], 70, rng), False, False)]
        yield ReadingRow("squad2", split, row["question"], [passage, *rivals])


def squad_passage(row: dict[str, Any], text: str, rng: random.Random, *, whole: bool) -> PassageRow:
    """A question's own passage, whole or cropped around its answer (anywhere if it has none)."""
    if row.get("is_impossible"):
        return PassageRow(text if whole or rng.random() < 0.6 else crop(text, 110, rng), None, False)
    start = row["answer_starts"][0] if row.get("answer_starts") else text.find(row["answers"][0])
    span = (start, start + len(row["answers"][0]))
    if not whole and rng.random() < 0.6:
        text, offset = crop_around(text, span, rng.randint(40, 110), rng)
        span = (span[0] - offset, span[1] - offset)
    return PassageRow(text, True, True, span, _sentences_of(text, span))


def _sentences_of(text: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in sentence_spans(text) if a < span[1] and b > span[0]]


def retrieval(data: Path, seed: int) -> Iterator[ReadingRow]:
    """The combined question–passage pairs, each with two mined passages without the answer."""
    rng = random.Random(seed)
    tested = {
        row["id"]
        for row in read_json_lines(data / "grounding/fool_me_twice/dev.jsonl")
        if share_of(row["wikipedia_page"]) < FOOL_ME_TWICE_TEST
    }
    rows = [
        row
        for row in read_json_lines(data / "train/retrieval_pairs/train.jsonl")
        if row["id"].removeprefix("r-fm2-") not in tested and "qmsum" not in row["source"]
    ]
    # For ranking, statements add little to questions, so a third of them is enough.
    rows = [row for row in rows if "?" in row["question"] or rng.random() < 0.33]
    passages = sorted({row["passage"] for row in rows})
    near = hard_negatives([row["question"] for row in rows], passages)
    for row, candidates in zip(rows, near, strict=True):
        own = _own_passage(row, passages, candidates, rng)
        rivals = [passages[i] for i in candidates[:25] if _is_other(passages[i], row)]
        chosen = rng.sample(rivals[:12], min(2, len(rivals)))
        rest = [PassageRow(_dressed(crop(text, 70, rng), rng), False, False) for text in chosen]
        question = row["question"] if rng.random() < 0.5 else detokenize(row["question"])
        yield ReadingRow(_short(row["source"]), split_of(row["passage"][:80], calibrate=0.02), question, [own, *rest])


def _own_passage(row: dict[str, Any], passages: list[str], near: list[int], rng: random.Random) -> PassageRow:
    text = row["passage"]
    start = text.find(row["answers"][0]) if row["answers"] else -1
    if start >= 0:
        return squad_passage({"answers": row["answers"], "answer_starts": [start]}, text, rng, whole=False)
    if len(text.split()) < 45 and rng.random() < 0.5:
        others = [passages[i] for i in near[5:] if passages[i] != text and len(passages[i].split()) < 60][:3]
        parts = [*others, text]
        rng.shuffle(parts)
        joined, spans = join_with_spans(parts, {parts.index(text)})
        return PassageRow(joined, True, True, None, spans)
    text = _dressed(crop(text, 110, rng), rng)
    return PassageRow(text, True, True if "?" in row["question"] else None)


def _dressed(text: str, rng: random.Random) -> str:
    if rng.random() < 0.1:
        return as_speech(text, rng)
    return detokenize(text) if rng.random() < 0.6 else text


def _is_other(text: str, row: dict[str, Any]) -> bool:
    if text == row["passage"]:
        return False
    return not any(answer.lower() in text.lower() for answer in row["answers"] or [])


def _short(source: str) -> str:
    return re.split(r"[^a-z0-9_]", source)[0][:16]


def hotpot(data: Path, seed: int) -> Iterator[ReadingRow]:
    """HotpotQA: gold paragraphs against distractors, and the complete evidence against half of it."""
    rng = random.Random(seed)
    for row in read_json_lines(data / "qa/hotpotqa/dev.jsonl"):
        split: Split = "test" if row["origin_split"] == "test" else split_of(row["id"])
        gold = {title for title, _ in row["supporting_facts"]}
        texts = {entry["title"]: _paragraph(entry) for entry in row["context"]}
        relevant = [title for title in texts if title in gold]
        rivals = [title for title in texts if title not in gold]
        if len(relevant) < 2 or len(rivals) < 2:
            continue
        passages = [PassageRow(crop(texts[title], 100, rng), True, None) for title in relevant]
        passages += [PassageRow(crop(texts[t], 100, rng), False, False) for t in rng.sample(rivals, 2)]
        yield ReadingRow("hotpot", split, row["question"], passages, "single")
        yield ReadingRow("hotpot", split, row["question"], _joined(row, texts, relevant, rivals, rng), "joined")


def _paragraph(entry: dict[str, Any]) -> str:
    return f"{entry['title']}. " + " ".join(sentence.strip() for sentence in entry["sentences"])


def _joined(
    row: dict[str, Any], texts: dict[str, str], relevant: list[str], rivals: list[str], rng: random.Random
) -> list[PassageRow]:
    rng.shuffle(relevant)
    both = " ".join(texts[title] for title in relevant)
    start = both.lower().find(row["answer"].lower())
    span = (start, start + len(row["answer"])) if start >= 0 else None
    lacking = [title for title in relevant if row["answer"].lower() not in texts[title].lower()]
    full = PassageRow(both, None, True if span or row["answer"] in ("yes", "no") else None, span)
    if not lacking or row["answer"] in ("yes", "no"):
        return [full]
    return [full, PassageRow(f"{texts[lacking[0]]} {texts[rng.choice(rivals)]}", None, False)]


def clapnq(data: Path, seed: int) -> Iterator[ReadingRow]:
    """CLAPnq: long answers from one passage; unanswerable questions with a passage of the same article."""
    for row in read_json_lines(data / "qa/clapnq/dev.jsonl"):
        split = split_of(row["title"], calibrate=0.1, test=0.25)
        text = detokenize(row["passage"])
        answerable = row["label"] == "answerable"
        spans = []
        for sentence in row["selected_sentences"] or []:
            start = text.find(detokenize(sentence).strip())
            if start >= 0 and answerable:
                spans.append((start, start + len(detokenize(sentence).strip())))
        question = row["question"].rstrip(" ?") + "?"
        yield ReadingRow("clapnq", split, question, [PassageRow(text, None, answerable, None, spans)])


def qmsum(data: Path, seed: int) -> Iterator[ReadingRow]:
    """QMSum train: a stretch of gold turns against other stretches of the same meeting."""
    rng = random.Random(seed)
    for row, own, rest in qmsum_stretches(data, "train"):
        for text in rng.sample(own, min(2, len(own))):
            rivals = rng.sample(rest, min(2, len(rest)))
            passages = [PassageRow(text, True), *(PassageRow(rival, False, False) for rival in rivals)]
            yield ReadingRow("qmsum", split_of(row["meeting_id"]), row["question"], passages)


def qmsum_stretches(data: Path, part: str) -> Iterator[tuple[dict[str, Any], list[str], list[str]]]:
    """Each question of a part, with stretches of its gold turns and of the other turns of its meeting."""
    meetings = {row["meeting_id"]: row for row in read_json_lines(data / f"qa/qmsum/{part}.jsonl")}
    for row in read_json_lines(data / "qa/qmsum/questions.jsonl"):
        if row["meeting_id"] not in meetings or not row["turn_spans"]:
            continue
        turns = [f"{turn['speaker']}: {turn['content']}" for turn in meetings[row["meeting_id"]]["meeting_transcripts"]]
        turns = [re.sub(r"\s*\{\w+\}", "", turn) for turn in turns]
        gold = {index for first, last in row["turn_spans"] for index in range(first, last + 1)}
        others = [index for index in range(len(turns)) if index not in gold]
        yield row, _stretches(turns, sorted(gold)), _stretches(turns, others)


def _stretches(turns: list[str], indices: list[int], words: int = 130) -> list[str]:
    stretches, current = [], ""
    for index in indices:
        current = f"{current} {turns[index]}".strip()
        while len(current.split()) >= words:
            stretches.append(" ".join(current.split()[:words]))
            current = " ".join(current.split()[words:])
    if len(current.split()) > 30:
        stretches.append(current)
    return stretches


def lecture_cloze(data: Path, seed: int) -> Iterator[ReadingRow]:
    """A sentence's rarer words, shuffled, as the question; the rest of its paragraph against its neighbours."""
    rng = random.Random(seed)
    for work in WORKS:
        rows = [row for row in lecture_paragraphs(data, work) if lecture_split(data, row["lecture"]) != "test"]
        for place, row in enumerate(rows):
            parts = sentences(row["text"])
            if len(parts) < 4 or len(row["text"].split()) < 70:
                continue
            query = rng.choice([part for part in parts if len(part.split()) >= 7] or parts)
            words = [word for word in re.findall(r"[\w'’-]+", query) if len(word) > 3 or rng.random() < 0.4]
            if len(words) < 4:
                continue
            kept = [part for part in parts if part != query or rng.random() < 0.15]
            near = [rows[i]["text"] for i in range(max(0, place - 6), min(len(rows), place + 7)) if i != place]
            rivals = rng.sample([text for text in near if len(text.split()) > 40] or near, 1)
            rivals.append(rng.choice(rows)["text"])
            passages = [PassageRow(crop(" ".join(kept), 110, rng), True)]
            passages += [PassageRow(crop(rival, 110, rng), False) for rival in rivals]
            question = " ".join(words) if rng.random() < 0.5 else query
            yield ReadingRow("lecture_cloze", lecture_split(data, row["lecture"]), question, passages)


BUILDERS = {
    "squad2": squad2,
    "retrieval": retrieval,
    "hotpot": hotpot,
    "clapnq": clapnq,
    "qmsum": qmsum,
    "lecture_cloze": lecture_cloze,
}
