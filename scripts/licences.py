"""Write docs/licences.md: the licence of every locked package, as its metadata names it.

scripts/licences.py           write the page
scripts/licences.py --check   exit 1 where a licence is not among the accepted ones, or the page is out of date
"""

import re
import sys
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licences.md"
LOCKS = ("run", "dev", "s3", "speech")  # together every package
SHORT = 80  # a longer text under "License" is the licence itself, not its name
NAMELESS = ("Dual License",)
# Packages whose metadata names no licence: what their files say.
STATED = {"axe-playwright-python": "MIT"}
NAMES = {
    r"apache( software)?( license)?,?( version)? ?-?2(\.0)?( license)?|apache software license": "Apache-2.0",
    r"mit( license)?": "MIT",
    r"(bsd )?3-clause( bsd)?( license)?": "BSD-3-Clause",
    r"bsd 2-clause( license)?": "BSD-2-Clause",
    r"bsd( license)?": "BSD",
    r"psfl": "PSF-2.0",
    r"isc license( \(iscl\))?": "ISC",
    r"mozilla public license 2\.0 \(mpl 2\.0\)": "MPL-2.0",
}
# LGPL: psycopg, used as a library and not changed. MPL: likewise.
ACCEPTED = frozenset(
    "0BSD Apache-2.0 BSD BSD-2-Clause BSD-3-Clause BSL-1.0 CC0-1.0 CNRI-Python ISC LGPL-3.0-only LLVM-exception MIT "
    "MIT-0 MPL-2.0 PSF-2.0 TCL ZPL-2.1 Zlib".split()
)
HEAD = """# Licences

The licence of every package in `locks/` and of torch, as its metadata names it. `make licences` writes this page;
`make check` fails where it is out of date or a licence is none of those that `scripts/licences.py` accepts. psycopg
(LGPL) and the packages under MPL are used as libraries, unchanged. What this repository itself contains:
[NOTICE](../NOTICE), and `locks/vendored.toml` for files made elsewhere or by a program.

| licence | packages of the product | only for development, Langfuse, S3 or speech |
|---|---|---|
"""


def main() -> int:
    names = locked(*LOCKS) | {"torch"}
    licences, missing = licences_of(names)
    stated = stated_in(PAGE.read_text(encoding="utf-8")) if PAGE.is_file() else {}
    faults = [f"licences: {name} has {said!r}" for name, said in licences.items() if not is_accepted(said)]
    if "--check" not in sys.argv:
        known = {name: stated[name] for name in missing if name in stated}
        PAGE.write_text(text_of(licences | known), encoding="utf-8")
        faults += [f"licences: {name} is not installed, so not looked up" for name in missing if name not in stated]
    elif set(stated) != names or not licences.items() <= stated.items():
        faults.append("licences: docs/licences.md is out of date; run `make licences`")
    sys.stdout.write("".join(f"{fault}\n" for fault in faults) or "licences: all are accepted\n")
    return bool(faults)


def locked(*names: str) -> set[str]:
    """Names of the packages in these locks."""
    texts = [(ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8") for name in names]
    return {name for text in texts for name in re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==", text, re.M)}


def licences_of(names: set[str]) -> tuple[dict[str, str], list[str]]:
    """Licence by package, and the packages that are not installed."""
    found, missing = {}, []
    for name in sorted(names):
        try:
            found[name] = licence_of(name)
        except PackageNotFoundError:
            missing.append(name)
    return found, missing


def licence_of(name: str) -> str:
    """The SPDX expression of an installed package, or its licence's name; "unknown" where none is stated."""
    about = metadata(name)
    if expressions := about.get_all("License-Expression"):
        return str(expressions[0])
    said = next(iter(about.get_all("License") or ()), "")
    classified = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if "License ::" in line]
    texts = [said] if said and len(said) <= SHORT and "\n" not in said and said not in NAMELESS else classified
    return " OR ".join(map(spdx_of, texts)) or STATED.get(name, "unknown")


def spdx_of(said: str) -> str:
    """The SPDX name of a licence, or of each alternative in "A OR B"; what is not known stays as it is."""
    choices = (choice.strip() for choice in said.split(" OR "))
    return " OR ".join(
        next((short for form, short in NAMES.items() if re.fullmatch(form, choice, re.I)), choice) for choice in choices
    )


def is_accepted(expression: str) -> bool:
    """Every licence of an expression is accepted; of alternatives, one is enough."""
    return any(
        all(part.strip(" ()") in ACCEPTED for part in re.split(r"\bAND\b|\bWITH\b|,", choice))
        for choice in re.split(r"\bOR\b", expression)
    )


def stated_in(page: str) -> dict[str, str]:
    """Licence by package, as the page says it."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.count("|") == 4]
    return {name: said for said, *cells in rows[2:] for cell in cells for name in cell.split(", ") if name}


def text_of(licences: dict[str, str]) -> str:
    shipped = locked("run") | {"torch"}
    rows: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for name, said in licences.items():
        rows[said][name not in shipped].append(name)
    lines = (f"| {said} | {', '.join(run)} | {', '.join(other)} |" for said, (run, other) in sorted(rows.items()))
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
