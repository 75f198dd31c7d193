"""`manage.py recheck IN OUT`: do the citations of saved answers still hold in today's corpus?"""

from collections import Counter
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.conversations.domain.rechecking import CitationStatus, RecheckedCitation, Reference
from chat.conversations.recheck import citations_recheck
from lectorium.management.json_lines import check_output, read_objects, write_objects

SAVED = {"id": object, "citations": list, "references": list}


class Command(BaseCommand):
    help = (
        "Re-check saved answers (of export_conversations, ask_file or ask --json): writes "
        "{id, citations: [{n, address, standing, now_at}]}; "
        "a standing is unchanged, moved (the same words in another passage), changed or withdrawn."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path)
        parser.add_argument("output", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        rows = read_objects(options["input"], SAVED)
        asked = [(row["id"], references_of(row, options["input"])) for row in rows]
        check_output(options["output"])
        found = [(key, citations_recheck(references)) for key, references in asked]
        write_objects(options["output"], ({"id": key, "citations": [_row(one) for one in each]} for key, each in found))
        counts = Counter(one.standing for _, each in found for one in each)
        said = ", ".join(f"{counts[standing]} {standing.value}" for standing in CitationStatus)
        self.stderr.write(f"{counts.total()} citations of {len(rows)} answers: {said}")


def references_of(row: dict[str, Any], path: Path) -> list[Reference]:
    """Return what a saved answer's citations were taken from. Raises CommandError naming the answer."""
    try:
        cited = {citation["n"]: citation for citation in row["citations"]}
        return [
            Reference(
                n=int(reference["n"]),
                chunk_id=UUID(reference["chunk"]) if reference["chunk"] else None,
                content_hash=str(reference["content_hash"]),
                start=int(reference["char_start"]),
                end=int(reference["char_end"]),
                quote=str(cited[reference["n"]]["quote"]),
                address=str(cited[reference["n"]]["address"]),
            )
            for reference in row["references"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"{path}, id {row['id']!r}: its citations and references do not fit; save it again"
        raise CommandError(message) from error


def _row(one: RecheckedCitation) -> dict[str, Any]:
    return {"n": one.n, "address": one.address, "standing": one.standing.value, "now_at": one.now_at}
