"""Chunks lose nothing, are never too long and break where sentences do."""

import re

from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.chunking import ChunkRules, chunk_transcript, split_text
from corpus.domain.text.sentences import sentence_spans
from corpus.domain.transcript import SourceParagraph, assemble


def words(text):
    return [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]


def pairs(text):
    """Tokens of two characters that reach across spaces, as byte-pair tokenizers may have."""
    return [(at, min(at + 2, len(text))) for at in range(0, len(text), 2)]


def transcript_of(*paragraphs, headings=()):
    return assemble(
        SourceParagraph(text, f"talk:{n}", headings[n] if headings else "") for n, text in enumerate(paragraphs)
    )


def texts(transcript, rules, tokens=words):
    return [transcript.text[c.start : c.end] for c in chunk_transcript(transcript, tokens, rules)]


SENTENCE = "One two three four five six seven."  # 8 tokens
RULES = ChunkRules(max_tokens=42, overlap_tokens=8)


def test_short_paragraphs_are_packed_together():
    assert len(texts(transcript_of("A b c.", "D e f.", "G h i."), RULES)) == 1


def test_a_chunk_repeats_the_sentence_before_it():
    first, second = texts(transcript_of(" ".join([SENTENCE] * 8)), RULES)[:2]
    assert first.count(SENTENCE) == 5
    assert second.startswith(SENTENCE)
    assert second.count(SENTENCE) == 4


def test_no_chunk_crosses_a_heading():
    chunks = texts(transcript_of("A b c.", "D e f.", "G h i.", headings=("x", "x", "y")), RULES)
    assert chunks == ["A b c.\n\nD e f.", "G h i."]


def test_no_chunk_crosses_a_change_of_speaker():
    said = [("A b c.", "Ann"), ("D e f.", "Ann"), ("G h i.", "Bob"), ("J k l.", "Ann")]
    turns = assemble(SourceParagraph(text, f"talk:{n}", "", speaker) for n, (text, speaker) in enumerate(said))
    assert texts(turns, RULES) == ["A b c.\n\nD e f.", "G h i.", "J k l."]


def test_a_paragraph_begins_a_chunk_once_the_last_one_is_full_enough():
    chunks = texts(transcript_of(" ".join([SENTENCE] * 3), " ".join([SENTENCE] * 3)), ChunkRules(42, 0))
    assert [chunk.count(SENTENCE) for chunk in chunks] == [3, 3]


def test_a_sentence_longer_than_a_chunk_is_cut_at_clauses():
    sentence = ", ".join(["one two three four"] * 30) + "."
    chunks = texts(transcript_of(sentence), RULES)
    assert all(chunk.endswith(("four,", "four.")) for chunk in chunks)


def test_a_sentence_that_is_one_token_longer_alone_than_in_its_text_is_cut():
    # It begins in the middle of a token, so it seems to fit until it is counted on its own.
    chunks = texts(transcript_of("a", "abababababab."), ChunkRules(8, 0), pairs)
    assert "".join("".join(chunks).split()) == "aabababababab."


def test_a_verse_that_fits_is_one_chunk_with_its_lines():
    assert [(c.start, c.end) for c in split_text("a b\nc d", words, RULES)] == [(0, 7)]


paragraph = st.text(alphabet='ab. ?;,—\n"”XY', min_size=1, max_size=400).map(lambda t: " ".join(t.split())).filter(bool)


@given(
    st.lists(st.tuples(paragraph, st.sampled_from(["", "h"])), min_size=1, max_size=6),
    st.integers(6, 60),
    st.sampled_from([words, pairs]),
)
def test_chunks_cover_every_sentence_in_order_within_the_limit(rows, max_tokens, tokens):
    transcript = transcript_of(*(text for text, _ in rows), headings=[heading for _, heading in rows])
    rules = ChunkRules(max_tokens, overlap_tokens=8)
    chunks = chunk_transcript(transcript, tokens, rules)
    covered = set()
    for chunk in chunks:
        assert len(tokens(transcript.text[chunk.start : chunk.end])) == chunk.tokens <= rules.budget
        assert chunk.start <= chunk.fresh < chunk.end
        covered |= set(range(chunk.start, chunk.end))
    visible = {at for at, character in enumerate(transcript.text) if not character.isspace()}
    assert visible <= covered
    assert [c.fresh for c in chunks] == sorted({c.fresh for c in chunks})
    assert [c.end for c in chunks] == sorted({c.end for c in chunks})


@given(st.lists(paragraph, min_size=1, max_size=4))
def test_a_sentence_that_fits_is_never_cut(paragraphs):
    transcript = transcript_of(*paragraphs)
    rules = ChunkRules(60, overlap_tokens=8)
    chunks = chunk_transcript(transcript, words, rules)
    for placed in transcript.paragraphs:
        for start, end in sentence_spans(placed.paragraph.text):
            start, end = placed.start + start, placed.start + end
            if len(words(transcript.text[start:end])) <= rules.budget:
                assert any(c.start <= start and end <= c.end for c in chunks)


@given(st.text(alphabet="ab. ,\n", max_size=300))
def test_a_split_verse_keeps_every_word(text):
    chunks = split_text(text, words, ChunkRules(12))
    assert all(chunk.tokens <= 10 for chunk in chunks)
    kept = "".join(text[c.start : c.end] for c in chunks)
    assert "".join(kept.split()) == "".join(text.split())
