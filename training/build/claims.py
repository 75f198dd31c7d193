"""Claims written or labelled by people, with their evidence."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from training.rows import GroundingLabel, GroundingRow, read_json_lines, split_of
from training.text import as_speech, detokenize, join_with_spans, sentences

FOOL_ME_TWICE_TEST = 0.5  # share of pages kept for testing
_NEGATING = frozenset({"not", "no", "never", "n't", "cannot", "can", "do", "does", "did", "is", "are", "was", "were"})


def fever(data: Path, seed: int) -> Iterator[GroundingRow]:
    """FEVER dev, whose negatives do not distinguish refuted from not mentioned."""
    rng = random.Random(seed)
    for row in read_json_lines(data / "train/fever/pairs.jsonl"):
        evidence = row["evidence"] if rng.random() < 0.2 else detokenize(row["evidence"])
        yield GroundingRow(
            source="fever",
            split=split_of(row["evidence"]),
            claim=row["claim"],
            evidence=evidence,
            label="supported" if row["label"] == "entailment" else "not_supported",
        )


def among_distractors(rows: Iterable[GroundingRow], seed: int, *, words: int = 130) -> Iterator[GroundingRow]:
    """Hide each row's evidence among sentences of other rows, so that length and position carry no information."""
    rng = random.Random(seed)
    rows = list(rows)
    pool = [sentence for row in rows for sentence in sentences(row.evidence) if 6 < len(sentence.split()) < 45]
    for row in rows:
        own = sentences(row.evidence)
        target = rng.randint(60, words)
        before: list[str] = []
        after: list[str] = []
        while len(" ".join([*before, *own, *after]).split()) < target:
            (before if rng.random() < 0.5 else after).append(rng.choice(pool))
        chosen = set(range(len(before), len(before) + len(own)))
        evidence, spans = join_with_spans([*before, *own, *after], chosen)
        if rng.random() < 0.15:
            evidence, spans = as_speech(evidence, rng), []
        yield replace(row, source=row.source + "_long", evidence=evidence, evidence_spans=spans)


def fever_long(data: Path, seed: int) -> Iterator[GroundingRow]:
    """FEVER with evidence hidden among that of other rows."""
    return among_distractors(fever(data, seed + 1), seed)


def conjnli(data: Path, seed: int) -> Iterator[GroundingRow]:
    """ConjNLI: conjuncts removed, added or changed by machine."""
    labels: dict[str, GroundingLabel] = {
        "entailment": "supported",
        "contradiction": "contradicted",
        "neutral": "not_supported",
    }
    for row in read_json_lines(data / "train/conjnli/pairs.jsonl"):
        split = split_of(row["evidence"][:60])
        yield GroundingRow("conjnli", split, row["claim"], row["evidence"], labels[row["label_orig"]])


def scone(data: Path, seed: int) -> Iterator[GroundingRow]:
    """ScoNe: negation in and out of scope."""
    for row in read_json_lines(data / "train/scone_nli/pairs.jsonl"):
        label: GroundingLabel = "supported" if row["label"] == "supported" else "not_supported"
        yield GroundingRow("scone", split_of(row["id"].rsplit("-", 1)[-1]), row["claim"], row["evidence"], label)


def faithdial(data: Path, seed: int) -> Iterator[GroundingRow]:
    """FaithDial: chat replies with the knowledge they were based on."""
    for row in read_json_lines(data / "train/faithdial_audit/pairs.jsonl"):
        label: GroundingLabel = "supported" if row["label"] == "supported" else "not_supported"
        yield GroundingRow("faithdial", split_of(row["evidence"]), row["claim"], row["evidence"], label)


def fool_me_twice(data: Path, seed: int) -> Iterator[GroundingRow]:
    """FoolMeTwice, split by page, half for testing. Half of the training rows include the page's other sentences."""
    rng = random.Random(seed)
    for row in read_json_lines(data / "grounding/fool_me_twice/dev.jsonl"):
        split = split_of(row["wikipedia_page"], test=FOOL_ME_TWICE_TEST)
        gold = [entry["text"] for entry in row["gold_evidence"]]
        label: GroundingLabel = "supported" if row["label"] == "SUPPORTS" else "contradicted"
        yield _row_among(row["text"], gold, [], label, split, rng)
        if split == "train":
            others = [entry["text"] for entry in row["retrieved_evidence"] if entry["text"] not in gold]
            yield _row_among(row["text"], gold, rng.sample(others, min(4, len(others))), label, split, rng)


def _row_among(
    claim: str, gold: list[str], others: list[str], label: GroundingLabel, split: str, rng: random.Random
) -> GroundingRow:
    parts = [(text, True) for text in gold] + [(text, False) for text in others]
    if others:
        rng.shuffle(parts)
    chosen = {i for i, (_, is_gold) in enumerate(parts) if is_gold} if others else set()
    evidence, spans = join_with_spans([text for text, _ in parts], chosen)
    return GroundingRow("fool_me_twice", split, claim, evidence, label, evidence_spans=spans)  # type: ignore[arg-type]


def wice_tokens(data: Path, seed: int) -> Iterator[GroundingRow]:
    """WiCE's partly supported claims: not supported as written, supported without the unsupported words."""
    rng = random.Random(seed)
    for row in read_json_lines(data / "grounding/wice/non_supported_tokens_train.jsonl"):
        split = split_of(row["meta"]["claim_title"])
        gold = {index for group in row["supporting_sentences"] for index in group}
        near = {index + offset for index in gold for offset in (-1, 1)} | gold
        kept = sorted(index for index in near if 0 <= index < len(row["evidence"]))
        chosen = {place for place, index in enumerate(kept) if index in gold}
        evidence, spans = join_with_spans([row["evidence"][index] for index in kept], chosen)
        if len(evidence.split()) > 220 or not evidence:
            continue
        yield GroundingRow("wice", split, row["claim"], evidence, "not_supported", "partial", spans)
        supported = [
            token
            for token, missing in zip(row["claim_tokens"], row["non_supported_spans"], strict=False)
            if not missing
        ]
        if len(supported) >= 4 and rng.random() < 0.9:
            yield GroundingRow("wice", split, detokenize(" ".join(supported)), evidence, "supported", "partial", spans)


def monotonicity(data: Path, seed: int) -> Iterator[GroundingRow]:
    """MED, split by premise, half for testing: statements made more general or more specific."""
    yield from _halved(data / "grounding/med/test.jsonl", "monotonicity")


def negation(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Negated premises and hypotheses of RTE, SNLI and MNLI, split by premise, half for testing."""
    yield from _halved(data / "grounding/negation_nli/test.jsonl", "negation")


def _halved(path: Path, source: str) -> Iterator[GroundingRow]:
    for row in read_json_lines(path):
        label: GroundingLabel = "supported" if row["label"] == "supported" else "not_supported"
        split = split_of(_without_negation(row["evidence"]), test=0.5)
        yield GroundingRow(source, split, row["claim"], row["evidence"], label, row.get("phenomenon") or "")


def _without_negation(premise: str) -> str:
    # A premise and its negation must get the same split.
    return " ".join(word for word in premise.lower().split() if word not in _NEGATING)[:40]


BUILDERS = {
    "fever": fever,
    "fever_long": fever_long,
    "conjnli": conjnli,
    "scone": scone,
    "faithdial": faithdial,
    "fool_me_twice": fool_me_twice,
    "wice": wice_tokens,
    "monotonicity": monotonicity,
    "negation": negation,
}
