"""The time of a chunk, and of a quote in it, is that of the cues that hold the words: never another, never invented."""

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.domain.chunking import ChunkRules, chunk_transcript
from corpus.domain.cues import SpokenCue, timed_paragraphs
from corpus.domain.passage import Passage
from corpus.domain.transcript import SourceParagraph, assemble
from lectorium.providers.stand_ins.hashing import HashingEmbedder

WORDS = st.lists(st.sampled_from("one two three. four, five! six? [music] ﬁve DR. X: [applause]".split()), max_size=12)
ROWS = st.lists(st.tuples(WORDS, st.floats(0.1, 9), st.floats(0, 3)), min_size=1, max_size=25)


def cut(rows):
    """Return the transcript of cues, and its chunks of at most twelve words as (chunk, passage)."""
    now, cues = 0.0, []
    for number, (words, length, gap) in enumerate(rows, start=1):
        cues.append(SpokenCue(number, " ".join(words), now + gap, now + gap + length))
        now += gap + length
    transcript = assemble(timed_paragraphs(cues, "talk"))
    return transcript, chunk_transcript(transcript, HashingEmbedder().token_spans, ChunkRules(12, 4))


def passage(transcript, span):
    cues = transcript.cues_within(span.start, span.end)
    return Passage(None, None, "lecture", "", "", transcript.text[span.start : span.end], "", 0, cues=cues)


@settings(deadline=None)
@given(ROWS)
def test_a_chunk_begins_and_ends_with_the_cues_of_its_first_and_last_word(rows):
    transcript, spans = cut(rows)
    for span in spans:
        holding = [cue for cue in transcript.cues if cue.start < span.end and cue.end > span.start]
        assert holding
        assert passage(transcript, span).seconds_at((0, span.end - span.start)) == (
            holding[0].start_s,
            holding[-1].end_s,
        )


@settings(deadline=None)
@given(ROWS, st.data())
def test_a_quote_has_the_time_of_exactly_the_cues_it_touches(rows, data):
    transcript, spans = cut(rows)
    if not spans:
        return
    span = data.draw(st.sampled_from(spans))
    length = span.end - span.start
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, length))
    touched = [c for c in transcript.cues if c.start < span.start + end and c.end > span.start + start]
    expected = (touched[0].start_s, touched[-1].end_s) if touched else None
    assert passage(transcript, span).seconds_at((start, end)) == expected


def test_a_text_without_cues_has_no_times():
    transcript = assemble([SourceParagraph("One two three.", "talk:1")])
    (span,) = chunk_transcript(transcript, HashingEmbedder().token_spans, ChunkRules(12, 4))
    assert passage(transcript, span).seconds_at((0, 3)) is None
