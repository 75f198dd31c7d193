"""Styles hold in languages that are written from right to left: nothing is placed by left and right."""

import re
from pathlib import Path

from django.conf import settings

CSS = Path(settings.BASE_DIR) / "static" / "css"
PHYSICAL = re.compile(
    r"(?:^|[\s;{])((?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-)?(?:left|right)(?:-\w+)*|float|clear|"
    r"border-(?:top|bottom)-(?:left|right)-radius|text-align)\s*:\s*([^;}]+)"
)
SIDES = re.compile(r"(?:^|[\s;{])(margin|padding|inset|border-width|border-radius|translate)\s*:\s*([^;}]+)")
# file → declarations that are physical on purpose, and why
EXCEPTIONS = {
    "chat.css": {
        "translate: -100% 0": "the drawer has a rule for each direction",
        "translate: 100% 0": "the drawer has a rule for each direction",
        "border-width: 0 1.5px 1.5px 0": "an arrow, turned afterwards so that it points down",
    },
}


def physical(css):
    """The declarations that mean a left or a right side."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    for name, value in PHYSICAL.findall(css):
        if name not in ("text-align", "float", "clear") or re.search(r"\b(?:left|right)\b", value):
            yield f"{name}: {value.strip()}"
    for name, value in SIDES.findall(css):
        parts = re.findall(r"[^\s(]+(?:\([^)]*\))?", value.strip())
        if (len(parts) == 4 and is_uneven(name, *parts)) or (name == "translate" and parts[0] not in ("0", "none")):
            yield f"{name}: {value.strip()}"


def is_uneven(name, first, second, third, fourth):
    """Do these values differ between left and right? Of a radius they are corners, of the others sides."""
    return (first, fourth) != (second, third) if name == "border-radius" else second != fourth


def test_no_style_names_left_or_right():
    found = {path.name: set(physical(path.read_text(encoding="utf-8"))) for path in sorted(CSS.glob("*.css"))}
    assert {name: kept for name, kept in found.items() if kept} == {
        name: set(kept) for name, kept in EXCEPTIONS.items()
    }


def test_what_is_physical_is_recognised():
    sides = "margin-left: 1px; left: 0; text-align: right; float: left; padding: 0 1px 0 2px; translate: 4px 0"
    css = f"a {{ {sides}; border-radius: 0 1px 1px 0; color: red }}"
    assert len(set(physical(css))) == 7
    assert not list(
        physical("a { margin-inline: 1px; inset: 0; text-align: start; padding: 0 1px 0 1px; translate: 0 4px }")
    )
