"""A stretch of a transcript holds exactly the paragraphs and cues that share a character with it."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.passage import Cue
from corpus.domain.transcript import SourceParagraph, assemble

TEXTS = st.lists(st.text("abc ", min_size=1, max_size=12), min_size=1, max_size=12)


@given(TEXTS, st.integers(0, 170), st.integers(0, 60))
def test_a_stretch_holds_what_shares_a_character_with_it(texts, start, length):
    paragraphs = [
        SourceParagraph(text, str(number), cues=(Cue(0, len(text), number, number + 1.0),))
        for number, text in enumerate(texts)
    ]
    transcript, end = assemble(paragraphs), start + length
    held = [placed for placed in transcript.paragraphs if placed.start < end and placed.end > start]
    found = transcript.paragraphs_within(start, end)
    assert [(paragraph.paragraph, paragraph.start, paragraph.end) for paragraph in found] == [
        (paragraph.paragraph, max(paragraph.start, start) - start, min(paragraph.end, end) - start)
        for paragraph in held
    ]
    assert [cue.start_s for cue in transcript.cues_within(start, end)] == [
        float(paragraph.paragraph.address) for paragraph in held
    ]
