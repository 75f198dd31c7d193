"""The documentation names only what exists: files, anchors, make targets, commands, settings, and measured figures."""

import re
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "training" / "README.md",
    *sorted(ROOT.glob("docs/**/*.md")),
]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
README_LINES = 80
PICTURE_BYTES = 200_000
# Named in patterns: a key for each service.
PATTERNS = {"LECTORIUM_CHAT_KEY_"}


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def anchors_of(path):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(pattern):
    """Every match of a pattern in the pages, with the page it stands in."""
    return {(match, path.name) for path in PAGES for match in re.findall(pattern, text_of(path))}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    broken = []
    for target in LINK.findall(text_of(page)):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists() or (anchor and anchor not in anchors_of(path)):
            broken.append(target)
    assert broken == []


def test_every_page_of_the_documentation_is_linked_from_another():
    linked = {
        (page.parent / target.partition("#")[0]).resolve()
        for page in PAGES
        for target in LINK.findall(text_of(page))
        if "://" not in target
    }
    assert [page.name for page in PAGES if page not in linked and page.name != "README.md"] == []


def test_every_make_target_exists():
    targets = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    wanted = named(r"(?m)(?:^ +|`|LECTORIUM_READER=small )make ([a-z][\w-]+)")
    assert {name for name, _ in wanted} >= {"run", "test"}
    assert {(name, page) for name, page in wanted if name not in targets} == set()


def test_every_command_exists():
    known = set(get_commands())
    wanted = named(r"manage\.py ([a-z]\w+)")
    assert len(wanted) > 20
    assert {(name, page) for name, page in wanted if name not in known} == set()


def test_every_path_that_is_named_exists():
    wanted = named(
        r"`((?:audit|chat|corpus|curation|evaluation|lectorium|operations|samples|scripts|static|templates|tests|training)/[\w./-]+)`"
    )
    assert len(wanted) > 30
    assert {(path, page) for path, page in wanted if not (ROOT / path).exists()} == set()


def test_settings_in_the_documentation_are_those_of_the_code():
    code = [
        path
        for folder in ("lectorium", "chat", "corpus", "training", "operations", "scripts")
        for path in (ROOT / folder).rglob("*.py")
    ]
    read = {name for path in code for name in re.findall(r"""["'](LECTORIUM_[A-Z_]+)["']""", text_of(path))}
    documented = {name for name, page in named(r"LECTORIUM_[A-Z_]*[A-Z]") if page != "CHANGELOG.md"}
    table = set(re.findall(r"LECTORIUM_[A-Z_]*[A-Z]", text_of(ROOT / "docs" / "operators.md")))
    assert len(read) > 40
    services = {name for name in documented if any(name.startswith(pattern) for pattern in PATTERNS)}
    assert documented - services - read - {"LECTORIUM_CHAT_KEY"} == set()
    assert read - PATTERNS - table == set()


def test_the_figures_of_the_results_page_stand_in_their_detail_pages():
    rows = [line.split(" | ") for line in text_of(ROOT / "docs" / "results.md").splitlines() if "](results/" in line]
    headlines = [row for row in rows if len(row) == 7]
    assert len(headlines) == 10
    missing = []
    for row in headlines:
        measured, target = row[2], LINK.findall(row[6])[0]
        if measured.removesuffix(" (p50 / p95 ms)") not in text_of(ROOT / "docs" / target):
            missing.append(measured)
    assert missing == []


def test_the_readme_is_short_and_its_pictures_are_light():
    assert len(text_of(ROOT / "README.md").splitlines()) <= README_LINES
    pictures = [ROOT / target for target in LINK.findall(text_of(ROOT / "README.md")) if target.endswith(".png")]
    assert len(pictures) == 2
    assert [path.name for path in pictures if path.stat().st_size > PICTURE_BYTES] == []
