"""Folding lets what is typed meet what was written."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.text.folding import fold
from corpus.domain.text.scripts import latin
from corpus.domain.text.transliteration import one_spelling
from corpus.language import lexemes


def test_diacritics_case_and_punctuation_fold_away():
    assert fold("Varṇāśrama-dharma, the SÂNKHYA's") == "varnasrama dharma the sankhyas"


SAME = [
    "varṇāśrama varnashrama varnasrama Varnâshrama वर्णाश्रम",
    "kṛṣṇa Krishna krsna Krishna's कृष्ण",
    "śiva Shiva siva शिव",
    "upaniṣad Upanishad upanisad उपनिषद्",
    "jñāna jnana gyana gyaana ज्ञान",
    "ācārya acharya acarya आचार्य",
    "saṃsāra saṁsāra samsara sansara संसार",
    "sāṅkhya sāṃkhya Sânkhya samkhya सांख्य",
    "gītā Gita geeta गीता",
    "īśvara ishvara Iswara isvara ईश्वर",
    "ṛṣi rishi rishis ऋषि",
    "dhṛtarāṣṭra Dhritarashtra धृतराष्ट्र",
    "chāndogya Chhandogya छान्दोग्य",
    "prakṛti prakriti प्रकृति",
]
# Pairs that a coarser rule would make one.
DIFFERENT = """
    ship/sip shine/sine wash/was bush/bus shell/sell marsh/mars fashion/fasion shy/sy ashtray/astray bushy/busy
    child/cild cheap/ceap trip/trp street/stret haas/has sham/sam shea/sea VIII/VI karma/kama shame/same
""".split()


@pytest.mark.parametrize("spellings", SAME)
def test_the_spellings_and_scripts_of_a_term_are_one(spellings):
    assert len({fold(spelling) for spelling in spellings.split()}) == 1


@pytest.mark.parametrize("pair", DIFFERENT)
def test_different_words_stay_apart(pair):
    one, other = pair.split("/")
    assert fold(one) != fold(other)


@pytest.mark.parametrize("word", "worship bishop ashes China's street school christian mushroom washing shrine".split())
def test_an_english_word_meets_itself_in_every_form(word):
    assert lexemes(word) == lexemes(word.title()) == lexemes(f"{word}!")


@pytest.mark.parametrize(
    ("devanagari", "iast"),
    [
        ("धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः", "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ"),
        ("मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय", "māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya"),
        ("देहिनोऽस्मिन्यथा देहे कौमारं यौवनं जरा", "dehino'sminyathā dehe kaumāraṃ yauvanaṃ jarā"),
        ("ॐ तत्सदिति ॥ १७॥", "oṃ tatsaditi 17"),
    ],
)
def test_a_verse_reads_the_same_in_both_its_scripts(devanagari, iast):
    assert fold(devanagari) == fold(iast)


def test_what_is_not_devanagari_is_left_as_it_is():
    assert latin("Gītā 2.13, धर्म and हूँ") == "Gītā 2.13, dharma and hūṃ"


@given(st.from_regex(r"[a-z]{1,14}", fullmatch=True))
def test_respelling_twice_changes_nothing_more(word):
    assert one_spelling(one_spelling(word)) == one_spelling(word)


@given(st.text(alphabet="aBçÉßæĀṛṣṆḥ’'`-_.,;() 12धर्मंŒøİ"))
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)


@given(st.lists(st.text(alphabet="aBçÉßṛ́’'-_. ½ﬁ1धर्म", max_size=6), max_size=6))
def test_words_fold_alike_alone_and_together(words):
    assert fold(" ".join(words)) == " ".join(filter(None, map(fold, words)))


def test_time_grows_with_a_long_word_and_no_faster():
    def least(times):
        readings = []
        for ending in "bcd":
            began = time.process_time()
            fold("a" * times + ending)
            readings.append(time.process_time() - began)
        return min(readings)

    assert least(40_000) < 8 * max(least(10_000), 0.02)  # in the square of its length it would be 16 times
