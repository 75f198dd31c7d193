"""Stage 5: a quotation is checked letter for letter and against its times, a written sentence claim by claim.

A claim is first weighed beside the passages it cites. One that they do not prove is looked for in the turn's other
notes and in the rest of its evidence: found there, its citation is moved, and the reader is told; found nowhere, its
sentence is withheld.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from chat.answering.domain.answer import Claim, WithheldSentence
from chat.answering.domain.checking import CheckRules, Objection, Proof, VerifiedSentence
from chat.answering.domain.english import (
    CheckedClaim,
    ClaimSources,
    Library,
    SourceText,
    TurnContext,
    VerifierJudgement,
    atomic_claims,
    check_claim,
    claim_sources,
    draws_conclusion,
    find_quotation,
    is_framing,
    metadata_sentences,
    quotations,
)
from chat.answering.domain.footnotes import Footnote
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.terms import ClaimTerm
from chat.answering.domain.words import words_in
from corpus.domain.instructions import without_orders
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.language import lexeme
from lectorium.providers.protocols import Judgement, Verifier

UNCITED = Objection("uncited", "uncited")
ECHO = Objection("echo", "question")
ECHOED = 3  # words; a shorter question may be part of another
REASONS = {"snippet": "SNIPPET_MISMATCH", "time": "TIME_MISMATCH", "uncited": "uncited", "echo": "echo"}


class Verification:
    """Checks the written sentences of one turn against its evidence; what is read of a passage is read once.

    Without a citation a sentence is shown where it claims nothing, or where the evidence proves it. What the next
    citation in its paragraph names is looked at first; a sentence that stands there counts as cited.
    """

    def __init__(
        self,
        notes: Sequence[Footnote],
        verifier: Verifier,
        rules: CheckRules,
        *,
        question: str = "",
        library: Library | None = None,
        split: Callable[[str], tuple[str, ...]] = atomic_claims,
        evidence: Sequence[Passage] = (),
    ) -> None:
        """question: what the reader asked; a name of theirs is no invention of the model's. split: into claims.

        evidence: all of the turn's, also what the model was not shown.
        """
        self.verifier, self.rules, self.split = verifier, rules, split
        noted = {note.passage.chunk_id for note in notes}
        self._unseen = [passage for passage in evidence if passage.chunk_id not in noted]
        self._asked = fold(question).split()
        turn = TurnContext(lexeme, frozenset(self._asked), library=library or Library())
        self.notes = claim_sources({note.alias: source_of(note.passage) for note in notes}, turn)

    @cached_property
    def everything(self) -> ClaimSources:
        """The notes, and the rest of the evidence under numbers that no model can write; read once a claim needs it."""
        more = {-place: source_of(passage) for place, passage in enumerate(self._unseen, start=1)}
        return claim_sources({**self.notes.sources, **more}, self.notes.turn) if more else self.notes

    def check(self, drafted: DraftSentence) -> VerifiedSentence:
        """Return the sentence with its verdict: the weakest claim decides, after every guard has checked it."""
        if self._is_echo(drafted.text):
            return _withheld(drafted, (ECHO,), {})
        own = self._known(drafted.cited)
        cited = own or self._known(drafted.inherited)
        words = words_in(drafted.text, self.notes.turn.stem)
        if not own and is_framing(
            drafted.text, words, longest=self.rules.framing_words, asked=self.notes.turn.question
        ):
            return VerifiedSentence(drafted, "framing", "framing", 1.0)
        forged = tuple(self._forged(drafted.text, own))
        concludes = draws_conclusion(drafted.text)
        found = self._check(dict.fromkeys(self.split(drafted.text), cited), self.notes, concludes=concludes)
        uncited = not own and not all(map(_proofs, found.values()))
        objections = (*forged, *((UNCITED,) if uncited else ()), *_objections(found))
        if not forged and (lost := {claim: self._others(claim, cited) for claim in found if not _proofs(found[claim])}):
            elsewhere = self._check(lost, self.everything, concludes=concludes)
            found |= {claim: weighed for claim, weighed in elsewhere.items() if weighed}
        if forged or not all(map(_proofs, found.values())):
            return _withheld(drafted, objections, found)
        return _shown(drafted, own, found, objections, uncited=uncited)

    def _is_echo(self, text: str) -> bool:
        """Does the sentence only ask what the reader asked, or a part of it? A weak model says its prompt again."""
        said, asked = fold(text), " ".join(self._asked)
        return text.rstrip().endswith("?") and (
            (len(self._asked) >= ECHOED and asked in said) or (len(said.split()) >= ECHOED and said in asked)
        )

    def _known(self, numbers: Sequence[int]) -> list[int]:
        return [alias for alias in self.notes.sources if alias in numbers]

    def _forged(self, text: str, cited: Sequence[int]) -> Iterator[Objection]:
        """Object to each quotation that stands in none of the notes cited; where none is, nowhere in the evidence."""
        for quote in quotations(text, words=self.rules.quote_words):
            sources = [self.notes.sources[alias] for alias in cited] or self.everything.sources.values()
            if not any(find_quotation(quote, source.sentences) for source in sources):
                yield Objection("snippet", "quotation", quote)

    def _check(
        self, claims: Mapping[str, Sequence[int]], read: ClaimSources, *, concludes: bool
    ) -> dict[str, dict[int, CheckedClaim]]:
        """Return each claim beside each of its passages; one pass of the verifier for all of them."""
        pairs = [(claim, alias) for claim, aliases in claims.items() for alias in aliases]
        judged = self.verifier.verify([(read.sources[alias].text, claim) for claim, alias in pairs])
        found: dict[str, dict[int, CheckedClaim]] = {claim: {} for claim in claims}
        for (claim, alias), judgement in zip(pairs, judged, strict=True):
            found[claim][alias] = check_claim(
                claim, read.sources[alias], _said(judgement), read.turn, self.rules, concludes=concludes
            )
        return found

    def _others(self, claim: str, cited: Sequence[int]) -> list[int]:
        """Return the passages not cited that share most of a claim's words, enough of them, the closest first."""
        words = {word.stem for word in words_in(claim, self.notes.turn.stem) if word.is_content}
        shares = {
            alias: len(words & {word.stem for word in source.words}) / max(1, len(words))
            for alias, source in self.everything.sources.items()
            if alias not in cited
        }
        close = [alias for alias, share in shares.items() if share >= self.rules.suggest_share]
        return sorted(close, key=lambda alias: -shares[alias])[: self.rules.others]


def source_of(passage: Passage) -> SourceText:
    """A passage as the checks read it, without sentences addressed to a machine."""
    return SourceText.of(passage, without_orders(passage.text), metadata_sentences(passage), lexeme)


def _said(judged: Judgement) -> VerifierJudgement:
    return VerifierJudgement(judged.label, judged.support, judged.span, judged.passed_bar)


def _proofs(weighed: Mapping[int, CheckedClaim]) -> dict[int, CheckedClaim]:
    return {alias: claim for alias, claim in weighed.items() if not claim.objections}


def _closest(weighed: Mapping[int, CheckedClaim]) -> CheckedClaim | None:
    """Return a claim beside the note that speaks most for it."""
    return max(weighed.values(), key=lambda claim: (-len(claim.objections), claim.support), default=None)


def _objections(found: Mapping[str, Mapping[int, CheckedClaim]]) -> tuple[Objection, ...]:
    closest = filter(None, map(_closest, found.values()))
    return tuple(objection for claim in closest for objection in claim.objections)


def _terms(weighed: Iterable[CheckedClaim]) -> tuple[ClaimTerm, ...]:
    return tuple(dict.fromkeys(term for claim in weighed for term in claim.terms))


def _withheld(
    drafted: DraftSentence, objections: Sequence[Objection], found: Mapping[str, Mapping[int, CheckedClaim]]
) -> VerifiedSentence:
    closest = {text: _closest(weighed) for text, weighed in found.items()}
    claims = tuple(
        Claim(text, claim.verdict, claim.support, claim.evidence) if claim else Claim(text, "unsupported", 0.0, "")
        for text, claim in closest.items()
    )
    verdict = "contradicted" if any(claim.verdict == "contradicted" for claim in claims) else "unsupported"
    reason = next(
        (REASONS[objection.guard] for objection in objections if objection.guard in REASONS), "unsupported_claims"
    )
    return VerifiedSentence(
        drafted,
        "factual",
        verdict,
        0.0,
        withheld=WithheldSentence(reason, verdict),
        claims=claims,
        terms=_terms(filter(None, closest.values())),
        objections=tuple(objections),
    )


def _shown(
    drafted: DraftSentence,
    cited: Sequence[int],
    found: Mapping[str, Mapping[int, CheckedClaim]],
    objections: Sequence[Objection],
    *,
    uncited: bool,
) -> VerifiedSentence:
    """uncited: neither a marker of its own nor one after it in its paragraph says where it stands."""
    proofs: dict[int, CheckedClaim] = {}
    claims = []
    for text, weighed in found.items():
        standing = _proofs(weighed)
        for alias, claim in standing.items():
            proofs[alias] = max(claim, proofs.get(alias, claim), key=lambda proof: proof.support)
        best = max(standing.values(), key=lambda claim: (claim.verdict == "supported", claim.support))
        verified = best.verdict == "supported" and any(claim.verified for claim in standing.values())
        claims.append(Claim(text, best.verdict, best.support, best.evidence, "verified" if verified else "checked"))
    weakest = min(claims, key=lambda claim: (claim.verdict == "supported", claim.support))
    return VerifiedSentence(
        drafted,
        "factual",
        weakest.verdict,
        min(claim.support for claim in claims),
        tuple(
            Proof(alias, claim.source.passage, claim.span, claim.verdict, claim.support)
            for alias, claim in proofs.items()
        ),
        quoted=any(drafted.text in proof.source.passage.text for proof in proofs.values()),
        claims=tuple(claims),
        terms=_terms(proofs.values()),
        objections=tuple(objections),
        repair="suggested" if uncited else "moved" if cited and not set(proofs) & set(cited) else "",
        miscited=len(set(cited) - set(proofs)),
    )
