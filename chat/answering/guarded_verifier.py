"""A verifier that the guards may contradict: used by `manage.py verify`, and measured by training."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from chat.answering.domain.english import bare_source, is_denied, objection_kinds, reduced_support
from corpus.language import lexeme
from lectorium.providers.protocols import Judgement, Verifier

Pairs = Sequence[tuple[str, str]]  # (evidence, claim)


class GuardedVerifier:
    """Wraps a verifier; a claim that a guard objects to is never supported. The guards know English wording."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    @property
    def name(self) -> str:
        return self._verifier.name

    @property
    def passed_bar(self) -> bool:
        return self._verifier.passed_bar

    def verify(self, pairs: Pairs) -> list[Judgement]:
        """Judge (evidence, claim) pairs, in the order given; each kind of objection halves a claim's support."""
        return guard_judgements(pairs, self._verifier.verify(pairs))


def guard_judgements(pairs: Pairs, judged: Sequence[Judgement]) -> list[Judgement]:
    """Apply the guards to a verifier's judgements of these pairs."""
    source = cache(lambda evidence: bare_source(evidence, lexeme))
    return [
        _contradicted(judgement, objection_kinds(claim, source(evidence), lexeme))
        for (evidence, claim), judgement in zip(pairs, judged, strict=True)
    ]


def _contradicted(judgement: Judgement, kinds: frozenset[str]) -> Judgement:
    judgement = replace(judgement, support=reduced_support(judgement.support, kinds))
    if not kinds or judgement.label != "supported":
        return judgement
    return replace(judgement, label="contradicted" if is_denied(kinds) else "not_mentioned")
