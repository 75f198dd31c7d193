"""The answer as its reader sees it grow: sentences go out as they pass their checks, with numbered citations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.answer import AnswerCitation, AnswerSentence, Claim, WithheldSentence
from chat.answering.domain.cards import Card, cards_of
from chat.answering.domain.checking import Proof, VerifiedSentence
from chat.answering.domain.events import SentenceShown, SentenceWithheld, Sources
from chat.answering.domain.evidence.conflicts import Conflict, is_conflicting
from chat.answering.domain.evidence.quotation import Quote
from chat.answering.domain.policy import is_readable
from chat.answering.draft_record import DraftRecord, OutsideDraftRecord
from chat.answering.payloads import source_item
from chat.answering.turn_result import ShownAnswer
from corpus.catalogue.links import place_url
from corpus.domain.passage import Passage, Span


class AnswerStream:
    """Owns what one turn has shown: nothing shown is taken back, whatever stops or fails afterwards.

    The attributes are those of `ShownAnswer`, which `snapshot` gives.
    """

    def __init__(self, turn: CurrentTurn) -> None:
        self.chance = 1.0
        self.closest = ""
        self.is_likely = False
        self.framing = ""
        self.dropped: Mapping[str, int] = {}
        self.drafts: list[DraftRecord | OutsideDraftRecord] = []
        self.lookups: list[Mapping[str, str]] = []
        self._turn = turn
        self._sentences: list[AnswerSentence] = []
        self._citations: list[AnswerCitation] = []
        self._withheld: list[WithheldSentence] = []

    @property
    def has_begun(self) -> bool:
        """Has a sentence been shown?"""
        return bool(self._sentences)

    def snapshot(self) -> ShownAnswer:
        return ShownAnswer(
            sentences=tuple(self._sentences),
            citations=tuple(self._citations),
            withheld=tuple(self._withheld),
            chance=self.chance,
            closest=self.closest,
            is_likely=self.is_likely,
            framing=self.framing,
            dropped=self.dropped,
            drafts=tuple(self.drafts),
            lookups=tuple(self.lookups),
        )

    async def show_sources(self, places: Sequence[tuple[Passage, Span]]) -> None:
        """Say where the answer's sources stand, before its first sentence."""
        await self._turn.say(Sources(tuple(source_item(passage, span) for passage, span in places)))

    async def show_written(self, checked: VerifiedSentence, conflicts: Sequence[Conflict] = ()) -> None:
        """Show a written sentence that passed its checks, or say that it was withheld."""
        if checked.withheld:
            text = checked.drafted.text if is_readable(checked) else ""
            return await self.withhold(replace(checked.withheld, text=text))
        numbers = tuple(dict.fromkeys(self._cite(proof).n for proof in checked.proofs))
        conflicting = any(is_conflicting(conflicts, proof.passage.chunk_id, proof.span) for proof in checked.proofs)
        return await self._show(written_sentence(checked, numbers, conflicting=conflicting))

    async def show_quote(
        self, quote: Quote, passage: Passage, paragraph: int, conflicts: Sequence[Conflict] = ()
    ) -> None:
        """Show the sentences of a quote that passed its check, under one citation."""
        cited = make_citation(passage, quote.span, n=len(self._citations) + 1, verdict="supported")
        self._citations.append(cited)
        for index, sentence in enumerate(quote.sentences):
            claim = Claim(sentence.text, "supported", 1.0, sentence.text, "quoted")
            shown = AnswerSentence(
                sentence.text, "factual", "supported", 1.0, (cited.n,), True, paragraph, (claim,),
                conflicting=is_conflicting(conflicts, passage.chunk_id, sentence.span),
                clip=True,
                proof="quoted",
                lead=index == quote.lead,
            )  # fmt: skip
            await self._show(shown)

    async def withhold(self, withheld: WithheldSentence) -> None:
        """Say that a sentence is left out of the answer, and why."""
        self._withheld.append(withheld)
        await self._turn.say(SentenceWithheld(**asdict(withheld)))

    def continue_from(self, shown: ShownAnswer) -> None:
        """Take over what another turn showed, as its events are sent again."""
        self._sentences, self._citations = list(shown.sentences), list(shown.citations)
        self._withheld, self.chance, self.framing = list(shown.withheld), shown.chance, shown.framing

    async def _show(self, shown: AnswerSentence) -> None:
        self._sentences.append(shown)
        event = SentenceShown(
            text=shown.text,
            kind=shown.kind,
            verdict=shown.verdict,
            quoted=shown.quoted,
            support=shown.support,
            paragraph=shown.paragraph,
            claims=tuple(asdict(claim) for claim in shown.claims),
            citations=tuple(self._citations[n - 1].public() for n in shown.citations),
            block=shown.block,
            repair=shown.repair,
            conflicting=shown.conflicting,
            cards=shown.cards,
            clip=shown.clip,
            lead=shown.lead,
            proof=shown.proof,
        )
        await self._turn.say(event)

    def _cite(self, proof: Proof) -> AnswerCitation:
        """The proof's citation, numbered by first use; the same words are the same citation."""
        passage, (start, end) = proof.passage, proof.span
        for citation in self._citations:
            if (citation.chunk_id, citation.char_start, citation.char_end) == (passage.chunk_id, start, end):
                return citation
        cited = make_citation(passage, proof.span, n=len(self._citations) + 1, verdict=proof.verdict)
        self._citations.append(cited)
        return cited


def written_sentence(checked: VerifiedSentence, numbers: tuple[int, ...], *, conflicting: bool) -> AnswerSentence:
    """A sentence that passed, as its reader sees it; `numbers` are those of its citations."""
    return AnswerSentence(
        text=checked.drafted.text,
        kind=checked.kind,
        verdict=checked.verdict,
        support=checked.support,
        citations=numbers,
        quoted=checked.quoted,
        paragraph=checked.drafted.paragraph,
        claims=checked.claims,
        block=checked.drafted.block,
        repair=checked.repair,
        miscited=checked.miscited,
        terms=len(checked.terms),
        unverified=tuple(term.text for term in checked.terms if not term.held),
        conflicting=conflicting,
        cards=tuple(card_item(card) for card in cards_of(checked)),
        proof=checked.proof,
    )


def card_item(card: Card) -> dict[str, str]:
    url = place_url(card.passage, (0, len(card.passage.text)))
    return {"kind": card.kind, "title": card.passage.title, "address": card.address, "url": url}


def make_citation(passage: Passage, span: Span, *, n: int, verdict: str) -> AnswerCitation:
    """Cite a passage's words as number `n`."""
    return AnswerCitation(
        n=n,
        quote=passage.text[span[0] : span[1]],
        verdict=verdict,
        chunk_id=passage.chunk_id,
        chunk_hash=passage.content_hash,
        char_start=span[0],
        char_end=span[1],
        **source_item(passage, span),
    )
