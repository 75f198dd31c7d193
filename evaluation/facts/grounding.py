"""Guard 1 over labelled candidates: what is kept, rewritten and dropped, by kind."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from audit.domain.metrics import Share
from corpus.domain.passage import Passage
from curation.domain.facts.candidate import FactCandidate
from curation.facts.reading import groundings
from evaluation.domain.report_parts import Goal, goal_rows
from lectorium.report_table import table

CANDIDATES = Path(__file__).parent / "candidates.jsonl"
LABELS = ("supported", "planted")
AT_ONCE = 16
VERDICTS = ("supported", "partial", "not_supported", "contradicted")


@dataclass(frozen=True, slots=True)
class LabelledCandidate:
    """passage: the paragraph's hash. evidence: its text. claim: a fact about it. label: supported or planted. kind: of
    the plant, or of truth.
    """

    passage: str
    evidence: str
    claim: str
    label: str
    kind: str

    @property
    def is_fitted(self) -> bool:
        """Whether its paragraph belongs to the half that the guard's bars were fitted to; the other half judges."""
        return int(self.passage, 16) % 2 == 0


@dataclass(frozen=True, slots=True)
class GroundedRow:
    """A candidate with its verdict. kept: stored, either as it is or rewritten."""

    row: LabelledCandidate
    verdict: str
    kept: bool

    @property
    def is_planted(self) -> bool:
        return self.row.label == "planted"


def read_candidates(path: Path) -> list[LabelledCandidate]:
    """JSON lines of {"passage", "evidence", "claim", "label", "kind"}. Raises ValueError with the wrong line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            candidate = LabelledCandidate(*(row[name] for name in LabelledCandidate.__slots__))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path}, line {number}: not a candidate ({error!r})") from error
        if candidate.label not in LABELS:
            raise ValueError(f"{path}, line {number}: the label {candidate.label!r} is none of {', '.join(LABELS)}")
        found.append(candidate)
    return found


def ground_candidates(rows: Sequence[LabelledCandidate], on_each: Callable[[int], object]) -> Iterator[GroundedRow]:
    """Every candidate beside its paragraph, as before saving."""
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        pairs = [(_passage(row.evidence), _candidate(row)) for row in some]
        for row, grounding in zip(some, groundings(pairs, ""), strict=True):
            assert grounding is not None, "the local verifier is always there"
            yield GroundedRow(row, grounding.verdict, grounding.kept)
        on_each(len(some))


def _passage(text: str) -> Passage:
    key = uuid5(NAMESPACE_URL, text)
    return Passage(key, key, "lecture", "evaluation:1", "", text, "", 0)


def _candidate(row: LabelledCandidate) -> FactCandidate:
    return FactCandidate("", "", "", row.claim, (0, len(row.evidence)), confidence=0.8)


def grounding_part(rows: Sequence[GroundedRow], verifier: str, source: str) -> list[str]:
    """Lines of docs/results/facts.md."""
    judging, fitting = [[row for row in rows if row.row.is_fitted is side] for side in (False, True)]
    planted, true = [[row for row in judging if row.is_planted is side] for side in (True, False)]
    rewritten = Share.of(row.kept and row.verdict == "partial" for row in planted)
    return [
        f"{len(rows)} candidates of {source}, judged by `{verifier}` and the guards. The guard's bars were fitted to "
        f"{len(fitting)} of them, those whose paragraph has an even hash; the other {len(judging)} judge, and "
        f"the tables are of them. Blocked: {_share_of(judging, 'not_supported', 'contradicted')}; partial: "
        f"{_share_of(judging, 'partial')}. A partial fact is stored in its source's own words, so "
        f"nothing that was planted is stored by it: {rewritten} of the planted ones. True facts rewritten so: "
        f"{Share.of(row.kept and row.verdict == 'partial' for row in true)}. Regenerate: `manage.py evaluate_facts "
        "grounding`.",
        "",
        *table(("goal", "bar", "measured", "met"), goal_rows(_goals(judging))),
        *table(("of the half that was fitted", "bar", "measured", "met"), goal_rows(_goals(fitting))),
        *table(
            ("kind", "label", "candidates", *VERDICTS, "stored"), _by_kind(judging), right=("candidates", *VERDICTS)
        ),
    ]


def _goals(rows: Sequence[GroundedRow]) -> tuple[Goal, Goal]:
    kept = Share.of(row.kept and row.verdict == "supported" for row in rows if row.is_planted)
    dropped = Share.of(not row.kept for row in rows if not row.is_planted)
    return (
        Goal("false keeps: planted facts stored as they are", 0.05, kept, at_most=True),
        Goal("false drops: true facts not stored", 0.10, dropped, at_most=True),
    )


def _share_of(rows: Sequence[GroundedRow], *verdicts: str) -> Share:
    return Share.of(row.verdict in verdicts for row in rows)


def _by_kind(rows: Sequence[GroundedRow]) -> Iterator[tuple[object, ...]]:
    for label, kind in sorted({(row.row.label, row.row.kind) for row in rows}):
        some = [row for row in rows if (row.row.label, row.row.kind) == (label, kind)]
        counts = (sum(row.verdict == verdict for row in some) for verdict in VERDICTS)
        yield kind, label, len(some), *counts, Share.of(row.kept for row in some)
