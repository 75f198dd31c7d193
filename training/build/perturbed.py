"""Claims generated from true sentences: restated ones stay supported, changed ones do not."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from training.build.claims import conjnli, fever, fool_me_twice
from training.build.sources import SourceDocument, encyclopedia_texts, lecture_texts, lexicon
from training.lexicon import Lexicon, names_in
from training.perturb import change_number, falsify, replace_everywhere, swap_name, swap_peer
from training.restate import restate
from training.rows import GroundingLabel, GroundingRow
from training.text import as_speech, crop_around, sentence_spans


def perturbed_lectures(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Claims from lecture sentences with their paragraph or a neighbouring one, without golden lectures."""
    texts = [entry for entry in lecture_texts(data) if entry.split != "test"]
    yield from _from_texts("perturbed_lectures", texts, lexicon(data), seed, per_text=4)


def perturbed_encyclopedia(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Claims from encyclopedia sentences with their passage, or another of its article."""
    yield from _from_texts("perturbed_encyclopedia", encyclopedia_texts(data), lexicon(data), seed, per_text=3)


def _from_texts(
    source: str, texts: Iterable[SourceDocument], words: Lexicon, seed: int, *, per_text: int
) -> Iterator[GroundingRow]:
    rng = random.Random(seed)
    documents: dict[str, list[str]] = defaultdict(list)
    entries = list(texts)
    for entry in entries:
        documents[entry.document].append(entry.text)
    for entry in entries:
        spans = [span for span in sentence_spans(entry.text) if 7 <= len(entry.text[span[0] : span[1]].split()) <= 38]
        for span in rng.sample(spans, min(per_text, len(spans))):
            rivals = [text for text in documents[entry.document] if text != entry.text] or [rng.choice(entries).text]
            yield from _claims(source, entry, span, rng.choice(rivals), words, rng)


def _claims(
    source: str, entry: SourceDocument, span: tuple[int, int], rival: str, words: Lexicon, rng: random.Random
) -> Iterator[GroundingRow]:
    sentence = entry.text[span[0] : span[1]]
    evidence, offset = crop_around(entry.text, span, rng.choice([20, 60, 110, 150, 180]), rng)
    chosen = [(span[0] - offset, span[1] - offset)]
    base = GroundingRow(source, entry.split, restate(sentence, rng), evidence, "supported", "restated", chosen)
    spoken = rng.random() < 0.12
    rows = [base]
    rows.extend(_changed(base, entry.text, words, rng))
    if rng.random() < 0.3:
        rows.append(replace(base, evidence=rival[:1100], label="not_mentioned", kind="elsewhere", evidence_spans=[]))
    if rng.random() < 0.25:
        rows.extend(_joined(base, entry.text, rival, words, rng))
    for row in rows:
        yield replace(row, evidence=as_speech(row.evidence, rng), evidence_spans=[]) if spoken else row


def _changed(base: GroundingRow, near: str, words: Lexicon, rng: random.Random) -> Iterator[GroundingRow]:
    change = falsify(base.claim, near, words, rng)
    if not change:
        return
    yield replace(base, claim=change.text, label=change.label, kind=change.kind)
    if change.was and change.label == "contradicted" and rng.random() < 0.4 and change.was in base.evidence:
        # The same claim with evidence that supports it, so that the claim's words alone do not give the label away.
        moved = replace_everywhere(base.evidence, change.was, change.now)
        yield GroundingRow(base.source, base.split, change.text, moved, "supported", "moved")
        yield GroundingRow(base.source, base.split, base.claim, moved, "contradicted", change.kind)


def _joined(base: GroundingRow, text: str, rival: str, words: Lexicon, rng: random.Random) -> Iterator[GroundingRow]:
    spans = [(a, b) for a, b in sentence_spans(base.evidence) if (a, b) not in base.evidence_spans]
    spans = [(a, b) for a, b in spans if 5 <= len(base.evidence[a:b].split()) <= 22]
    if not spans or len(base.claim.split()) > 24:
        return
    span = rng.choice(spans)
    second = restate(base.evidence[span[0] : span[1]], rng)
    both = [*base.evidence_spans, span]
    yield replace(base, claim=_and(base.claim, second), kind="two sentences", evidence_spans=both)
    false = falsify(second, text, words, rng)
    if false:
        label: GroundingLabel = "contradicted" if false.label == "contradicted" else "not_supported"
        yield replace(base, claim=_and(base.claim, false.text), label=label, kind="partial", evidence_spans=both)
    strangers = [rival[a:b] for a, b in sentence_spans(rival) if 5 <= len(rival[a:b].split()) <= 22]
    if strangers and rng.random() < 0.6:
        claim = _and(base.claim, restate(rng.choice(strangers), rng))
        yield replace(base, claim=claim, label="not_mentioned", kind="partial")


def _and(first: str, second: str) -> str:
    return f"{first.rstrip('.!?;, ')}, and {second[:1].lower()}{second[1:]}"


def perturbed_claims(data: Path, seed: int) -> Iterator[GroundingRow]:
    """Supported claims written by people, with a change in the claim, or in the evidence that the claim repeats."""
    rng = random.Random(seed)
    words = lexicon(data)
    written = [*fever(data, seed), *fool_me_twice(data, seed), *(r for r in conjnli(data, seed) if rng.random() < 0.3)]
    for row in written:
        if row.label != "supported":
            continue
        row = replace(row, source="perturbed_claims")
        change = falsify(row.claim, row.evidence, words, rng)
        if change:
            yield replace(row, claim=change.text, label=change.label, kind=change.kind)
        yield from _moved_evidence(row, words, rng)


def _moved_evidence(row: GroundingRow, words: Lexicon, rng: random.Random) -> Iterator[GroundingRow]:
    changers = [swap_name, change_number, swap_peer]
    rng.shuffle(changers)
    for changer in changers:
        change = changer(row.claim, "", words, rng)
        if not change or not change.was or replace_everywhere(row.evidence, change.was, "") == row.evidence:
            continue
        if change.was in names_in(row.claim)[:1] and rng.random() < 0.7:
            continue  # with another subject, the evidence would not mention the claim instead of denying it
        moved = replace_everywhere(row.evidence, change.was, change.now)
        spans = [] if moved != row.evidence else row.evidence_spans
        yield replace(row, evidence=moved, label="not_supported", kind=f"moved {change.kind}", evidence_spans=spans)
        yield replace(row, evidence=moved, claim=change.text, kind="moved", evidence_spans=spans)
        return


BUILDERS = {
    "perturbed_lectures": perturbed_lectures,
    "perturbed_encyclopedia": perturbed_encyclopedia,
    "perturbed_claims": perturbed_claims,
}
