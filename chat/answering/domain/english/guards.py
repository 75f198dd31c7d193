"""The guards: checks of one claim against one passage that yield objections.

Guards do not judge meaning, which is the verifier's task. They find what is certain: a number the evidence does not
have, an added negation, a name that nobody spoke. Source: shared/design/pipeline.md, stage 5.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chat.answering.domain.checking import CheckRules, Objection
from chat.answering.domain.english.alignment import Alignment, align
from chat.answering.domain.english.attribution import attributed_names, is_spoken_by, is_titled, named_titles
from chat.answering.domain.english.edits import NEGATIONS, NOW, REFUSALS, UNIVERSALS, ClaimAndSentence, departures
from chat.answering.domain.english.past_habits import stated_as_present
from chat.answering.domain.english.snippets import contains_word_for_word, find_quotation, quotations
from chat.answering.domain.english.verdicts import claim_verdict
from chat.answering.domain.english.word_order import stray_articles
from chat.answering.domain.terms import ClaimTerm, EvidenceTerms, evidence_terms, missing, terms_of
from chat.answering.domain.words import SentenceWords, Stem, Words, sentences_in, words_in
from corpus.domain.addresses.address import address_keys
from corpus.domain.addresses.parsing import addresses_in
from corpus.domain.addresses.words import AddressBook
from corpus.domain.passage import Passage, Span
from corpus.domain.text.folding import fold

_DENIALS = NEGATIONS | REFUSALS | frozenset("rather instead except only few".split())
_BROAD_UNIVERSALS = UNIVERSALS | frozenset("any anyone anything whatever whoever wherever universal invariably".split())
# Negations of a verb. The others may restate: "no other shop is larger" means "the largest".
_VERB_NEGATIONS = NEGATIONS - frozenset("no none nothing nobody nowhere neither nor without".split())
_LOOSE_UNIVERSALS = frozenset({"whole", "entire", "only"})


@dataclass(frozen=True, slots=True)
class SourceText:
    """A passage prepared for the checks, reused for all claims.

    text: the passage, with sentences addressed to a machine blanked out. words: those of the remaining sentences.
    metadata: words of its title, speaker and day. terms: those of `words` and `metadata` together.
    """

    passage: Passage
    text: str
    sentences: tuple[SentenceWords, ...]
    words: Words
    metadata: Words
    terms: EvidenceTerms

    @classmethod
    def of(cls, passage: Passage, text: str, metadata: str, stem: Stem) -> "SourceText":
        """metadata: see `metadata_sentences`."""
        sentences = sentences_in(text, stem)
        words = tuple(word for sentence in sentences for word in sentence.words)
        described = words_in(metadata, stem)
        return cls(passage, text, sentences, words, described, evidence_terms([words, described]))


@dataclass(frozen=True, slots=True)
class Library:
    """The editors' data that a check needs.

    synonyms: for a text, the alternatives of each stem, each a list of stems that must occur together. book: address
    schemes; None to skip the address check. terms: for a text, the stems of its glossary terms.
    """

    synonyms: Callable[[str], Mapping[str, Sequence[Sequence[str]]]] = lambda text: {}
    book: AddressBook | None = None
    terms: Callable[[str], Collection[str]] = lambda text: ()


@dataclass(frozen=True, slots=True)
class TurnContext:
    """Shared by all claims of a turn. question: folded words of the question. names: folded names of the evidence."""

    stem: Stem
    question: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    library: Library = field(default_factory=Library)


@dataclass(frozen=True, slots=True)
class VerifierJudgement:
    """A verifier's judgement of a claim. support: 0..1. span: the deciding characters of the evidence.

    passed_bar: the verifier passed the hand-written bar, so claims it supports may be called verified.
    """

    label: str
    support: float
    span: Span | None = None
    passed_bar: bool = False


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim checked against one passage. span: its evidence there. support: 0..1.

    own_words: the claim follows one sentence of the source closely. verified: it is supported, and either the verifier
    passed the hand-written bar or the source contains the claim word for word.
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
    text: str,
    source: SourceText,
    judgement: VerifierJudgement,
    turn: TurnContext,
    rules: CheckRules,
    *,
    concludes: bool = False,
) -> CheckedClaim:
    """Check a claim against one passage with every guard and the verifier's judgement. concludes: its sentence says so.

    A claim in its source's own words is shown against the verifier, but as supported only word for word or where the
    verifier has little doubt. Nothing overrides another guard.
    """
    words = words_in(text, turn.stem)
    alignment = align(words, source.sentences)
    near = evidence_terms([*(sentence.words for sentence in alignment.near), source.metadata])
    terms = _terms(text, words, source, near, turn)
    objections = [
        *_word_order(text, words, source), *_wording(words, alignment, near, turn, rules), *_missing_terms(terms, turn),
        *_attributions(text, alignment, source, turn), *_addresses(text, source, turn.library),
    ]  # fmt: skip
    follows_source = not objections and alignment.likeness >= rules.own_words and alignment.share >= rules.own_share
    is_quoted = follows_source and contains_word_for_word(text, source.sentences)
    if not follows_source and judgement.support < rules.partial_from:
        objections.append(Objection("verifier", judgement.label))
    aligned = alignment.span if follows_source or alignment.likeness >= rules.near else None
    span = (
        _quotation(text, source, rules) or aligned or judgement.span or alignment.span or (0, len(source.passage.text))
    )
    if not source.passage.is_playable(span):
        objections.append(Objection("time", "seconds"))
    is_sure = is_quoted or judgement.support >= (rules.own_from if follows_source else rules.verified_from)
    support = max(judgement.support, rules.own_support) if follows_source and is_sure else judgement.support
    verdict = claim_verdict(
        objections,
        is_sure=is_sure,
        lacks_terms=bool(missing(terms, "word", "name")),
        concludes=concludes,
    )
    return CheckedClaim(
        source=source,
        span=span,
        terms=terms,
        objections=tuple(objections),
        verdict=verdict,
        support=round(support, 4),
        own_words=follows_source,
        verified=verdict == "supported" and (judgement.passed_bar or is_quoted),
    )


def _terms(
    text: str, words: Words, source: SourceText, near: EvidenceTerms, turn: TurnContext
) -> tuple[ClaimTerm, ...]:
    """Names and technical terms are looked up in the whole passage, numbers only near the evidence.

    A glossary term counts as found if the passage has one of its synonyms.
    """
    evidence = replace(source.terms, numbers=near.numbers)
    terms = terms_of(words, evidence, names=turn.names, technical=turn.library.terms(text))
    if not missing(terms, "name", "word"):
        return terms
    synonyms = turn.library.synonyms(text).items()
    found = {stem for stem, forms in synonyms if any(set(form) <= source.terms.stems for form in forms)}
    texts = {word.text for word in words if word.stem in found}
    return tuple(replace(term, held=term.held or term.text in texts) for term in terms)


def _quotation(text: str, source: SourceText, rules: CheckRules) -> Span | None:
    """The span of the first of the claim's quotations that the source contains."""
    found = (find_quotation(quote, source.sentences) for quote in quotations(text, words=rules.quote_words))
    return next(filter(None, found), None)


def _word_order(text: str, words: Words, source: SourceText) -> Iterator[Objection]:
    """Object to stray articles, unless the source has them too."""
    strays = tuple(stray_articles(text, words))
    in_source = set(stray_articles(source.text, source.words)) if strays else set()
    for article in strays:
        if article not in in_source:
            yield Objection("wording", "order", article)


def _wording(
    claim: Words, alignment: Alignment, near: EvidenceTerms, turn: TurnContext, rules: CheckRules
) -> Iterator[Objection]:
    """Object to changed meaning: edit by edit in a claim close to its source, otherwise only to strong words."""
    if verb := stated_as_present(claim, alignment.sentences):
        yield Objection("wording", "tense", verb)
    if alignment.sentences and alignment.likeness >= rules.near:
        pair = ClaimAndSentence(claim, alignment.sentences[0].words, turn.names, near.numbers)
        for departure in departures(alignment.edits, pair):
            yield Objection("wording", departure.kind, departure.words)
        return
    in_claim = {word.folded for word in claim}
    in_evidence = {word.folded for sentence in alignment.near for word in sentence.words}
    for kind, strong, sufficient in (
        ("overgeneralised", UNIVERSALS - _LOOSE_UNIVERSALS, _BROAD_UNIVERSALS),
        ("tense", NOW, NOW),
        ("negation", _VERB_NEGATIONS, _DENIALS),
    ):
        if in_claim & strong and not in_evidence & sufficient:
            yield Objection("wording", kind, " ".join(sorted(in_claim & strong)))


def _missing_terms(terms: Sequence[ClaimTerm], turn: TurnContext) -> Iterator[Objection]:
    """Object to numbers that the evidence lacks, and to names that neither it nor the question has."""
    for text in missing(terms, "number"):
        yield Objection("terms", "number", text)
    for text in missing(terms, "name"):
        if fold(text) not in turn.question:
            yield Objection("terms", "name", text)


def _attributions(text: str, alignment: Alignment, source: SourceText, turn: TurnContext) -> Iterator[Objection]:
    """Object to speakers and titles that the evidence does not confirm."""
    for name in attributed_names(text):
        if not is_spoken_by(words_in(name, turn.stem), alignment.near, source.metadata):
            yield Objection("attribution", "speaker", name)
    for title in named_titles(text):
        if not is_titled(words_in(title, turn.stem), source.metadata, source.words):
            yield Objection("attribution", "title", title)


def _addresses(text: str, source: SourceText, library: Library) -> Iterator[Objection]:
    """Object to an address that is neither the source's own nor named in it."""
    named = addresses_in(text, library.book) if library.book else ()
    if not named or not library.book:
        return
    addresses = [source.passage.address, *(paragraph.address for paragraph in source.passage.paragraphs)]
    keys = {key for address in addresses for key in address_keys(address)}
    keys |= {key for mention in addresses_in(source.text, library.book) for key in mention.keys}
    for mention in named:
        if mention.keys and not keys & set(mention.keys) and not any(map(mention.covers, addresses)):
            yield Objection("address", "address", mention.text)
