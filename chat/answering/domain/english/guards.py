"""The guards: each looks at one claim beside one passage, and objects or does not.

They know nothing of meaning; that is the verifier's part. What they know is certain: a number that is not there, a
negation put in, a name nobody spoke. Source: shared/design/pipeline.md, stage 5 (term, address and attribution checks).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chat.answering.domain.checking import CheckRules, Objection
from chat.answering.domain.english.alignment import Alignment, align
from chat.answering.domain.english.attribution import is_said_there, is_titled, said_by, titles_in
from chat.answering.domain.english.edits import NEGATIONS, NOW, REFUSALS, UNIVERSALS, ClaimAndSentence, departures
from chat.answering.domain.english.past_habits import stated_as_present
from chat.answering.domain.english.snippets import find_quotation, quotations, stands_word_for_word
from chat.answering.domain.english.word_order import stray_articles
from chat.answering.domain.terms import ClaimTerm, EvidenceTerms, evidence_terms, missing, terms_of
from chat.answering.domain.words import SentenceWords, Stem, Words, sentences_in, words_in
from corpus.domain.addresses.address import address_keys
from corpus.domain.addresses.parsing import addresses_in
from corpus.domain.addresses.words import AddressBook
from corpus.domain.passage import Passage, Span

CONTRADICTING = frozenset({"negation", "number", "opposite", "swapped", "tense", "contradicted"})
_DENIALS = NEGATIONS | REFUSALS | frozenset("rather instead except only few".split())
_WHOLES = UNIVERSALS | frozenset("any anyone anything whatever whoever wherever universal invariably".split())
# "No other shop is larger" may stand for "the largest"; these deny a verb.
_NOT = NEGATIONS - frozenset("no none nothing nobody nowhere neither nor without".split())
_LOOSE_UNIVERSALS = frozenset({"whole", "entire", "only"})


@dataclass(frozen=True, slots=True)
class SourceText:
    """A passage as the checks read it, once for all claims.

    text: its own, in which sentences that speak to a machine are blanked out. words: those of the other sentences.
    known: the words of what is known of it (title, speaker, day). held: what words and known hold together.
    """

    passage: Passage
    text: str
    sentences: tuple[SentenceWords, ...]
    words: Words
    known: Words
    held: EvidenceTerms

    @classmethod
    def of(cls, passage: Passage, text: str, known: str, stem: Stem) -> "SourceText":
        """Read a passage; `known` says what is known of it, in sentences."""
        sentences = sentences_in(text, stem)
        words = tuple(word for sentence in sentences for word in sentence.words)
        about = words_in(known, stem)
        return cls(passage, text, sentences, words, about, evidence_terms([words, about]))


@dataclass(frozen=True, slots=True)
class Library:
    """What editors keep that a check needs. synonyms: for a text, by stem the stems that together mean the same.

    book: how addresses are written; None where none is checked. terms: for a text, the stems of its words that are
    terms of the glossary.
    """

    synonyms: Callable[[str], Mapping[str, Sequence[Sequence[str]]]] = lambda text: {}
    book: AddressBook | None = None
    terms: Callable[[str], Collection[str]] = lambda text: ()


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What every claim of a turn is read with: words of the question and names of the evidence, both folded."""

    stem: Stem
    question: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    library: Library = field(default_factory=Library)


@dataclass(frozen=True, slots=True)
class VerifierJudgement:
    """What a verifier said of a claim beside a passage: its label, support 0..1, and the evidence's characters.

    passed_bar: the verifier passed the hand-written bar, so what it supports may be called verified.
    """

    label: str
    support: float
    span: Span | None = None
    passed_bar: bool = False


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim beside one passage: where it stands there, its terms, what was objected, the verdict and support 0..1.

    own_words: the claim follows one sentence of the source closely. verified: it is supported, and either a verifier
    that passed the hand-written bar said so or the claim stands in the source word for word.
    """

    source: SourceText
    span: Span
    terms: tuple[ClaimTerm, ...]
    objections: tuple[Objection, ...]
    verdict: str
    support: float
    own_words: bool
    verified: bool

    @property
    def evidence(self) -> str:
        return self.source.passage.text[slice(*self.span)]


def check_claim(
    text: str, source: SourceText, judged: VerifierJudgement, turn: TurnContext, rules: CheckRules
) -> CheckedClaim:
    """Return what becomes of a claim beside one passage.

    The verifier alone can be outvoted, where a claim is its source's own words; no other guard can.
    """
    words = words_in(text, turn.stem)
    alignment = align(words, source.sentences)
    near = evidence_terms([*(sentence.words for sentence in alignment.near), source.known])
    terms = _terms(text, words, source, near, turn)
    objections = [
        *_order(text, words, source),
        *_wording(words, alignment, near, turn, rules),
        *_missing(terms, turn),
        *_attributions(text, alignment, source, turn),
        *_addresses(text, source, turn.library),
    ]
    own = not objections and alignment.likeness >= rules.own_words and alignment.share >= rules.own_share
    if not own and judged.support < rules.partial_from:
        objections.append(Objection("verifier", judged.label))
    follows = alignment.span if own or alignment.likeness >= rules.near else None
    quoted = _quoted(text, source, rules)
    span = quoted or follows or judged.span or alignment.span or (0, len(source.passage.text))
    if not source.passage.is_playable(span):
        objections.append(Objection("time", "seconds"))
    verdict = _verdict(objections, terms, own or judged.support >= rules.verified_from)
    return CheckedClaim(
        source=source,
        span=span,
        terms=terms,
        objections=tuple(objections),
        verdict=verdict,
        support=round(max(judged.support, rules.own_support) if own else judged.support, 4),
        own_words=own,
        verified=verdict == "supported"
        and (judged.passed_bar or (own and stands_word_for_word(text, source.sentences))),
    )


def _terms(
    text: str, words: Words, source: SourceText, near: EvidenceTerms, turn: TurnContext
) -> tuple[ClaimTerm, ...]:
    """Look names and technical terms up in the whole passage, numbers only near the evidence.

    A term that the glossary knows by another name is held where that one stands.
    """
    held = replace(source.held, numbers=near.numbers)
    terms = terms_of(words, held, names=turn.names, technical=turn.library.terms(text))
    if not missing(terms, "name", "word"):
        return terms
    meant = {
        stem for stem, others in turn.library.synonyms(text).items() if any(set(o) <= source.held.stems for o in others)
    }
    known = {word.text for word in words if word.stem in meant}
    return tuple(replace(term, held=term.held or term.text in known) for term in terms)


def _quoted(text: str, source: SourceText, rules: CheckRules) -> Span | None:
    """Return where the source has what the claim quotes first."""
    found = (find_quotation(quote, source.sentences) for quote in quotations(text, words=rules.quote_words))
    return next(filter(None, found), None)


def _order(text: str, words: Words, source: SourceText) -> Iterator[Objection]:
    """Object to words in an order that nobody says, and that the source does not have either."""
    strays = tuple(stray_articles(text, words))
    held = set(stray_articles(source.text, source.words)) if strays else set()
    for about in strays:
        if about not in held:
            yield Objection("wording", "order", about)


def _wording(
    claim: Words, alignment: Alignment, near: EvidenceTerms, turn: TurnContext, rules: CheckRules
) -> Iterator[Objection]:
    """Object to what a claim says otherwise than its source, word by word where it follows it closely."""
    if verb := stated_as_present(claim, alignment.sentences):
        yield Objection("wording", "tense", verb)
    if alignment.sentences and alignment.likeness >= rules.near:
        beside = ClaimAndSentence(claim, alignment.sentences[0].words, turn.names, near.numbers)
        for departure in departures(alignment.edits, beside):
            yield Objection("wording", departure.kind, departure.words)
        return
    said = {word.folded for word in claim}
    held = {word.folded for sentence in alignment.near for word in sentence.words}
    for kind, strong, enough in (
        ("overgeneralised", UNIVERSALS - _LOOSE_UNIVERSALS, _WHOLES),
        ("tense", NOW, NOW),
        ("negation", _NOT, _DENIALS),
    ):
        if said & strong and not held & enough:
            yield Objection("wording", kind, " ".join(sorted(said & strong)))


def _missing(terms: Sequence[ClaimTerm], turn: TurnContext) -> Iterator[Objection]:
    """Object to a number that the evidence does not hold, and to a name that neither it nor the question has."""
    for text in missing(terms, "number"):
        yield Objection("terms", "number", text)
    for text in missing(terms, "name"):
        if text.casefold() not in turn.question:
            yield Objection("terms", "name", text)


def _attributions(text: str, alignment: Alignment, source: SourceText, turn: TurnContext) -> Iterator[Objection]:
    """Object to a speaker and to a title that the evidence does not bear out."""
    for name in said_by(text):
        if not is_said_there(words_in(name, turn.stem), alignment.near, source.known):
            yield Objection("attribution", "speaker", name)
    for title in titles_in(text):
        if not is_titled(words_in(title, turn.stem), source.known, source.words):
            yield Objection("attribution", "title", title)


def _addresses(text: str, source: SourceText, library: Library) -> Iterator[Objection]:
    """Object to an address that is neither the source's own nor named in it: what cites BG 2.13 must be BG 2.13."""
    named = addresses_in(text, library.book) if library.book else ()
    if not named or not library.book:
        return
    places = [source.passage.address, *(paragraph.address for paragraph in source.passage.paragraphs)]
    held = {key for place in places for key in address_keys(place)}
    held |= {key for mention in addresses_in(source.text, library.book) for key in mention.keys}
    for mention in named:
        if mention.keys and not held & set(mention.keys) and not any(map(mention.covers, places)):
            yield Objection("address", "address", mention.text)


def _verdict(objections: Sequence[Objection], terms: Sequence[ClaimTerm], verified: bool) -> str:
    if not objections:
        return "supported" if verified and not missing(terms, "word", "name") else "partial"
    return "contradicted" if any(objection.reason in CONTRADICTING for objection in objections) else "unsupported"
