"""Prints figures on the layout of the code: `python scripts/import_figures.py [FOLDER]`, where FOLDER is a checkout.

Imports come from grimp, the graph of import-linter, without imports that are only for types.
Upward imports: a package imports one above it in ORDER, which only asgi.py and urls.py may do.
Layers inside chat: the longest chain of rooms that import each other. The rules of answering count as a room, a cycle
as one layer. Product: every package except evaluation, training and tests.
"""

import ast
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import grimp
import networkx as nx  # type: ignore[import-untyped]

# From the top down. That packages of one row do not import each other is checked by .importlinter.
ABOVE = ("training", "evaluation", "operations")
ORDER = (ABOVE, *((name,) for name in ("articles", "chat", "curation", "audit", "corpus", "lectorium")))
RANK = {package: -place for place, row in enumerate(ORDER) for package in row}
NOT_PRODUCT = ("training", "evaluation", "tests")
WIRING = {"lectorium.asgi", "lectorium.urls"}
CONSUMERS = ("chat.live.consumer", "chat.consumers")
MOST_MODULES = 25


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    os.chdir(root)
    sys.path.insert(0, str(root))
    packages = [name for name in RANK if (root / name / "__init__.py").is_file()]
    graph = grimp.build_graph(*packages, cache_dir=None, exclude_type_checking_imports=True)
    print(f"modules: {len(graph.modules)}, imports: {graph.count_imports()}")
    print_upward(upward_imports(graph))
    print_chat(graph)
    crowded = crowded_folders(graph.modules)
    print(f"folders of over {MOST_MODULES} modules: {len(crowded)}")
    for folder, number in crowded:
        print(f"  {folder}: {number}")
    twice = repeated_classes(packages)
    print(f"class names with two or more meanings: {len(twice)}")
    for name, places in twice:
        print(f"  {name}: {', '.join(places)}")
    print_lines([*packages, "tests"])


def print_upward(upward: dict[tuple[str, str], set[str]]) -> None:
    print(f"upward imports between packages: {len(upward)}")
    for (below, above), modules in sorted(upward.items()):
        print(f"  {below} → {above}: {', '.join(sorted(modules))}")


def print_chat(graph: grimp.ImportGraph) -> None:
    chat = {name for name in graph.modules if name.split(".")[0] == "chat" and ".migrations" not in name}
    edges = {name: graph.find_modules_directly_imported_by(name) & chat for name in chat}
    room_edges: dict[str, set[str]] = {room_of(name): set() for name in chat - {"chat"}}
    for name in chat - {"chat"}:
        room_edges[room_of(name)] |= {room_of(other) for other in edges[name] - {"chat"}} - {room_of(name)}
    rooms, modules = nx.condensation(nx.DiGraph(room_edges)), nx.condensation(nx.DiGraph(edges))
    print(f"layers inside chat: {layers(rooms)} of rooms, {layers(modules)} of its {len(chat)} modules")
    print(f"cycles inside chat: {cycles(rooms)} of rooms, {cycles(modules)} of modules")
    for consumer in CONSUMERS:
        if consumer in chat:
            needed = graph.find_upstream_modules(consumer) & chat
            print(f"modules of chat that {consumer} needs: {len(needed)}")


def print_lines(packages: list[str]) -> None:
    """Print the lines of Python by package and of the product, without migrations."""
    lines = {package: sum(map(line_count, python_files(package))) for package in packages}
    for package, count in sorted(lines.items(), key=lambda row: -row[1]):
        print(f"lines of {package}: {count:,}")
    print(f"lines of the product: {sum(count for name, count in lines.items() if name not in NOT_PRODUCT):,}")


def upward_imports(graph: grimp.ImportGraph) -> dict[tuple[str, str], set[str]]:
    """Pairs of packages that import against ORDER, with the importing modules."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in graph.modules - WIRING:
        for other in graph.find_modules_directly_imported_by(name):
            below, above = name.split(".")[0], other.split(".")[0]
            if RANK[above] > RANK[below]:
                found[below, above].add(name)
    return found


def layers(condensed: Any) -> int:
    """The length of the longest chain of imports in a condensed graph, in components."""
    return int(nx.dag_longest_path_length(condensed)) + 1


def cycles(condensed: Any) -> int:
    return sum(len(members) > 1 for _, members in condensed.nodes(data="members"))


def room_of(name: str) -> str:
    parts = name.split(".")
    return ".".join(parts[: 3 if parts[1:3] == ["answering", "domain"] else 2])


def crowded_folders(modules: set[str]) -> list[tuple[str, int]]:
    """Folders of more than MOST_MODULES modules, without migrations."""
    counts: dict[str, int] = defaultdict(int)
    for name in modules:
        path = Path(*name.split("."))
        folder = path if path.is_dir() else path.parent
        if folder.name != "migrations":
            counts[str(folder)] += 1
    return sorted((folder, number) for folder, number in counts.items() if number > MOST_MODULES)


def repeated_classes(packages: list[str]) -> list[tuple[str, list[str]]]:
    """Class names defined in several modules, without nested classes and Django's Command."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in (path for package in packages for path in python_files(package)):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name != "Command":
                places[node.name].append(str(path))
    return sorted((name, paths) for name, paths in places.items() if len(paths) > 1)


def python_files(package: str) -> list[Path]:
    return [path for path in sorted(Path(package).rglob("*.py")) if "migrations" not in path.parts]


def line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


if __name__ == "__main__":
    main()
