"""What the guards know without a model: a changed number, a negation, a name nobody spoke."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.english.guards import Library, VerifierJudgement
from corpus.domain.addresses.address import Scheme
from corpus.domain.addresses.words import AddressBook
from tests.domain.written import objected, weighed

TEXT = (
    "Raja-Yoga is divided into eight steps. Some men reached the goal in this life. The king did not leave the city. "
    "There Krishna taught Arjuna on the field. Then Arjuna asked him about duty. "
    "God was worshipped as a father in those days."
)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Raja-Yoga is divided into seven steps.", ("wording", "number")),
        ("Some men did not reach the goal in this life.", ("wording", "negation")),
        ("The king did leave the city.", ("wording", "negation")),
        ("All men reached the goal in this life.", ("wording", "overgeneralised")),
        ("Men reached the goal in this life.", ("wording", "overgeneralised")),
        ("There Arjuna taught Krishna on the field.", ("wording", "swapped")),
        ("God is worshipped as a father in those days.", ("wording", "tense")),
        ("God was worshipped as a mother in those days.", ("wording", "opposite")),
        ("Vyasa taught Arjuna on the field.", ("wording", "name")),
        ("There Vyasa taught Arjuna on the field.", ("terms", "name")),
        ("It has 14 limbs in all.", ("terms", "number")),
        ("Yoga today can be learned from its steps.", ("wording", "tense")),
        ("One cannot learn Yoga by its limbs.", ("wording", "negation")),
        ("It is untrue that the king did leave the city.", ("wording", "negation")),
        ("Krishna by no means taught Arjuna on the field.", ("wording", "negation")),
        ("Arjuna asked him about duty, which holds of every man alive.", ("wording", "overgeneralised")),
        ("Bhishma says that duty comes first on the field.", ("attribution", "speaker")),
        ("In the lecture on Practical Vedanta, Yoga has steps.", ("attribution", "title")),
    ],
)
def test_a_small_change_that_changes_the_meaning_is_seen(claim, expected):
    assert expected in objected(claim, TEXT)


@pytest.mark.parametrize(
    "claim",
    [
        "Raja-Yoga is divided into eight steps.",
        "Raja-Yoga is divided into 8 steps.",
        "Some men reached the goal in this very life.",
        "Krishna taught Arjuna.",
        "Arjuna was taught by Krishna on the field.",
        "According to Krishna, duty is asked about on the field.",
        "The king did not leave.",
    ],
)
def test_what_changes_nothing_is_not_objected_to(claim):
    assert objected(claim, TEXT, speaker="Krishna") == set()


TRAVELS = (
    "In 1893 Vivekananda spoke at the Parliament of Religions in Chicago. In Madras his pupils met Goodwin. "
    "The church in Rome is older than the church in Paris. Alasinga sent money from Madras to Boston."
)


@pytest.mark.parametrize(
    "claim",
    [
        "Vivekananda spoke at Chicago in 1893.",
        "His pupils met Goodwin in Madras.",
        "Alasinga sent to Boston money from Madras.",
        "Alasinga sent money to Boston from Madras.",
    ],
)
def test_what_is_only_moved_is_not_swapped(claim):
    assert objected(claim, TRAVELS) == set()


@pytest.mark.parametrize(
    "claim",
    [
        "The church in Paris is older than the church in Rome.",
        "Alasinga sent money from Boston to Madras.",
    ],
)
def test_names_that_change_places_under_their_prepositions_are_swapped(claim):
    assert ("wording", "swapped") in objected(claim, TRAVELS)


def test_what_is_known_of_the_source_counts_as_held():
    claim = "Vivekananda spoke in 1893 of The First Steps."
    known = {"speaker": "Swami Vivekananda", "date": "1893-09-26", "title": "The First Steps"}
    assert objected(claim, "He spoke of the first steps.", **known) == set()


def test_a_name_of_the_readers_question_only_lowers_the_verdict():
    one = weighed("Iblis refused to bow.", "He alone refused to bow.", question="Why did Iblis refuse")
    assert (one.verdict, one.objections) == ("supported", ())  # the sentence begins with it, so it may be any word
    named = weighed("Only then Iblis refused to bow.", "He alone refused to bow.", question="Why did iblis refuse")
    assert (named.verdict, [term.held for term in named.terms]) == ("partial", [False])


@pytest.mark.parametrize("name", ["Krishna", "Vishnu", "Kṛṣṇa", "Arjuna"])
def test_a_name_of_the_readers_question_is_one_in_any_spelling(name):
    asked = f"What does {name} call the soul to"
    assert weighed(f"Only then {name} calls the soul.", "He alone calls the soul.", question=asked).verdict == "partial"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The talk began at 5:30.", "The talk began at 6:30."),
        ("The pupil then read verse 2.1 aloud.", "The pupil then read verse 2.10 aloud."),
        ("It was open from 9-12 each day.", "It was open from 10-12 each day."),
    ],
)
def test_times_ranges_and_numbers_of_places_are_compared_as_they_are_written(claim, evidence):
    assert objected(claim, evidence)
    assert objected(evidence, evidence) == set()


FEAST = (
    "At sunset the temple kitchen fed the blind beggars, the lame soldiers, the orphans, the widows, the wandering "
    "monks and the hungry farmers of seven neighbouring villages with boiled rice, lentils, clarified butter and sweet "
    "milk."
)


@pytest.mark.parametrize(("word", "other"), [("kitchen", "treasury"), ("sweet", "sour")])
def test_one_other_word_in_a_long_sentence_is_not_its_sources_own(word, other):
    denying = VerifierJudgement("contradicted", 0.0)
    assert weighed(FEAST, FEAST, denying).verdict == "supported"
    assert weighed(FEAST.replace(word, other), FEAST, denying).verdict not in ("supported", "partial")


def test_the_sources_own_words_are_shown_against_the_verifier_and_nothing_else_is():
    doubting = VerifierJudgement("not_mentioned", 0.1)
    own = weighed("Raja-Yoga is divided into eight steps.", TEXT, doubting)
    assert (own.verdict, own.own_words, own.support) == ("supported", True, 0.95)
    altered = weighed("Then Arjuna asked him about the duty.", TEXT, doubting)
    # Not word for word, so the verifier's doubt counts, and so does its figure.
    assert (altered.verdict, altered.own_words, altered.support) == ("partial", True, 0.1)
    freely = weighed("There are eight stages of the Yoga.", TEXT, doubting)
    assert [objection.guard for objection in freely.objections] == ["verifier"]


@pytest.mark.parametrize(
    ("claim", "passed_bar", "support", "verified"),
    [
        ("Raja-Yoga is divided into eight steps.", False, 0.1, True),  # word for word
        ("Raja-Yoga, is divided into eight steps!", False, 0.1, True),  # but for its marks
        ("Raja-Yoga is thus divided into eight steps.", False, 0.99, False),  # the source's own words, but not all
        ("Eight steps make up Raja-Yoga.", False, 0.99, False),
        ("Eight steps make up Raja-Yoga.", True, 0.99, True),
        ("Eight steps make up Raja-Yoga.", True, 0.7, False),  # supported in part
    ],
)
def test_verified_is_what_stands_word_for_word_or_what_a_proven_verifier_supports(claim, passed_bar, support, verified):
    one = weighed(claim, TEXT, VerifierJudgement("supported", support, passed_bar=passed_bar))
    assert (one.verified, one.objections) == (verified, ())


def test_what_a_guard_objects_to_is_never_verified():
    sure = VerifierJudgement("supported", 1.0, passed_bar=True)
    assert not weighed("Raja-Yoga is divided into seven steps.", TEXT, sure).verified


def test_the_evidence_is_the_sentence_a_claim_follows():
    one = weighed("Raja-Yoga is divided into eight steps.", "Nothing here. " + TEXT)
    assert one.evidence == "Raja-Yoga is divided into eight steps."


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_two_texts_can_be_weighed(claim, text):
    one = weighed(claim, text)
    assert 0 <= one.span[0] <= one.span[1] <= len(text)
    assert one.verdict in ("supported", "partial", "inferred", "unsupported", "contradicted")


@given(st.sampled_from(TEXT.split(". ")).map(lambda sentence: sentence.rstrip(".") + "."))
def test_a_sentence_of_the_source_is_never_objected_to(sentence):
    assert objected(sentence, TEXT) == set()


BOOK = AddressBook({"bg": Scheme("BG"), "john": Scheme("John", ":")})


@pytest.mark.parametrize(
    ("claim", "objected_to"),
    [
        ("BG 2.13 says that the soul passes on.", []),
        ("BG 2.99 says that the soul passes on.", ["BG 2.99"]),
        ("BG 1.40-3.2 says that the soul passes on.", []),
        ("BG 2.70-3.2 says that the soul passes on.", ["BG 2.70-3.2"]),
    ],
)
def test_what_cites_an_address_must_be_that_address(claim, objected_to):
    one = weighed(claim, "The soul passes on, it says.", address="BG 2.13", library=Library(book=BOOK))
    assert [o.about for o in one.objections if o.guard == "address"] == objected_to


def test_a_passage_that_names_an_address_may_be_cited_for_it():
    one = weighed("John 11:35 is the shortest.", "He called John 11:35 the shortest.", library=Library(book=BOOK))
    assert not [o for o in one.objections if o.guard == "address"]


def test_a_term_is_held_where_its_evidence_has_the_glossarys_other_word_for_it():
    glossary = Library(synonyms=lambda text: {"atma": (("soul",),)})
    claim, text = "It is the ātmā that passes on.", "It is the soul that passes on."
    assert weighed(claim, text).verdict == "partial"
    assert weighed(claim, text, library=glossary).verdict == "supported"


def test_a_term_of_the_glossary_is_technical_in_plain_letters_too():
    glossary = Library(terms=lambda text: {"pranayama"})
    claim, text = "It is pranayama that steadies the mind.", "It is this that steadies the mind."
    assert (weighed(claim, text).verdict, weighed(claim, text).terms) == ("supported", ())
    one = weighed(claim, text, library=glossary)
    assert (one.verdict, [(term.kind, term.held) for term in one.terms]) == ("partial", [("word", False)])
    assert weighed(claim, "It is prāṇāyāma that steadies the mind.", library=glossary).verdict == "supported"
