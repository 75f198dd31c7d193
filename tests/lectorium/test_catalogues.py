"""The catalogues of the interface languages are complete, and change nothing but the words."""

import re

import pytest
from babel.messages.mofile import read_mo
from django.conf import settings

from scripts import messages

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|<[^>]+>|https?://\S+")
EVERY = [(code, domain) for code in LANGUAGES for domain in messages.DOMAINS]


BARE = re.compile(r"[A-Za-z][a-z]{2,}")
MARKED = re.compile(
    r"{% blocktranslate.*?endblocktranslate[^%]*%}|{% block (?:body_?class|main_class|coltype) %}.*?{% endblock %}|"
    r'{#.*?#}|{%.*?%}|{{.*?}}|(?:dir|data-theme)="[^"]*"|<(style|script|code|kbd).*?</\1>|&\w+;',
    re.DOTALL,
)
NAMES = re.compile("Lectorium|Markdown|OpenAPI")


def without_marks(path):
    """The words of a template that no mark makes translatable, without tags and the product's name."""
    text = MARKED.sub("", path.read_text(encoding="utf-8"))
    spoken = " ".join(re.findall(r'(?:aria-label|placeholder|alt)="([^"]*)"', text))
    return NAMES.sub("", re.sub(r"<[^>]*>", "", text, flags=re.DOTALL) + spoken)


@pytest.fixture(scope="module")
def wanted():
    return {domain: messages.texts(domain) for domain in messages.DOMAINS}


def known(code, domain):
    return messages.read(messages.catalogue_path(code, domain), code, domain)


def forms(value):
    return (value,) if isinstance(value, str) else tuple(value)


def keys(catalog):
    return {(message.context, message.id) for message in catalog if message.id}


def translations(catalog):
    """{(context, text, plural): translation}; Babel reads the context of a compiled text as bytes."""
    found = {}
    for message in filter(lambda message: message.id, catalog):
        context = message.context.decode() if isinstance(message.context, bytes) else message.context
        found[context, *forms(message.id)] = forms(message.string)
    return found


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_every_text_that_readers_see_is_translated(code, domain, wanted):
    catalog = known(code, domain)
    assert keys(wanted[domain]) == keys(catalog), "Run scripts/messages.py, then translate what is new."
    empty = [message.id for message in catalog if message.id and not all(forms(message.string))]
    assert (empty, [message.id for message in catalog if message.id and message.fuzzy]) == ([], [])


def test_no_word_of_a_translated_template_stands_outside_its_marks():
    bare = {path.name: BARE.findall(without_marks(path)) for path in messages.sources((".html",))}
    assert {name: words for name, words in bare.items() if words} == {}


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_a_translation_has_the_placeholders_and_tags_of_its_source_and_no_others(code, domain):
    for message in known(code, domain):
        sources = [sorted(PLACEHOLDER.findall(form)) for form in forms(message.id) if message.id]
        for form in forms(message.string) if message.id else ():
            assert sorted(PLACEHOLDER.findall(form)) in sources, form
            assert form.count('"') == forms(message.id)[-1].count('"'), f"it stands in attributes too: {form}"


@pytest.mark.parametrize(("code", "domain"), EVERY)
def test_what_is_compiled_is_what_is_written(code, domain):
    with messages.catalogue_path(code, domain).with_suffix(".mo").open("rb") as file:
        compiled = translations(read_mo(file))
    assert compiled == translations(known(code, domain))


def test_texts_in_templates_scripts_python_and_answers_are_found(wanted):
    texts = {form for catalog in wanted.values() for message in catalog for form in forms(message.id)}
    assert {"Ask the lectures", "Searching…", "Write a name.", "I cannot tell what “{phrase}” stands for here. "
            "Name the subject, the person or the passage you mean."} <= texts  # fmt: skip
