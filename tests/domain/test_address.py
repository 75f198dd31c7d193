"""Addresses as readers write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.address import address_key, addresses_in
from corpus.domain.book_names import aliases_for

BIBLE = ("Genesis", "Numbers", "Psalms", "Song of Solomon", "Mark", "John", "Acts", "1 Corinthians", "Job", "1 John")
BOOKS = aliases_for((*BIBLE, "BG")) | {
    "cw1 secret of work": "CW1:secret_of_work:",
    "vre chapter 5": "VRE:chapter-5:",
    "sample talk": "sample-talk:",
    "preach": "preach:",
}


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("BG 2.13", "bg 2 13"),
        ("John 11:35", "john 11 35"),
        ("CW1:secret_of_work:3", "cw1 secret of work 3"),
        ("VRE:chapter-5:19", "vre chapter 5 19"),
    ],
)
def test_an_address_folds_to_its_key(address, key):
    assert address_key(address) == key
    assert address_key(key) == key


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What does BG 2.13 say?", ["bg 2 13"]),
        ("Explain BG 2.13-15.", ["bg 2 13", "bg 2 14", "bg 2 15"]),
        ("Compare BG 2.13, 2.20 and 3.5", ["bg 2 13", "bg 2 20", "bg 3 5"]),
        ("Compare BG 2.13, 14 and 20", ["bg 2 13", "bg 2 14", "bg 2 20"]),
        ("What does John 11:35 say?", ["john 11 35"]),
        ("john 11:35", ["john 11 35"]),
        ("Psalm 23 verse 1", ["psalms 23 1"]),
        ("What is in chapter 2 verse 13 of the Gita?", ["bg 2 13"]),
        ("verse 13 of chapter 2 of the Bhagavad-gītā", ["bg 2 13"]),
        ("Gītā, chapter two, verse thirteen", ["bg 2 13"]),
        ("Bhagavad-gītā 2.47 please", ["bg 2 47"]),
        ("first Corinthians 13:4", ["1 corinthians 13 4"]),
        ("1 Corinthians 13:4", ["1 corinthians 13 4"]),
        ("II. is not I Cor 13:4", ["1 corinthians 13 4"]),
        ("1 John 4:8 and John 4:8", ["1 john 4 8", "john 4 8"]),
        ("Song of Songs 2:1", ["song of solomon 2 1"]),
        ("CW1:secret_of_work:3", ["cw1 secret of work 3"]),
        ("What says CW1 secret of work 3?", ["cw1 secret of work 3"]),
        ("VRE chapter-5 19", ["vre chapter 5 19"]),
        ("VRE chapter-5, paragraph 19", ["vre chapter 5 19"]),
        ("sample-talk:4", ["sample talk 4"]),
        ("What is preach:4?", ["preach 4"]),
    ],
)
def test_an_address_is_found(question, keys):
    assert [key for mention in addresses_in(question, BOOKS) for key in mention.keys] == keys


@pytest.mark.parametrize(
    "question",
    [
        "See page 3:15 of the notes",
        "We met John at 3:15",
        "He did the job 2.5 times as fast",
        "It acts 1.5 mm deep",
        "Was John 11 years old?",
        "Mark 3:15 pm in the calendar",
        "In 1893 he said 12:30 and 3.14",
        "Numbers like 42",
        "chapter 2 verse 13",
        "the BG 2",
        "I had to preach 3 sermons",
    ],
)
def test_ordinary_numbers_are_no_address(question):
    assert addresses_in(question, BOOKS) == ()


def test_a_mention_tells_what_was_written_and_what_it_means():
    (mention,) = addresses_in("So what of Gita 2:47-48?", BOOKS)
    assert (mention.text, mention.book, mention.chapter, mention.verses) == ("Gita 2:47-48", "BG", 2, (47, 48))


@given(
    st.sampled_from(["John", "Psalms", "1 Corinthians", "Song of Solomon", "BG"]),
    st.integers(1, 150),
    st.integers(1, 176),
    st.integers(0, 20),
    st.sampled_from(["{} {}:{}", "{} {}.{}", "{} chapter {} verse {}", "{} {}, verse {}"]),
    st.sampled_from(["", "What does ", "Tell me about "]),
    st.sampled_from(["", "?", " say?"]),
)
def test_what_is_formatted_is_parsed_again(book, chapter, verse, more, form, before, after):
    question = before + form.format(book, chapter, verse) + (f"-{verse + more}" if more else "") + after
    (mention,) = addresses_in(question, BOOKS)
    assert (mention.book, mention.chapter, mention.verses) == (book, chapter, tuple(range(verse, verse + more + 1)))


@given(st.text(max_size=200))
def test_no_question_breaks_it(question):
    addresses_in(question, BOOKS)
