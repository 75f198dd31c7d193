import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.translation_checks import TranslatedPair, names_in, numbers_in, translation_faults
from curation.domain.translation_terms import GlossaryGroup, kept_terms

GLOSSARY = (
    GlossaryGroup("en", ("soul", "ātmā", "jīva")),
    GlossaryGroup("en", ("devotion", "bhakti")),
    GlossaryGroup("de", ("Seele", "soul", "ātmā")),
    GlossaryGroup("fr", ("âme", "soul")),
)


def checks(source, target, locale="de", *, language="en", terms=(), prose=()):
    pair = TranslatedPair(source, target, language, locale, tuple(terms), frozenset(prose))
    return [fault.check for fault in translation_faults(pair)]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("He gave 1,000 coins in 1863.", "Er gab im Jahre 1863 1.000 Münzen."),
        ("He gave 10,000 coins.", "Er gab 10 000 Münzen."),
        ("See BG 2.13 on this.", "Siehe dazu BG 2.13."),
        ("It grew by 3.5 percent.", "Es wuchs um 3,5 Prozent."),
        ("He had thirteen sons and XII daughters.", "Er hatte 13 Söhne und 12 Töchter."),
        ("On the 13th day.", "Am 13. Tag."),
        ("It stood for 007 years.", "Es stand 7 Jahre."),
    ],
)
def test_numbers_may_be_written_as_the_language_writes_them(source, target):
    assert "numbers" not in checks(source, target)


def test_digits_of_another_script_are_the_same_numbers():
    assert numbers_in("BG २.१३") == numbers_in("BG 2.13") == {"2.13"}


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("He died in 1863.", "Er starb im Jahre 1836.", ["1863", "1836"]),
        ("He died in 1863.", "Er starb.", ["1863"]),
        ("He died.", "Er starb mit 70.", ["70"]),
        ("See BG 2.13.", "Siehe BG 21.3.", ["2.13", "21.3"]),
        ("Thirteen sons.", "14 Söhne.", ["14"]),
    ],
)
def test_a_number_that_is_lost_changed_or_added_is_reported(source, target, said):
    faults = translation_faults(TranslatedPair(source, target, "en", "de"))
    words = " ".join(fault.said for fault in faults if fault.check == "numbers")
    assert all(number in words for number in said)


@pytest.mark.parametrize(
    ("source", "target", "locale"),
    [
        ("He says that Augustus ruled in Rome.", "Il dit qu'Auguste régnait à Rome.", "fr"),
        ("The letter of John to Krishna.", "La lettera di Johannes a Kṛṣṇa.", "it"),
        ("He says that Krishna spoke.", "वह कहते हैं कि कृष्ण बोले।", "hi"),
        ("I met him in March.", "Ich traf ihn im März.", "de"),
        ("Every Man Has a Soul", "Jeder Mensch hat eine Seele", "de"),
        ("The old man spoke.", "Der alte Mann sprach.", "de"),
    ],
)
def test_names_may_have_the_form_of_the_language(source, target, locale):
    assert "names" not in checks(source, target, locale)


def test_a_name_that_is_lost_or_added_is_reported():
    source = "He says that Augustus ruled Rome."
    assert checks(source, "Er sagt, dass Tiberius über Rom herrschte.") == ["names"]
    lost, added = translation_faults(TranslatedPair(source, "Il dit que Tibère régnait à Rome.", "en", "fr"))
    assert (lost.said, added.said) == (
        "The source names Augustus, the translation does not.",
        "The translation names Tibère, the source does not.",
    )


def test_names_of_a_headline_are_told_by_the_text_below_it():
    title = "The Death of Emperor Augustus"
    prose = {"the", "death", "of", "emperor"}
    assert names_in(title, "en") == ()
    assert names_in(title, "en", prose) == ("Augustus",)
    assert checks(title, "Der Tod des Kaisers Tiberius", prose=prose) == ["names"]


def test_names_in_scripts_that_cannot_be_compared_are_left_to_the_reviewer():
    assert "names" not in checks("He says that Augustus ruled.", "Он говорит, что правил Август.", "ru")


def test_a_transliterated_word_is_kept_and_a_glossary_word_rendered_as_the_locale_has_it():
    text = "The soul, ātmā, is reached by bhakti and yoga-māyā."
    terms = {term.term: term.renderings for term in kept_terms(text, "en", "de", GLOSSARY)}
    assert terms == {
        "soul": ("Seele",),
        "ātmā": ("ātmā", "Seele"),
        "bhakti": ("bhakti",),
        "yoga-māyā": ("yoga-māyā",),
    }


def test_of_a_term_within_a_longer_one_only_the_longer_is_bound():
    terms = kept_terms("Bhakti-yogā is his way.", "en", "it", GLOSSARY)
    assert [term.term for term in terms] == ["Bhakti-yogā"]


def test_a_word_that_the_locale_does_not_name_is_free():
    assert kept_terms("His devotion and his soul.", "en", "it", GLOSSARY) == ()
    assert [term.renderings for term in kept_terms("His souls.", "en", "fr-ca", GLOSSARY)] == [("âme",)]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Die Seelen erreicht man durch bhakti.", []),
        ("Die Seele erreicht man durch die Bhaktis.", []),
        ("Den Geist erreicht man durch bhakti.", ["terms"]),
        ("Die Seele erreicht man durch Hingabe.", ["terms"]),
    ],
)
def test_the_glossary_is_enforced(target, expected):
    source = "The soul is reached by bhakti."
    assert checks(source, target, terms=kept_terms(source, "en", "de", GLOSSARY)) == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (" \n", ["empty"]),
        ("What is the meaning of this old word?", ["language"]),
        ("Was bedeutet dieses alte Wort " + "und wieder " * 20, ["length"]),
        ("Was bedeutet dieses alte Wort?", []),
    ],
)
def test_what_is_no_translation_is_reported(target, expected):
    assert checks("What is the meaning of this very old word?", target) == expected


def test_an_untranslated_source_is_reported_even_for_a_language_that_cannot_be_told():
    assert checks("What is the meaning of this?", "What is the meaning of this?", "sw") == ["language"]


texts = st.text(max_size=200) | st.text("Aa1०.,: \n“ā-É", max_size=80)


@given(source=texts, target=texts, locale=st.sampled_from(["de", "fr", "hi", "ja", "pt-br"]))
def test_any_text_is_judged_without_a_fault_of_the_rule(source, target, locale):
    terms = kept_terms(source, "en", locale, GLOSSARY)
    faults = translation_faults(TranslatedPair(source, target, "en", locale, terms, frozenset(source.split())))
    assert all(fault.said for fault in faults)


@given(text=texts)
def test_a_text_has_the_numbers_and_names_of_itself(text):
    found = checks(text, text, "en", terms=kept_terms(text, "en", "en", ()))
    assert not {"numbers", "names", "terms"} & set(found)


@given(number=st.integers(0, 10**12), words=st.sampled_from(["Er starb {}.", "{} Jahre", "im Jahre {} nach"]))
def test_a_number_survives_every_way_of_writing_thousands(number, words):
    for mark in (",", ".", "\u202f", ""):
        assert numbers_in(words.format(f"{number:,}".replace(",", mark))) == {str(number)}


@given(number=st.integers(1, 10**6), other=st.integers(1, 10**6))
def test_another_number_is_always_reported(number, other):
    found = checks(f"He gave {number} coins.", f"Er gab {other} Münzen.")
    assert ("numbers" in found) == (number != other)
