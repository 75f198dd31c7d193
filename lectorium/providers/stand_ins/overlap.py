"""A cross-encoder for tests: relevance, answers and support by shared words."""

import re
from collections.abc import Sequence

from lectorium.providers.protocols import Judgement, Reading
from lectorium.providers.windowing import sentence_spans

_WORD = re.compile(r"\w+")
_ASKING = frozenset(
    "what who whom whose which where when why how is are was were do does did the a an of in on to".split()
)
ENOUGH = 0.5


class OverlapCrossEncoder:
    """Reader, reranker, verifier and judge of rewordings by shared words: deterministic and instant."""

    name = "overlap"
    passed_bar = False

    def read(self, question: str, passages: Sequence[str]) -> list[Reading]:
        """The share of the question's words in each passage, and the sentence with most of them."""
        return [_reading(question, passage) for passage in passages]

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        return [reading.relevance for reading in self.read(question, passages)]

    def verify(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """Support is the share of the claim's words in the evidence; nothing is ever contradicted."""
        return [_judgement(evidence, claim) for evidence, claim in pairs]

    def same(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The share of the words of each question that the other has too, whichever is less."""
        return [min(_share(one, other), _share(other, one)) for one, other in pairs]


def _reading(question: str, passage: str) -> Reading:
    share = _share(question, passage)
    spans = sentence_spans(passage)
    best = max(spans, key=lambda span: _share(question, passage[span[0] : span[1]]), default=None)
    return Reading(share, share, best if share >= ENOUGH else None)


def _judgement(evidence: str, claim: str) -> Judgement:
    share = _share(claim, evidence)
    if share < ENOUGH:
        return Judgement("not_mentioned", share, 0.0, None)
    return Judgement("supported", share, 0.0, max(sentence_spans(evidence), key=lambda span: span[1] - span[0]))


def _share(asked: str, text: str) -> float:
    words = [word for word in _words(asked) if word not in _ASKING]
    held = set(_words(text))
    return sum(word in held for word in words) / len(words) if words else 0.0


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
