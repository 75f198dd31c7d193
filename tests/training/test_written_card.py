from training.written_card import CARD, card


def test_the_card_counts_the_rows_that_are_there():
    assert CARD.read_text(encoding="utf-8") == card(), "Run `python -m training card`."
