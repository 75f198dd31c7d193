"""HaluGate: how risky an article is, from what its sources say of its claims, and whether it may be published.

Sources: shared/seeds/001 (layer 1) and 002 (risk); shared/design/pipeline.md, "Write time and store time".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from articles.domain.body import ArticleBody, ArticleSentence, SentenceCheck


class ArticleRisk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class GateRules:
    """Bands of the share of supported claims, 0..1. Evidence: docs/thresholds.md.

    low_from, medium_from: the least share at which the risk is low, or medium.
    """

    low_from: float = 0.85
    medium_from: float = 0.60


@dataclass(frozen=True, slots=True)
class GateCounts:
    """Claims by verdict. flagged: sentences that no given source proves. strays: citations of sources not given."""

    claims: int = 0
    supported: int = 0
    inferred: int = 0
    contradicted: int = 0
    sentences: int = 0
    flagged: int = 0
    strays: int = 0

    @property
    def proved_share(self) -> float:
        """The share of supported claims, 0..1; 1 without claims.

        As in an answer, an inferred claim does not count as supported: opening a sentence with "so" must not lower the
        risk.
        """
        return self.supported / self.claims if self.claims else 1.0


# Why a sentence is flagged, by the guard that objected.
FLAGS = {
    "uncited": "It cites no source that was given.",
    "snippet": "It quotes words that the cited sources do not have.",
    "time": "Its place in the recording cannot be played.",
    "terms": "The cited sources do not have this name or number: {about}.",
    "attribution": "The cited sources do not name this speaker or title: {about}.",
    "address": "It names a place that its source is not: {about}.",
    "wording": "It changes what the source says: {about}.",
    "verifier": "The cited sources do not say this.",
    "echo": "It only repeats the topic.",
}
IN_PART = "The cited sources say this only in part."
FOLLOWS = "The cited sources do not say this; it follows from them."
NOT_PROVED = "No source that was given proves it."
SOURCE_GONE = "Its source was withdrawn or is gone: {about}."


def flag_text(guard: str, about: str) -> str:
    return FLAGS.get(guard, NOT_PROVED).format(about=about or "see the claim")


def counts_of(sentences: Iterable[ArticleSentence], strays: int) -> GateCounts:
    """Count what the gate found. A flagged sentence without claims counts as one unsupported claim."""
    checks: list[SentenceCheck] = [sentence.check for sentence in sentences if sentence.check]
    verdicts = [verdict for check in checks for verdict in _verdicts(check)]
    return GateCounts(
        claims=len(verdicts),
        supported=verdicts.count("supported"),
        inferred=verdicts.count("inferred"),
        contradicted=verdicts.count("contradicted"),
        sentences=len(checks),
        flagged=sum(bool(check.flags) for check in checks),
        strays=strays,
    )


def risk_of_article(counts: GateCounts, rules: GateRules) -> ArticleRisk:
    """High below the lower band, or where a source was cited that was not given.

    Medium below the upper band, or with any flagged sentence, which readers do not see; otherwise low. One claim that a
    source contradicts does not make the rest of an article doubtful: docs/results/articles.md has what it would cost.
    """
    if counts.strays or counts.proved_share < rules.medium_from:
        return ArticleRisk.HIGH
    return ArticleRisk.MEDIUM if counts.flagged or counts.proved_share < rules.low_from else ArticleRisk.LOW


def objection_to_publishing(body: ArticleBody, risk: str, *, checked: bool, reviewed: bool) -> str:
    """Why an article cannot be published now; "" where it can."""
    if not checked:
        return "HaluGate has not checked this compile yet. Wait until it has."
    if risk == ArticleRisk.HIGH and not reviewed:
        return "Its risk is high, so a reviewer has to look at the flagged sentences first."
    if not any(sentence.is_readable for sentence in body.sentences):
        return "No sentence of it passed, so readers would see an empty page. Compile it again."
    return ""


def _verdicts(check: SentenceCheck) -> list[str]:
    if not check.claims:
        return ["unsupported"] if check.flags else []
    verdicts = [claim.verdict for claim in check.claims]
    # A sentence can be flagged although each claim stands, as where it quotes what nobody said.
    return [*verdicts, "unsupported"] if check.flags and set(verdicts) == {"supported"} else verdicts
