"""Reads facts from plain declarative English: definitions, titles, relations, dates, quantities, attributions.

Careful rather than complete: a sentence that asks, hedges, commands, or depends on another one gives nothing. The
content of a fact is its sentence, so nothing is reworded that a reader could not find.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from corpus.domain.dates import dates_in
from corpus.domain.text.sentences import is_question, sentence_spans
from curation.domain.facts.candidate import FactCandidate, FactKind, SourceFacts, Span


@dataclass(frozen=True, slots=True)
class ExtractionRules:
    """words: of the longest sentence. subject_words, object_words: the longest subject and object. The rest: the
    confidence of each kind of pattern.
    """

    words: int = 40
    subject_words: int = 6
    object_words: int = 25
    relation: float = 0.9
    definition: float = 0.8
    attribution: float = 0.75


RULES = ExtractionRules()
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|may|could|would|should|if|unless|suppose|imagine|as though|seems?|"
    r"let us|let me|as it were|so to speak|some people|somebody|someone)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:But|And|So|Now|Then|Thus|Therefore|For|Also|Indeed|Again|Well|Of course),?\s+)+")
# Words that a subject cannot hold: it would depend on another sentence, or the pattern met a clause.
_NO_SUBJECT = frozenset(
    """it he she they we you this that these those there here who which what when where why how all every everything
    nothing one some any none both each other others such same first second last another his her their its my your our
    is are was were has have had be been being do does did can will shall must not never and or but if because as than
    by to with from for says said then now i me him them us mine ours yours hers theirs no yet still also really always
    only just even great blessed next third fourth former latter rest behind in on at under above within beyond before
    after like""".split()
)
# Alone, these point to a sentence before: “the result is …”.
_VAGUE = frozenset(
    """result results test question answer reason point fact idea difference conclusion effect aim story statement thing
    things cause case problem word words whole sum total outermost innermost highest lowest way means theory example
    explanation trouble consequence secret matter condition""".split()
)
_DEPENDENT = re.compile(
    r"^(?!that which|those who)(?:it|he|she|they|them|him|his|her|this|that|these|those|so|such|one|me|my)\b",
    re.IGNORECASE,
)
_S = r"(?P<subject>[^\s,;:()\"“”‘]+(?:\s+[^\s,;:()\"“”‘]+){0,5}?)"
_O = r"(?P<object>[^;:()\"“”]+?)"
_MADE = (
    "written|composed|founded|built|translated|discovered|painted|invented|compiled|established|taught|edited|spoken|"
    "created|commissioned|published|led|destroyed|conquered"
)
_MAKES = (
    "wrote|composed|founded|built|translated|discovered|painted|invented|compiled|established|edited|created|"
    "published|married|succeeded|visited|conquered|ruled"
)
_STATES = (
    "works at|works for|lives in|lives at|teaches at|serves as|belongs to|lies in|stands in|flows into|leads to|"
    "reports to|uses|worked at|worked for|lived in|taught at|studied at|studied under|moved to|served as|became|"
    "consists of|refers to|means|denotes|signifies|represents|symbolizes"
)
_BE = r"(?:is|are|was|were)"
_NUMBER = (
    r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)"
)


@dataclass(frozen=True, slots=True)
class SentencePattern:
    """A form of sentence with the groups subject, predicate and object."""

    form: re.Pattern[str]
    kind: FactKind
    confidence: float


def _pattern(form: str, kind: FactKind, confidence: float) -> SentencePattern:
    return SentencePattern(re.compile(rf"^{form}[.!]?$"), kind, confidence)


_SAYS = r"says|said|holds|held|teaches|taught|believes|believed|argues|argued|claims|claimed|declares|declared"
_ATTRIBUTED = (
    re.compile(rf"^{_S} (?P<predicate>(?:{_SAYS}) that) (?P<object>.+?)[.!]?$"),
    re.compile(rf"^(?P<predicate>According to) {_S}, (?P<object>.+?)[.!]?$"),
)
_OWN_OPINION = re.compile(r"^I (?P<predicate>(?:firmly )?(?:believe|think|hold) that) (?P<object>.+?)[.!]?$")
_PATTERNS = (
    _pattern(rf"{_S} (?P<predicate>(?:was|were) born (?:in|on|at)) {_O}", "event", RULES.relation),
    _pattern(rf"{_S} (?P<predicate>(?:died|passed away) (?:in|on|at)) {_O}", "event", RULES.relation),
    _pattern(rf"{_S} (?P<predicate>(?:is|are|was|were) (?:{_MADE}) (?:by|in)) {_O}", "event", RULES.relation),
    _pattern(rf"{_S} (?P<predicate>{_MAKES}) {_O}", "event", RULES.relation),
    _pattern(rf"{_S} (?P<predicate>{_STATES}) {_O}", "fact", RULES.relation),
    _pattern(rf"{_S} (?P<predicate>{_BE} (?:called|known as|named|entitled)) {_O}", "fact", RULES.relation),
    _pattern(
        rf"{_S} (?P<predicate>(?:is|was) the (?:\w+ ){{0,2}}\w+ of) {_O}", "fact", RULES.relation
    ),
    _pattern(
        rf"{_S} (?P<predicate>has|have|had|contains?|contained|comprises?|measures?|weighs?|weighed|lasts?|lasted|"
        rf"lived|lives for|reigned|numbers?) (?P<object>(?:\w+ ){{0,2}}{_NUMBER}\b[^;:()\"“”]*?)",
        "fact", RULES.relation,
    ),
    _pattern(rf"{_S} (?P<predicate>(?:is|are|was|were)(?: not)?) (?P<object>(?:a|an|the|one of) [^;:()\"“”]+?)", "fact",
             RULES.definition),
)  # fmt: skip
_IN_YEAR = re.compile(r"^In (?P<year>\d{4}),? (?P<rest>.+)$")
_YEAR = re.compile(r"\b(?:in|since|from) (\d{4})\b")
CHANGING = re.compile(r"^(?:works|lives|teaches at|serves|reports|uses|leads|is the)\b")


def facts_in(text: str, source: SourceFacts, rules: ExtractionRules = RULES) -> Iterator[FactCandidate]:
    """At most one fact per sentence, in order."""
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if "\n\n" in sentence or len(sentence.split()) > rules.words or is_question(sentence):
            continue
        if fact := fact_of(sentence, (start, end), source, rules):
            yield fact


def fact_of(sentence: str, span: Span, source: SourceFacts, rules: ExtractionRules = RULES) -> FactCandidate | None:
    """The fact of one sentence, or None. span: the sentence's characters in the source."""
    plain = _LEADING.sub("", " ".join(sentence.split()))
    plain = plain[:1].upper() + plain[1:]
    if opinion := _opinion(plain, span, source, rules):
        return opinion
    if _UNSURE.search(plain) or re.search(r"[\"“”?]|\b(?:I|me|my|we|us|our|you|your)\b", plain):
        return None
    dated = _IN_YEAR.match(plain)
    stated = dated["rest"][:1].upper() + dated["rest"][1:] if dated else plain
    for pattern in _PATTERNS:
        found = pattern.form.match(stated)
        if found and _is_plain(found["subject"], found["object"], rules):
            kind: FactKind = "event" if dated else pattern.kind
            begins = _begins(plain, found["predicate"], source)
            return FactCandidate(
                _bare(found["subject"]), found["predicate"], found["object"].strip(" ,"), plain, span, kind, "", begins,
                pattern.confidence,
            )  # fmt: skip
    return None


def _opinion(plain: str, span: Span, source: SourceFacts, rules: ExtractionRules) -> FactCandidate | None:
    own = _OWN_OPINION.match(plain)
    if own and source.speaker:
        return FactCandidate(
            source.speaker, own["predicate"].replace("I ", ""), own["object"], f"{source.speaker}: {plain}", span,
            "opinion", source.speaker, None, rules.attribution,
        )  # fmt: skip
    for form in _ATTRIBUTED:
        found = form.match(plain)
        if found and _is_plain(found["subject"], found["object"], rules):
            holder = _bare(found["subject"])
            return FactCandidate(
                holder, found["predicate"].lower(), found["object"], plain, span, "opinion", holder, None,
                rules.attribution,
            )  # fmt: skip
    return None


def _is_plain(subject: str, object_: str, rules: ExtractionRules) -> bool:
    words = [word.strip(".'’-").casefold() for word in subject.split()]
    if not 1 <= len(words) <= rules.subject_words or _NO_SUBJECT.intersection(words):
        return False
    if len(words) <= 2 and words[0] in ("the", "a", "an", words[-1]) and words[-1] in _VAGUE:
        return False
    return 1 <= len(object_.split()) <= rules.object_words and not _DEPENDENT.match(object_)


def _bare(subject: str) -> str:
    return re.sub(r"^(?:The|A|An) ", lambda article: article[0].lower(), subject)


def _begins(sentence: str, predicate: str, source: SourceFacts) -> date | None:
    """The day a fact begins: the first date of its sentence; the source's own where it states what may change.

    None where that day has not come yet.
    """
    named = next((day for day, _ in dates_in(sentence)), None)
    year = _YEAR.search(sentence) or _IN_YEAR.match(sentence)
    if not named and year and int(year[1]):
        named = date(int(year[1]), 1, 1)
    begins = named or (source.day if CHANGING.match(predicate) else None)
    return begins if begins and begins <= source.today else None
