"""The catalogues of the interface languages are complete, and change nothing but the words."""

import ast
import re

import pytest
from babel.messages.mofile import read_mo
from django.conf import settings

from lectorium.texts import local_text
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


def test_no_text_is_marked_inside_an_f_string_where_it_would_not_be_found():
    hidden = [
        f"{path.name}:{call.lineno}"
        for path in messages.sources((".py",))
        for string in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in messages.KEYWORDS
    ]
    assert hidden == []


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


REFUSALS = re.compile(r"\w*(?:Refused|Fault|CueTimesError|NotReplayable|CannotSupersede)")
SHOWN = {"message_user", "display", "action", "ValidationError"}
SAYS = re.compile(r"Refused|Fault|CueTimesError|NotReplayable|message_user|display\(|action\(|ValidationError")
# What only the command line says, and sentences that are put together from pieces with a wording of their own.
OWN = {"corpus/selectors.py", "corpus/services/spaces.py", "curation/library/export.py"}
PIECED = {"corpus/importers/limits.py", "corpus/services/recording_pieces.py", "corpus/importers/discovery.py",
          "curation/domain/translation_checks.py"}  # fmt: skip
STAFF_APPS = ("accounts/", "articles/", "audit/", "chat/replay.py", "chat/prompt_preview.py", "corpus/", "curation/")


def shown_sentences(path):
    """The literal sentences that a module raises as a refusal or shows in admin; values of an f-string are "1"."""
    source = path.read_text(encoding="utf-8")
    for call in ast.walk(ast.parse(source if SAYS.search(source) else "")):
        name = getattr(getattr(call, "func", None), "attr", getattr(getattr(call, "func", None), "id", ""))
        if isinstance(call, ast.Call) and (REFUSALS.fullmatch(name) or name in SHOWN):
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield from (text for text in literals(value) if " " in text and BARE.search(text))


def literals(value):
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(part.value if isinstance(part, ast.Constant) else "1" for part in parts)
        case ast.Dict(values=values) | ast.BoolOp(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            yield from (text for part in values for text in literals(part))
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*literals(body), *literals(orelse))


def test_what_staff_are_refused_or_told_goes_through_gettext_or_has_a_wording():
    named = {str(path.relative_to(messages.ROOT)): path for path in messages.sources((".py",))}
    checked = {name for name in named if name.startswith(STAFF_APPS) and "/management/" not in name} - OWN - PIECED
    wordings = local_text.staff_wordings()
    told = {(name, text) for name in checked for text in shown_sentences(named[name])}
    assert len(told) > 90
    assert {said for said in told if all(wording.values(said[1]) is None for wording in wordings)} == set()
