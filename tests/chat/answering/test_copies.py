from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote
from chat.answering.passages.copies import without_copied_clips
from corpus.domain.text.sentences import sentence_spans
from corpus.models import Chunk
from corpus.selectors import passages, serving_space

SCALE = ((0.0, 0.0), (1.0, 1.0))


def test_clips_of_one_lecture_with_the_same_sentences_are_judged_once(corpus):
    (passage,) = passages([Chunk.objects.get(address="first-steps:1").pk])
    kept = [Candidate(passage, 0.1)]
    sentences = [
        EvidenceSentence(0, n, span, passage.text[slice(*span)], 0.5)
        for n, span in enumerate(sentence_spans(passage.text))
    ]
    first, again, last = Quote(0, tuple(sentences[:2])), Quote(0, tuple(sentences[:2])), Quote(0, (sentences[-1],))
    assert without_copied_clips([first, again, last], kept, serving_space(), SCALE) == [first, last]
    assert without_copied_clips([first, again], kept, serving_space(), None) == [first, again]
    assert without_copied_clips([first, again], kept, serving_space(), ()) == [first, again]
