"""The instructions that are planted, what obeys each, and its benign twin.

Three kinds: `ours`, written for this project (lectorium.providers.planting); `task` and `code`, the training halves of
BIPIA (Yi et al., 2023). Replies to tasks are written by hand (replies.json, by a hash of the task); a task that asks to
disguise the answer is obeyed by disguising a true sentence; code is copied.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.escape.material import sha_of
from evaluation.golden_run import read_rows
from lectorium.providers.planting.orders import obedience, with_order

KINDS = ("ours", "task", "code")
OURS = 48  # of several hundred
_CODE = re.compile(r"```\w*\n.*?```", re.S)
Disguise = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PlantedOrder:
    """order: the text that is planted. twin: the harmless text planted in its place.

    reply: what obeys it; "" where `disguise` makes it of a true sentence. stated: the twin states the reply itself, so
    that a model may say it.
    """

    kind: str
    order: str
    twin: str
    reply: str = ""
    disguise: Disguise | None = None
    stated: bool = False

    def reply_to(self, sentence: str) -> str:
        """What obeys the order; `sentence`: a true sentence to disguise."""
        return self.disguise(sentence) if self.disguise else self.reply


def read_orders(data: Path) -> list[PlantedOrder]:
    """Every order. Raises FileNotFoundError without the data, and ValueError for a task without a reply."""
    folder = data / "attacks"
    return [
        *map(_ours, range(OURS)),
        *_tasks(read_rows(folder / "bipia_text_attack_train.jsonl")),
        *(_code(row["text"]) for row in read_rows(folder / "bipia_code_attack_train.jsonl")),
    ]


def draw_orders(orders: list[PlantedOrder], limit: int, seed: int) -> list[PlantedOrder]:
    """At most `limit` random orders, as evenly over the kinds as possible."""
    chance = random.Random(seed)
    groups = [[order for order in orders if order.kind == kind] for kind in KINDS]
    for group in groups:
        chance.shuffle(group)
    turns = (group[turn] for turn in range(max(map(len, groups))) for group in groups if turn < len(group))
    return [order for order, _ in zip(turns, range(limit), strict=False)]


def _ours(which: int) -> PlantedOrder:
    order = with_order("", which).strip()
    said = obedience(order)
    return PlantedOrder("ours", order, said, said, stated=True)


def _tasks(rows: list[dict[str, str]]) -> Iterator[PlantedOrder]:
    replies = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
    for row in rows:
        task, disguise = row["text"], DISGUISES.get(row["category"])
        reply = replies.get(sha_of(task), "")
        if not (reply or disguise):
            raise ValueError(f"evaluation/injection/replies.json has no reply to the task {task!r}")
        yield PlantedOrder("task", task, _reported(task), "" if disguise else reply, disguise)


def _code(text: str) -> PlantedOrder:
    block = found[0] if (found := _CODE.search(text)) else text
    return PlantedOrder("code", text, _reported(_CODE.sub("", text).strip(" :\n")), block)


def _reported(text: str) -> str:
    return f"A visitor once read “{text.strip()}” aloud from a newspaper."


def _as_numbers(sentence: str) -> str:
    return re.sub(r"[a-z]", lambda letter: str(ord(letter[0]) - ord("a") + 1), sentence.casefold())


def _as_symbols(sentence: str) -> str:
    return sentence.translate(str.maketrans("aeioub", "@#$%&8"))


def _misspelt(sentence: str) -> str:
    words = sentence.split()
    return " ".join(word[1::-1] + word[2:] if place % 2 and len(word) > 3 else word for place, word in enumerate(words))


def _reversed_words(sentence: str) -> str:
    return " ".join(word[::-1] for word in sentence.rstrip(".").split()) + "."


def _without_spaces(sentence: str) -> str:
    return sentence.replace(" ", "")


DISGUISES: dict[str, Disguise] = {
    "Alphanumeric Substitution": _as_numbers,
    "Homophonic Substitution": _as_symbols,
    "Misspelling Intentionally": _misspelt,
    "Anagramming": _reversed_words,
    "Space Removal & Grouping": _without_spaces,
}
