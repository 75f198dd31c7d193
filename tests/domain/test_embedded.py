"""What of a chunk is embedded."""

from corpus.domain.embedded import embedded_hash, text_to_embed


def test_what_is_embedded_holds_the_text_last_and_whole():
    assert text_to_embed("The text.", "Of duty.") == "Of duty.\nThe text."
    assert text_to_embed("The text.") == "The text."


def test_a_sentence_makes_it_something_else_to_embed_and_none_leaves_it_as_it_was():
    hashes = {embedded_hash("The text.", sentence) for sentence in ("", "Of duty.", "Of work.")}
    assert len(hashes) == 3
    assert embedded_hash("The text.") in hashes
