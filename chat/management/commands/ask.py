"""`manage.py ask "…"`: the answer that the page would show, in the terminal."""

import asyncio
import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.answering.domain.query.checks import BadMessage, check_question
from chat.answering.domain.question import Mode
from corpus.domain.clock import clock
from lectorium.asking import ask


class Command(BaseCommand):
    help = "Ask the corpus a question and print the cited answer or the refusal. The turn is recorded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--mode", choices=list(Mode), default=Mode.AUTO)
        parser.add_argument("--json", action="store_true", help="Print the whole response as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            question = check_question(options["question"], settings.QUESTION_MAX_CHARS)
        except BadMessage as error:
            raise CommandError(str(error)) from error
        response = asyncio.run(ask(question, mode=options["mode"], record=True))
        if options["json"]:
            self.stdout.write(json.dumps(response, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_lines(response)))


def _lines(response: dict[str, Any]) -> list[str]:
    lines = [response["answer"], ""]
    for citation in response["citations"]:
        lines.append(f"[{citation['n']}] {citation['title']} · {citation['address']}{_time(citation)}")
    for passage in response["nearest"]:
        lines.append(f"related, not an answer: {passage['address']} — {passage['quote']}")
    lines += [f"warning: {warning['message']}" for warning in response["warnings"]]
    if response["summary"]:
        lines += ["", f"{response['summary']} · {response['timings_ms']['total']} ms"]
    return lines


def _time(citation: dict[str, Any]) -> str:
    return "" if citation["start"] is None else f" · {clock(citation['start'])}"
