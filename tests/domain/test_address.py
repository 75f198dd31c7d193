"""Addresses as readers write them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.addresses.address import Scheme, address_key, address_keys, chapters_of, numbers_of, sort_key
from corpus.domain.addresses.book_names import shelf, spellings
from corpus.domain.addresses.parsing import addresses_in, without_addresses
from corpus.domain.addresses.words import AddressBook
from corpus.domain.text.folding import fold

LECTURES = {
    "cw1 secret of work": "CW1:secret_of_work:",
    "vre chapter 5": "VRE:chapter-5:",
    "sample talk": "sample-talk:",
    "preach": "preach:",
}
NAMES = {
    fold(name): scheme for scheme, names in shelf() for name in spellings([scheme.label, scheme.title, *names])
} | {fold(name): Scheme(label, "", ("paragraph",)) for name, label in LECTURES.items()}
BOOKS = AddressBook(NAMES)
LABELS = {scheme.label: scheme for scheme, _ in shelf()}


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
        ("preach, paragraph 4", ["preach 4"]),
        ("paragraph 4 of sample talk", ["sample talk 4"]),
        ("SB 1.2.3-4", ["sb 1 2 3", "sb 1 2 4"]),
        ("Srimad Bhagavatam canto 1, chapter 2, verse 3", ["sb 1 2 3"]),
        ("third verse of the second chapter of the Gita", ["bg 2 3"]),
        ("the second chapter of the Gita, verse thirteen", ["bg 2 13"]),
        ("verse twenty-one of the second chapter of Genesis", ["genesis 2 21"]),
        ("CC Adi 1.1", ["cc adi 1 1"]),
        ("Chaitanya Charitamrita Adi-lila 1.1", ["cc adi 1 1"]),
        ("BG2.13", ["bg 2 13"]),
        ("BG 2/13", ["bg 2 13"]),
        ("BG 2/13-15", ["bg 2 13", "bg 2 14", "bg 2 15"]),
        ("BG 2.13/14", ["bg 2 13"]),
        ("BG II.13", ["bg 2 13"]),
        ("What says John XI:35?", ["john 11 35"]),
        ("chapter XVIII, verse 66 of the Gita", ["bg 18 66"]),
        ("BG 2.13-2.15", ["bg 2 13", "bg 2 14", "bg 2 15"]),
        ("BG 2.13 and 20 people", ["bg 2 13"]),
        ("गीता २.१३", ["bg 2 13"]),
        ("भगवद्गीता अध्याय २ श्लोक १३", ["bg 2 13"]),
        ("श्रीमद्भागवतम् १.२.३", ["sb 1 2 3"]),
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
        "What is 2.13?",
        "BG 1.2.2024",
        "BG 1/2/2024",
        "BG IIX.13",
        "John 3:16%",
        "In Mark 12 people spoke",
        "I had to preach 3 sermons",
    ],
)
def test_ordinary_numbers_are_no_address(question):
    assert addresses_in(question, BOOKS) == ()


@pytest.mark.parametrize(
    ("question", "chapter"),
    [
        ("Psalm 23", "Psalms 23"),
        ("What does BG 2 say?", "BG 2"),
        ("chapter 2 of the Gita", "BG 2"),
        ("the second chapter of the Gita", "BG 2"),
        ("SB 1.2", "SB 1.2"),
        ("twenty-third chapter of Genesis", "Genesis 23"),
        ("Read me John 11.", "John 11"),
    ],
)
def test_a_whole_chapter_is_found(question, chapter):
    (mention,) = addresses_in(question, BOOKS)
    assert mention.is_whole_chapter
    assert mention.address == chapter


@pytest.mark.parametrize(
    ("question", "chapters"),
    [
        ("BG 2-3", ["BG 2", "BG 3"]),
        ("What do BG 3-4 say?", ["BG 3", "BG 4"]),
        ("Read John 3-4.", ["John 3", "John 4"]),
        ("Psalms 120 to 122", ["Psalms 120", "Psalms 121", "Psalms 122"]),
        ("chapters 2 to 3 of the Gita", ["BG 2", "BG 3"]),
        ("Gita, chapters two through three", ["BG 2", "BG 3"]),
        ("SB 1.2-3", ["SB 1.2", "SB 1.3"]),
        ("canto 1, chapters 2-3 of the Bhagavatam", ["SB 1.2", "SB 1.3"]),
        ("1 Corinthians 12–13", ["1 Corinthians 12", "1 Corinthians 13"]),
        ("गीता २-३", ["BG 2", "BG 3"]),
    ],
)
def test_a_range_of_chapters_goes_from_the_first_to_the_last(question, chapters):
    (mention,) = addresses_in(question, BOOKS)
    assert mention.is_whole_chapter
    assert [mention.scheme.address(*end) for end in (mention.first, mention.last)] == [chapters[0], chapters[-1]]


@pytest.mark.parametrize("question", ["John 3-16", "Psalms 1-150", "BG 3-2", "Was John 3-4 years old?", "job 2-3"])
def test_what_is_no_range_of_chapters_names_none(question):
    assert addresses_in(question, BOOKS) == ()


@pytest.mark.parametrize(
    ("question", "address"),
    [
        ("BG 2.70-3.5", "BG 2.70-3.5"),
        ("Read John 3:36–4:2.", "John 3:36-4:2"),
        ("Gita chapters 2.70 to 3.5", "BG 2.70-3.5"),
        ("chapters 2.70 to 3.5 of the Gita", "BG 2.70-3.5"),
        ("What do verses 2.70 through 3.5 of the Gita say?", "BG 2.70-3.5"),
        ("from BG 2.70 to BG 3.5", "BG 2.70-3.5"),
        ("BG 2.70 until Gita 3.5", "BG 2.70-3.5"),
        ("Gita, chapter 2, verse 70 to chapter 3, verse 5", "BG 2.70-3.5"),
        ("from chapter two, verse seventy through chapter three, verse five of the Gita", "BG 2.70-3.5"),
        ("chapter 2 to chapter 3 of the Gita", "BG 2-3"),
        ("verse 13 to verse 15 of chapter 2 of the Gita", "BG 2.13-15"),
        ("1 John 4:20-5:2", "1 John 4:20-5:2"),
        ("SB 1.2.34-1.3.2", "SB 1.2.34-3.2"),
        ("SB 1.2.34-3.2", "SB 1.2.34-3.2"),
        ("SB 1.19.40-2.1.1", "SB 1.19.40-2.1.1"),
        ("canto 1, chapter 2, verse 34 to chapter 3, verse 2 of the Bhagavatam", "SB 1.2.34-3.2"),
        ("गीता २.७०-३.५", "BG 2.70-3.5"),
        ("BG 2.13-200", "BG 2.13-200"),
        ("BG 2.20-13", "BG 2.20-13"),
        ("BG 3.5-2.70", "BG 3.5-2.70"),
        ("chapters 3 to 2 of the Gita", "BG 3-2"),
    ],
)
def test_a_range_has_two_ends(question, address):
    (mention,) = addresses_in(question, BOOKS)
    assert mention.address == address


@pytest.mark.parametrize(
    ("address", "covered"),
    [
        ("BG 2.70", True), ("BG 2.72", True), ("bg 3.1", True), ("BG 3.5", True), ("BG 3.1-4", True),
        ("BG 2.69", False), ("BG 3.6", False), ("BG 3", False), ("John 3.1", False), ("CW1:raja_yoga:3", False),
    ],
)  # fmt: skip
def test_a_range_covers_what_begins_between_its_ends(address, covered):
    (mention,) = addresses_in("BG 2.70-3.5", BOOKS)
    assert mention.covers(address) is covered


def test_of_a_range_across_chapters_the_ends_alone_are_known_without_counts():
    (mention,) = addresses_in("BG 2.70-3.5", BOOKS)
    assert mention.addresses == ("BG 2.70", "BG 3.5")


def test_what_follows_a_range_across_chapters_belongs_to_its_last():
    mentions = addresses_in("BG 2.70-3.5, 8 and 4.1-5.2", BOOKS)
    assert [mention.address for mention in mentions] == ["BG 2.70-3.5", "BG 3.8", "BG 4.1-5.2"]


@pytest.mark.parametrize(
    ("question", "addresses"),
    [
        ("Compare BG 2.13 to BG 3.5", ["BG 2.13", "BG 3.5"]),
        ("BG 2.13 to John 3:16", ["BG 2.13", "John 3:16"]),
        ("John 3:16 - 3 questions", ["John 3:16"]),
        ("BG 2.13 - 4.5.2024", ["BG 2.13"]),
        ("verse 13 of chapters 2 to 3 of the Gita", ["BG 2-3"]),
        ("BG 2.13 to verse", ["BG 2.13"]),
    ],
)
def test_what_is_no_range_leaves_its_addresses(question, addresses):
    assert [mention.address for mention in addresses_in(question, BOOKS)] == addresses


def test_a_mention_tells_what_was_written_and_what_it_means():
    (mention,) = addresses_in("So what of Gita 2:47-48?", BOOKS)
    assert (mention.text, mention.scheme.label, mention.first, mention.last) == ("Gita 2:47-48", "BG", (2, 47), (2, 48))
    assert mention.address == "BG 2.47-48"
    assert mention.addresses == ("BG 2.47", "BG 2.48")


def test_what_a_question_says_beside_its_addresses_is_left():
    question = "What does BG 2.13 say of the soul, and John 11:35?"
    assert (
        without_addresses(question, addresses_in(question, BOOKS)).split() == "What does say of the soul, and ?".split()
    )


@pytest.mark.parametrize(
    ("address", "keys"),
    [
        ("BG 2.13", ("bg 2 13",)),
        ("BG 1.16-18", ("bg 1 16 18", "bg 1 16", "bg 1 17", "bg 1 18")),
        ("SB 1.2.3–4", ("sb 1 2 3 4", "sb 1 2 3", "sb 1 2 4")),
        ("CW1:secret_of_work:3", ("cw1 secret of work 3",)),
    ],
)
def test_a_section_is_found_by_every_verse_it_holds(address, keys):
    assert address_keys(address) == keys


def test_addresses_stand_in_the_order_of_their_books_and_numbers():
    shelved = {"BG": 0, "John": 1}
    listed = ["John 2:1", "BG 10.1", "Enoch 1:1", "BG 2.13", "BG 2.9"]
    assert sorted(listed, key=lambda address: sort_key(address, shelved)) == [
        "BG 2.9", "BG 2.13", "BG 10.1", "John 2:1", "Enoch 1:1",
    ]  # fmt: skip


def test_deep_chapters_are_counted_from_their_addresses():
    counted = chapters_of(["SB 1.2.3", "SB 1.2.34", "SB 10.1.5", "BG 2.13", "preface"])
    assert counted == {"SB": {"1.2": 34, "10.1": 5}}


@pytest.mark.parametrize(
    ("address", "last"),
    [
        ("SB 1.2.3-4", 4), ("SB 1.2.3–4", 4), ("एस १.२.३-४", 4),
        ("SB 1.2.3-2", 3), ("SB 1.2.3-2000", 3), ("SB 1.2.3-" + "9" * 5000, 3),
    ],
)  # fmt: skip
def test_a_chapter_lasts_to_the_end_of_its_last_section(address, last):
    ((_, counted),) = chapters_of([address]).items()
    assert list(counted.values()) == [last]


FORMS = {
    2: [
        "{0} {1}{s}{2}",
        "{0} chapter {1} verse {2}",
        "{0} {1}, verse {2}",
        "verse {2} of chapter {1} of {0}",
        "{1}{s}{2} of {0}",
    ],
    3: [
        "{0} {1}{s}{2}{s}{3}",
        "{0} canto {1}, chapter {2}, verse {3}",
        "verse {3} of chapter {2} of canto {1} of the {0}",
    ],
}


@given(st.data(), st.sampled_from(sorted(LABELS)), st.sampled_from(["", "What does ", "Tell me about "]))
def test_what_is_formatted_is_parsed_again(data, label, before):
    scheme = LABELS[label]
    numbers = data.draw(st.lists(st.integers(1, 176), min_size=len(scheme.levels), max_size=len(scheme.levels)))
    form = data.draw(st.sampled_from(FORMS[len(numbers)]))
    question = (
        before + form.format(label, *numbers, s=scheme.separator) + data.draw(st.sampled_from(["", "?", " say?"]))
    )
    (mention,) = addresses_in(question, BOOKS)
    assert mention.scheme == scheme
    assert mention.addresses == (scheme.address(*numbers),)
    assert numbers_of(mention.addresses[0]) == tuple(numbers)


@given(st.sampled_from(sorted(LABELS)), st.lists(st.integers(1, 99), min_size=3, max_size=3), st.integers(1, 20))
def test_a_range_names_each_of_its_verses(label, numbers, more):
    scheme = LABELS[label]
    *chapter, first = numbers[-len(scheme.levels) :]
    (mention,) = addresses_in(f"{scheme.address(*chapter, first)}-{first + more}", BOOKS)
    assert mention.addresses == tuple(scheme.address(*chapter, verse) for verse in range(first, first + more + 1))


@given(st.sampled_from(sorted(LABELS)), st.lists(st.integers(1, 99), min_size=3, max_size=3), st.integers(1, 9))
def test_a_range_of_chapters_is_parsed_again(label, numbers, more):
    scheme = LABELS[label]
    *outer, first = numbers[1 - len(scheme.levels) :]
    (mention,) = addresses_in(f"{scheme.address(*outer, first)}-{first + more}", BOOKS)
    assert (mention.scheme, mention.first, mention.last) == (scheme, (*outer, first), (*outer, first + more))


ACROSS = {
    2: [
        "{0}-{a}{s}{b}",
        "{0} – {a}{s}{b}",
        "{0} through {a}{s}{b}",
        "{0} to {label} {a}{s}{b}",
        "{0} to chapter {a}, verse {b}",
    ],
    3: ["{0}-{a}{s}{b}", "{0} to chapter {a} verse {b}"],
}


def test_a_numbered_book_named_again_ends_a_range():
    (mention,) = addresses_in("What does 2 Chronicles 1:1 to 2 Chronicles 2:1 say?", BOOKS)
    assert (mention.first, mention.last) == ((1, 1), (2, 1))


@given(st.data(), st.sampled_from(sorted(LABELS)), st.booleans())
def test_a_range_across_chapters_is_parsed_again(data, label, backwards):
    scheme = LABELS[label]
    *outer, chapter, verse = data.draw(st.lists(st.integers(1, 150), min_size=3, max_size=3))[-len(scheme.levels) :]
    a, b = chapter + data.draw(st.integers(1, 9)), data.draw(st.integers(1, 176))
    if backwards:
        chapter, a = a, chapter
    form = data.draw(st.sampled_from(ACROSS[len(scheme.levels)]))
    written = form.format(scheme.address(*outer, chapter, verse), a=a, b=b, s=scheme.separator, label=label)
    (mention,) = addresses_in(f"What does {written} say?", BOOKS)
    assert (mention.scheme, mention.first, mention.last) == (scheme, (*outer, chapter, verse), (*outer, a, b))
    assert addresses_in(mention.address, BOOKS) == (replace(mention, text=mention.address),)


WORDS = [
    "BG",
    "gita",
    "John",
    "1",
    "2.13",
    "verse",
    "chapter",
    "of",
    "the",
    "second",
    "-",
    ",",
    "and",
    ".",
    ":",
    "गीता",
    "२",
    "to",
    "2.70-3.5",
    " ",
]


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
def test_no_question_breaks_it(question):
    for mention in addresses_in(question, BOOKS):
        assert mention.text in without_addresses(question, ())


def test_time_grows_with_the_question_and_no_faster():
    def looked_up(question):
        counting = CountingBook(NAMES)
        addresses_in(question, AddressBook(counting))
        return counting.lookups

    for unit in (
        "BG ",
        "BG 2.13, ",
        "verse 1 of chapter 2 of ",
        "1 2 3 song of songs of ",
        "2-",
        "compare BG 2.13 to ",
    ):
        assert looked_up(unit * 400) <= 5 * looked_up(unit * 100)


class CountingBook(dict):
    lookups = 0

    def get(self, *args):
        self.lookups += 1
        return super().get(*args)
