"""Prints figures of the import graph: `python scripts/import_figures.py [FOLDER]`, in a checkout (the folder, or this
one).

Upward arrows: packages that import one that stands above them; asgi.py and urls.py may. Layers inside chat: the longest
chain of its rooms, each of which imports the next (answering's rules are a room of their own); and the same of modules.
A
cycle counts as one. Reach: the modules of chat that the socket's consumer needs. Imports for types alone do not count.
"""

import os
import sys
from collections import defaultdict
from pathlib import Path

import grimp

# the highest first
ORDER = ("training", "evaluation", "operations", "chat", "curation", "audit", "corpus", "lectorium")
RANK = {
    "training": 5,
    "evaluation": 5,
    "operations": 5,
    "chat": 4,
    "curation": 3,
    "audit": 2,
    "corpus": 1,
    "lectorium": 0,
}
WIRING = {"lectorium.asgi", "lectorium.urls"}
CONSUMERS = ("chat.live.consumer", "chat.consumers")
MOST = 25


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    os.chdir(root)
    sys.path.insert(0, str(root))
    packages = [name for name in ORDER if (root / name / "__init__.py").is_file()]
    graph = grimp.build_graph(*packages, cache_dir=None, exclude_type_checking_imports=True)
    against = upward(graph)
    print(f"modules: {len(graph.modules)}, imports: {graph.count_imports()}")
    print(f"upward package arrows: {len(against)}")
    for (below, above), modules in sorted(against.items()):
        print(f"  {below} → {above}: {', '.join(sorted(modules))}")
    chat = {name for name in graph.modules if name.split(".")[0] == "chat" and ".migrations" not in name}
    edges = {name: graph.find_modules_directly_imported_by(name) & chat for name in chat}
    groups = components(edges)
    rooms = {name: room_of(name) for name in chat if name != "chat"}
    arrows: dict[str, set[str]] = {room: set() for room in rooms.values()}
    for name, room in rooms.items():
        arrows[room] |= {rooms[other] for other in edges[name] if other in rooms} - {room}
    deepest = longest(arrows, components(arrows))
    print(f"layers inside chat: {deepest} of rooms, {longest(edges, groups)} of its {len(chat)} modules")
    together = ["; ".join(sorted(group)) for group in components(arrows) if len(group) > 1]
    print(f"rooms of chat that import each other: {' | '.join(together) or 'none'}")
    found = [sorted(group) for group in groups if len(group) > 1]
    print(f"cycles of modules inside chat: {len(found)}")
    for group in found:
        print(f"  {', '.join(group)}")
    consumer = next((name for name in CONSUMERS if name in chat), None)
    if consumer:
        reached = graph.find_upstream_modules(consumer) & chat
        rules = {name for name in reached if ".domain" in name}
        print(f"modules of chat that the consumer needs: {len(reached)}, of which {len(rules)} are rules")
    for folder, number in crowded(graph.modules):
        print(f"folder of over {MOST} modules: {folder} ({number})")


def upward(graph: grimp.ImportGraph) -> dict[tuple[str, str], set[str]]:
    """Return the arrows against the order of packages, with the modules that draw them."""
    arrows: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in graph.modules - WIRING:
        for other in graph.find_modules_directly_imported_by(name):
            own, its = name.split(".")[0], other.split(".")[0]
            if RANK[its] > RANK[own]:
                arrows[own, its].add(name)
    return arrows


def components(edges: dict[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components, each after those it imports (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(edges[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            place = stack.index(name)
            found.append(set(stack[place:]))
            del stack[place:]

    for name in sorted(edges):
        if name not in index:
            visit(name)
    return found


def longest(edges: dict[str, set[str]], groups: list[set[str]]) -> int:
    """Return the length of the longest chain of components."""
    of = {name: place for place, group in enumerate(groups) for name in group}
    depth: list[int] = []
    for place, group in enumerate(groups):  # what a group imports comes before it
        below = {of[other] for name in group for other in edges[name]} - {place}
        depth.append(1 + max((depth[one] for one in below), default=0))
    return max(depth, default=0)


def room_of(name: str) -> str:
    parts = name.split(".")
    return ".".join(parts[: 3 if parts[1:3] == ["answering", "domain"] else 2])


def crowded(modules: set[str]) -> list[tuple[str, int]]:
    """Return the packages of more than MOST modules, without migrations."""
    counts: dict[str, int] = defaultdict(int)
    for name in modules:
        path = Path(*name.split("."))
        folder = path if path.is_dir() else path.parent
        if folder.name != "migrations":
            counts[str(folder)] += 1
    return sorted((folder, number) for folder, number in counts.items() if number > MOST)


if __name__ == "__main__":
    main()
