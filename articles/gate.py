"""HaluGate: checks every claim of a compile against exactly the sources that its compiler was given."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from articles.domain.body import ArticleBody, ArticleSentence, ClaimCheck, SentenceCheck, SentenceEvidence
from articles.domain.halugate import (
    FOLLOWS,
    IN_PART,
    NOT_PROVED,
    SOURCE_GONE,
    ArticleRisk,
    GateCounts,
    GateRules,
    counts_of,
    flag_text,
    risk_of_article,
)
from chat.answering.domain.checking import CheckRules, Objection, Proof, VerifiedSentence
from chat.answering.domain.english import Library, atomic_claims
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.stream.tokens import Marker
from chat.answering.stages.verify import Verification
from corpus.domain.passage import Passage
from lectorium.providers.protocols import Verifier

RULES = GateRules()


@dataclass(frozen=True, slots=True)
class GateResult:
    body: ArticleBody
    counts: GateCounts
    risk: ArticleRisk


def check_body(
    body: ArticleBody,
    sources: Sequence[Footnote],
    verifier: Verifier,
    *,
    topic: str = "",
    gone: frozenset[int] = frozenset(),
    strays: int = 0,
    library: Library | None = None,
    split: Callable[[str], tuple[str, ...]] = atomic_claims,
) -> GateResult:
    """Check each sentence and judge the whole.

    sources: those given that still stand. gone: the numbers of those that do not. strays: citations of sources that
    were not given. Nothing else is looked up: what only another lecture says is flagged too. A reviewer's decisions are
    dropped, since they concern an earlier check.
    """
    checks = Verification(sources, verifier, CheckRules(), question=topic, library=library, split=split)
    passages = {source.alias: source.passage for source in sources}
    sentences = [
        ArticleSentence(
            sentence.text,
            sentence.paragraph,
            sentence.cited,
            sentence.inherited,
            _check_sentence(sentence, passages, checks, gone),
        )
        for sentence in body.sentences
    ]
    counts = counts_of(sentences, strays)
    return GateResult(body.with_sentences(sentences), counts, risk_of_article(counts, RULES))


def _check_sentence(
    sentence: ArticleSentence, passages: dict[int, Passage], checks: Verification, gone: frozenset[int]
) -> SentenceCheck:
    lost = sorted(gone & set(sentence.cited))
    if lost and not set(sentence.cited) - gone:
        numbers = ", ".join(f"[{number}]" for number in lost)
        return SentenceCheck("unsupported", flags=(SOURCE_GONE.format(about=numbers),))
    if quoted := _quoted(sentence, passages):
        claim = ClaimCheck(sentence.text, "supported", 1.0, quoted.quote)
        return SentenceCheck("supported", "quoted", (claim,), (quoted,))
    markers = tuple(Marker("note", number) for number in sentence.cited)
    drafted = DraftSentence(sentence.text, "", sentence.paragraph, markers, sentence.inherited)
    return _sentence_check(checks.check(drafted))


def _quoted(sentence: ArticleSentence, passages: dict[int, Passage]) -> SentenceEvidence | None:
    """The place of a sentence that one of its sources has word for word, where it can be played."""
    for number in sentence.cited:
        passage = passages.get(number)
        if passage and (start := passage.text.find(sentence.text)) >= 0:
            span = (start, start + len(sentence.text))
            if passage.is_playable(span):
                return SentenceEvidence(number, passage.address_at(span), span, sentence.text)
    return None


def _sentence_check(checked: VerifiedSentence) -> SentenceCheck:
    claims = tuple(
        ClaimCheck(claim.text, claim.verdict, round(claim.support, 3), claim.evidence_span) for claim in checked.claims
    )
    if checked.withheld:
        return SentenceCheck(checked.verdict, "", claims, (), _flags(checked.objections))
    if checked.kind == "framing":
        return SentenceCheck("framing", "checked", claims)
    evidence = tuple(map(_evidence, checked.proofs))
    if checked.verdict != "supported":
        # An answer shows it with that word; an article has no reader's question to serve.
        flag = FOLLOWS if checked.verdict == "inferred" else IN_PART
        return SentenceCheck(checked.verdict, "", claims, evidence, (flag,))
    return SentenceCheck(checked.verdict, checked.proof, claims, evidence)


def _flags(objections: Iterable[Objection]) -> tuple[str, ...]:
    found = (flag_text(objection.guard, objection.about or objection.reason) for objection in objections)
    return tuple(dict.fromkeys(found)) or (NOT_PROVED,)


def _evidence(proof: Proof) -> SentenceEvidence:
    quote = proof.passage.text[slice(*proof.span)]
    return SentenceEvidence(proof.note, proof.passage.address_at(proof.span), proof.span, quote)
