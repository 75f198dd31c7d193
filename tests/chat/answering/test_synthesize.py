"""Quoting what stands at an address, without a database."""

from uuid import UUID, uuid4

from chat.answering.domain.evidence.evidence import Evidence
from chat.answering.domain.evidence.pool import Candidate, Hit
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules
from chat.answering.stages.synthesize import synthesize_quotes
from corpus.domain.passage import Passage

TALK = UUID(int=1)


def at_address(text, *, source=TALK):
    passage = Passage(uuid4(), source, "lecture", "talk:1", "A talk", text, "hash", 0)
    return Candidate(passage, 0.1, {"address": Hit(passage.chunk_id, "address", 1, 1.0)}, forced=True)


def sentences(passage, *rows, asked=True):
    """Return sentences of (text, paragraph), "" standing for one that may not be quoted."""
    placed, start = [], 0
    for position, (text, paragraph) in enumerate(rows):
        span = (start, start + len(text))
        placed.append(EvidenceSentence(passage, position, span, text, 0.5, paragraph=paragraph, asked=asked))
        start = span[1] + 1
    return [sentence for sentence in placed if sentence.text]


def quoted(candidates, *read):
    evidence = Evidence(tuple(candidates), tuple(sentence for some in read for sentence in some), 1.0)
    return [[sentence.text for sentence in quote.sentences] for quote in synthesize_quotes(evidence, QuotationRules())]


def test_what_the_overlap_of_two_chunks_repeats_is_quoted_once():
    first = sentences(0, ("One.", "talk:1"), ("Two.", "talk:1"))
    second = sentences(1, ("Two.", "talk:1"), ("Three.", "talk:1"))
    assert quoted([at_address("One. Two."), at_address("Two. Three.")], first, second) == [["One.", "Two."], ["Three."]]


def test_two_editions_of_one_verse_are_both_quoted():
    same = [("The work is yours.", "BG 2.47")]
    editions = [at_address("The work is yours."), at_address("The work is yours.", source=UUID(int=2))]
    assert quoted(editions, sentences(0, *same), sentences(1, *same)) == [["The work is yours."]] * 2


def test_a_sentence_that_may_not_be_quoted_is_not_within_a_quote():
    read = sentences(0, ("One.", "talk:1"), ("", "talk:1"), ("Three.", "talk:1"))
    assert quoted([at_address("One. Obey. Three.")], read) == [["One."], ["Three."]]
