import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.messages import ONLY_ENGLISH, only_english
from corpus.domain.text.spoken_language import scripts_of, spoken_language, without_language_request

TWELVE = {"en", "zh", "hi", "es", "fr", "ar", "bn", "pt", "ru", "ur", "id", "de"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What does the Gita say about duty?"),
        ("en", "What is the difference between sattva, rajas and tamas?"),
        ("zh", "什么是业？"),
        ("hi", "गीता में कर्म के बारे में क्या कहा गया है?"),
        ("es", "¿Qué dice la Gita sobre el deber?"),
        ("es", "Qué son los tres gunas?"),
        ("es", "¿Cuántas vasijas?"),
        ("de", "Wie hieß die Ziege?"),
        ("hi", "लड़ाई कितने दिन चली?"),
        ("fr", "Que dit la Gita sur le devoir ?"),
        ("ar", "ماذا تقول الغيتا عن الواجب؟"),
        ("bn", "গীতায় কর্ম সম্পর্কে কী বলা হয়েছে?"),
        ("pt", "O que a Gita diz sobre o dever?"),
        ("ru", "Что говорит Гита о долге?"),
        ("ur", "گیتا فرض کے بارے میں کیا کہتی ہے؟"),
        ("id", "Apa yang dikatakan Gita tentang kewajiban?"),
        ("id", "Siapa Arjuna?"),
        ("id", "Mengapa Arjuna menolak berperang?"),
        ("de", "Was sagt die Gita über die Pflicht?"),
        ("ja", "カルマとは何ですか"),
        ("nl", "Wat is karma volgens de Gita?"),
        ("", "wat is yagna"),  # Dutch, or typed in haste
    ],
)
def test_the_language_of_a_question_is_told_by_its_letters_and_its_function_words(language, text):
    assert spoken_language(text) == language


@pytest.mark.parametrize(
    "text", ["dharma", "कर्म", "na jāyate mriyate vā kadācin", "BG 2.13", "bhakti?", "", "धर्मक्षेत्रे कुरुक्षेत्रे"]
)
def test_sanskrit_and_what_is_too_short_belong_to_no_language(text):
    assert spoken_language(text) == ""


@given(st.text())
def test_any_text_is_read(text):
    assert spoken_language(text) is not None
    assert len(set(scripts_of(text))) == len(scripts_of(text))


def test_the_catalogue_has_the_twelve_most_spoken_languages_and_english_for_all_others():
    assert set(ONLY_ENGLISH) == TWELVE
    assert all("BG 2.13" in message for message in ONLY_ENGLISH.values())
    assert only_english("de")[1] == "de"
    assert only_english("ja") == (ONLY_ENGLISH["en"], "en")


@pytest.mark.parametrize(
    "text", ["BG 2.13 auf Deutsch", "BG 2.13 in German", "BG 2.13 en español", "BG 2.13 на русском"]
)
def test_the_language_an_address_is_wanted_in_is_no_part_of_the_question(text):
    assert without_language_request(text).split() == ["BG", "2.13"]
