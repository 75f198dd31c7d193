import json
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.factories import a_lecture

pytestmark = pytest.mark.django_db
KNOWN = {
    "en": "Ask the lectures",
    "de": "Fragen Sie die Vorträge",
    "es": "Preguntar a las conferencias",
    "hi": "प्रवचनों से पूछें",
}
SEARCH = {"en": "Search the lectures", "de": "In den Vorträgen suchen", "es": "Buscar en las conferencias"}
MISSING = {"en": "There is nothing here", "de": "Hier ist nichts", "es": "Aquí no hay nada", "hi": "यहाँ कुछ नहीं है"}


def page(client, name="chat", language=""):
    return client.get(reverse(name), headers={"accept-language": language} if language else {})


@pytest.mark.parametrize("language", KNOWN)
def test_a_page_is_in_the_language_that_the_browser_asks_for(client, language):
    response = page(client, language=f"{language}-XX,fr;q=0.4")
    text = response.content.decode()
    assert response.status_code == 200
    assert f'<html lang="{language}" dir="ltr">' in text
    assert KNOWN[language] in text
    assert f"/words.js?language={language}" in text


@pytest.mark.parametrize("name", ["search", "lectures", "articles", "facts", "login"])
def test_every_page_of_readers_speaks_german(client, name):
    text = page(client, name, "de").content.decode()
    assert '<html lang="de" dir="ltr">' in text
    assert "Zum Inhalt springen" in text


def test_a_language_that_is_not_offered_is_english(client):
    assert KNOWN["en"] in page(client, language="fr,xx;q=0.9,*;q=0.1").content.decode()
    client.cookies["django_language"] = "tlh"
    assert KNOWN["en"] in page(client).content.decode()


def test_the_switcher_keeps_the_page_and_its_choice_outlives_the_session(client):
    page_asked_from = "http://testserver/search/?q=banyan"
    response = client.post(reverse("choose_language"), {"language": "de"}, headers={"referer": page_asked_from})
    assert (response.status_code, response["Location"]) == (302, page_asked_from)
    cookie = response.cookies["django_language"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"], cookie["httponly"]) == ("de", 31_536_000, "Lax", True)
    assert SEARCH["de"] in page(client, "search", "es").content.decode()


def test_the_switcher_leads_to_no_other_site_and_takes_no_unknown_language(client):
    away = client.post(reverse("choose_language"), {"language": "de"}, headers={"referer": "https://evil.example/"})
    assert away["Location"] == "/"
    client.post(reverse("choose_language"), {"language": "tlh"})
    assert client.cookies["django_language"].value == "de"


def test_a_page_with_the_switcher_sets_no_cookie(client):
    assert not page(client, "search").cookies


def test_the_switcher_names_each_language_in_itself(client):
    text = page(client, "search", "de").content.decode()
    assert '<button type="submit" name="language" value="hi" lang="hi">हिंदी</button>' in text
    assert 'value="de" lang="de" aria-current="true">Deutsch<' in text
    assert 'lang="en">English<' in text
    assert 'lang="es">Español<' in text


@pytest.mark.parametrize("language", KNOWN)
def test_an_error_page_is_in_the_readers_language(client, language):
    response = client.get("/no-such-page/", headers={"accept-language": language})
    assert response.status_code == 404
    assert MISSING[language] in response.content.decode()


def test_pages_of_the_audit_stay_in_english(client):
    client.force_login(User.objects.create_superuser("root"))
    text = client.get(reverse("audit_report"), headers={"accept-language": "de"}).content.decode()
    assert 'lang="en' in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "de",
            ("Wissenslücken", "Alles in der Verwaltung", "feste Antworten", "Zur Freigabe einreichen", "Einleitung"),
        ),
        ("es", ("Lagunas de conocimiento", "Todo en la administración", "Enviar a revisión", "Introducción")),
        ("hi", ("ज्ञान की कमियाँ", "प्रशासन में सब कुछ", "निश्चित उत्तर", "समीक्षा के लिए भेजें", "भूमिका")),
    ],
)
def test_the_admin_of_editors_speaks_their_language(client, language, words):
    client.force_login(User.objects.create_superuser("root"))
    names = ("admin:index", "admin:curation_pinnedquestion_changelist", "admin:curation_pinnedquestion_add")
    found = [client.get(reverse(name), headers={"accept-language": language}).content.decode() for name in names]
    assert [f'<html lang="{language}" dir="ltr">' in text for text in found] == [True] * len(names)
    text = " ".join(found).lower()
    assert [word for word in words if word.lower() not in text] == []


@pytest.mark.parametrize(("language", "word"), [("en", ""), ("de", "Bestätigt"), ("es", "Verificado"), ("hi", "पुष्ट")])
def test_the_words_of_the_scripts_come_as_a_script_of_this_site(client, language, word):
    response = client.get(reverse("words"), headers={"accept-language": language})
    assert response["Content-Type"].startswith("text/javascript")
    assert "max-age=600" in response["Cache-Control"]
    text = response.content.decode()
    assert "django.gettext" in text
    assert (json.dumps(word) in text) if word else ('"Verified"' not in text)


def test_dates_are_written_as_the_language_writes_them(client):
    a_lecture("It does not flicker.", title="The lamp", date=date(2025, 3, 4))
    found = [page(client, "lectures", language).content.decode() for language in KNOWN]
    written = ("4 March 2025", "4. März 2025", "4 de marzo de 2025", "4 मार्च 2025")
    assert [day in text for day, text in zip(written, found, strict=True)] == [True] * 4
