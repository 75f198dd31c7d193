"""Fails if a class name has two meanings, a name contains a retired word, a loop variable is called `one`, or a folder
holds more than 25 modules.

The words are those of CONTRIBUTING's register: participles and riddles that once stood for nouns of the field.
"""

import ast
import sys
from collections import defaultdict
from pathlib import Path

from size_gate import tracked_modules

MOST = 25
# Every command of Django's is called so.
SHARED = {"Command"}
RETIRED_CLASSES = frozenset(
    """
    Ablated Answered Attempt Asked Beside Checked Cited Compared Degraded Drafted Drawn Dropped Ended Fenced Fitted
    Foreseen Freeing Gated Held Journal Judged Keyed Kept Known Labelled Looked Measured Metered Minted Near Nowhere
    NotAlone NotThere Observed Patience Placed Read Rechecked Refused Remembered Routed Running Said Scored Served
    Shared Shown Sifted Situating Sought Sounded Spanned Spent Standing Stored Telling Today Told Traced Turnstile
    Uncalibrated Unopened Unreadable Warned Way Weighed Withheld Written
    """.split()
)
RETIRED_FUNCTIONS = frozenset(
    """
    conduct denied doubted doubts exported gather hear hear_into heard said_elsewhere sight sounded take tell
    tell_from_knowledge tell_of told turnstile unheard weigh weighed
    """.split()
)
RETIRED_MODULES = frozenset(
    """
    afterwards beside calibrating documented elsewhere examining exporting following forgetting freeing gating
    guarded kept knowledge labelling making observed observing patience patient_layer preparing presenting
    previewing reaching remembering restoring saving searching showing sight situating speaking stopping_models
    switching tracing turnstile unstorable verifying waiting
    """.split()
)


def main() -> int:
    faults = [*names_met_twice(), *retired_words(), *nameless_loops(), *crowded_folders()]
    print("\n".join(faults) or "naming gate: one class name, one meaning; no retired word; no folder over 25 modules")
    return bool(faults)


def names_met_twice() -> list[str]:
    """Return the names that two modules give to a class, each with its places. Classes within classes do not count."""
    places: dict[str, list[Path]] = defaultdict(list)
    for path in tracked_modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name not in SHARED:
                places[node.name].append(path)
    return [f"class {name}: {', '.join(map(str, found))}" for name, found in sorted(places.items()) if len(found) > 1]


def retired_words() -> list[str]:
    """Return the names of modules, classes, functions and methods that are retired; tests may use them."""
    faults = []
    for path in tracked_modules():
        if str(path).startswith("tests/"):
            continue
        if path.stem in RETIRED_MODULES:
            faults.append(f"{path}: the module's name is a retired word")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            words = RETIRED_CLASSES if isinstance(node, ast.ClassDef) else RETIRED_FUNCTIONS
            if (
                isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and node.name.strip("_") in words
            ):
                faults.append(f"{path}:{node.lineno}: {node.name} is a retired word")
    return faults


def nameless_loops() -> list[str]:
    """Return the loops and lambdas whose only variable is called `one`; a pair may be `one, other`."""
    faults = []
    for path in tracked_modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                names = [node.target.id] if isinstance(node.target, ast.Name) else []
            elif isinstance(node, ast.Lambda):
                names = [argument.arg for argument in node.args.args]
            else:
                continue
            if names == ["one"]:
                line = node.target if isinstance(node, ast.comprehension) else node
                faults.append(f"{path}:{line.lineno}: call it what it is, not `one`")
    return faults


def crowded_folders() -> list[str]:
    counts: dict[Path, int] = defaultdict(int)
    for path in tracked_modules():
        if path.parts[0] != "tests":
            counts[path.parent] += 1
    return [f"{path}: {number} modules, at most {MOST}" for path, number in sorted(counts.items()) if number > MOST]


if __name__ == "__main__":
    sys.exit(main())
