"""Keep the catalogues of the interface languages in step with the texts they translate.

scripts/messages.py          bring every catalogue in lectorium/locale up to date, and compile it
scripts/messages.py fr       begin a catalogue of French, or bring it up to date
"""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
import django  # noqa: E402
from django.utils import translation  # noqa: E402
from django.utils.translation.template import templatize  # noqa: E402

from chat.api.domain import problems  # noqa: E402
from chat.conversations.domain import saved, saved_markdown  # noqa: E402
from lectorium.texts.local_text import staff_wordings  # noqa: E402
from lectorium.texts.wordings import AND  # noqa: E402
from operations import local_names  # noqa: E402

LOCALE = ROOT / "lectorium" / "locale"
DOMAINS = ("django", "djangojs")
# The reference of the API is in English, as its OpenAPI document is.
NOT_TRANSLATED = ("templates/api/", "tests/", "training/", "evaluation/")
# Texts of Django's admin for which it has no Hindi.
DJANGO: tuple[str | tuple[str, str], ...] = (
    *(
        "Add another %(model)s|Add link|Change or view list link|Change selected %(model)s|Clear all filters|Close|"
        "Delete selected %(model)s|Filter navigation items|Hide counts|Model name|My actions|No, take me back|"
        "Popup closing…|Recent actions|Save and view|"
        "Select %s to view|Show counts|Skip to main content|Start typing to filter…|Summary|"
        "The {name} “{obj}” was added successfully.|The {name} “{obj}” was changed successfully.|"
        "The {name} “{obj}” was changed successfully. You may edit it again below.|"
        "Toggle theme (current theme: auto)|Toggle theme (current theme: dark)|Toggle theme (current theme: light)|"
        "View|View %s|View selected %(model)s|View site|Yes, I’m sure|"
        "You don’t have permission to view or edit anything.|"
        "%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"
    ).split("|"),
    ("Please correct the error below.", "Please correct the errors below."),
    *((f"%(num)d {unit}", f"%(num)d {unit}s") for unit in ("year", "month", "week", "day", "hour", "minute")),
)
WIDTH = 110
KEYWORDS = {
    **dict.fromkeys(("_", "_noop", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    "npgettext": ((1, "c"), 2, 3),
}


def main(codes: list[str]) -> None:
    current = {domain: texts(domain) for domain in DOMAINS}
    for code in codes or [folder.name for folder in sorted(LOCALE.iterdir())]:
        for domain, template in current.items():
            update(code, domain, template)


def texts(domain: str) -> Catalog:
    """The texts of readers and editors: of scripts in the domain djangojs, of templates and Python in django."""
    catalog = Catalog(domain=domain, project="Lectorium", charset="utf-8")
    endings = (".js",) if domain == "djangojs" else (".py", ".html")
    for path in sources(endings):
        for _, text, comments, context in texts_of(path):
            catalog.add(text, locations=[(str(path.relative_to(ROOT)), 0)], auto_comments=comments, context=context)
    if domain == "django":
        for plain in (*saved.TEXTS, *saved_markdown.TEXTS):
            catalog.add(plain, auto_comments=["In saved and shared conversations"])
        with translation.override(None):
            for name in local_names.names():
                catalog.add(name, auto_comments=["In admin"])
        for known in DJANGO:
            catalog.add(known, auto_comments=["Of Django"])
        for title in (*problems.TITLES.values(), problems.OTHER):
            catalog.add(title, auto_comments=["In errors of the API"])
        for wording in (AND, *staff_wordings()):
            catalog.add(
                (wording.text, wording.plural) if wording.plural else wording.text,
                auto_comments=["In answers and for staff"],
            )
    return catalog


def sources(endings: tuple[str, ...]) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "templates", "static/js"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return [ROOT / name for name in sorted(listed) if name.endswith(endings) and not name.startswith(NOT_TRANSLATED)]


def texts_of(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    """The (line, text, comments for translators, context) of each text marked in a file."""
    source = path.read_text(encoding="utf-8")
    kind = "javascript" if path.suffix == ".js" else "python"
    if path.suffix == ".html":  # Django writes a template as Python; the indentation means nothing
        source = "\n".join(line.strip() for line in templatize(source).splitlines())
    inside = {"parse_template_string": True}  # texts within `${…}` of scripts
    return extract(kind, io.BytesIO(source.encode()), keywords=KEYWORDS, comment_tags=["Translators:"], options=inside)


def update(code: str, domain: str, template: Catalog) -> None:
    """Bring one catalogue up to date and compile it. New and changed texts are left untranslated, never guessed."""
    path = catalogue_path(code, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = read(path, code, domain) if path.exists() else Catalog(locale=code, domain=domain, charset="utf-8")
    known.update(template, no_fuzzy_matching=True, update_creation_date=False)
    known.obsolete.clear()
    write(path, known, code)


def write(path: Path, catalog: Catalog, code: str) -> None:
    catalog.fuzzy = False
    catalog.project, catalog.version = "Lectorium", "1"
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = ""
    catalog.header_comment = (
        f"# The interface in the language {code}. scripts/messages.py keeps it in step with its texts."
    )
    with path.open("wb") as out:
        write_po(out, catalog, width=WIDTH, sort_output=True, include_lineno=False)
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def read(path: Path, code: str, domain: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=code, domain=domain)


def compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def catalogue_path(code: str, domain: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / f"{domain}.po"


if __name__ == "__main__":
    django.setup()
    main(sys.argv[1:])
