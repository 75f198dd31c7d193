"""`manage.py recheck IN OUT`: checks the citations of saved answers against today's corpus."""

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
        "Re-check saved answers (from export_conversations, ask_file or ask --json). Writes "
        "{id, citations: [{n, address, standing, now_at}]}; "
        "standing is unchanged, moved (the same words in another passage), changed or withdrawn."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("input", type=Path)
        parser.add_argument("output", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        rows = read_objects(options["input"], SAVED)
        saved = [(row["id"], references_of(row, options["input"])) for row in rows]
        check_output(options["output"])
        answers = [(key, citations_recheck(references)) for key, references in saved]
        write_objects(options["output"], ({"id": key, "citations": list(map(_row, cited))} for key, cited in answers))
        counts = Counter(citation.standing for _, cited in answers for citation in cited)
        summary = ", ".join(f"{counts[standing]} {standing.value}" for standing in CitationStatus)
        self.stderr.write(f"{counts.total()} citations of {len(rows)} answers: {summary}")


def references_of(row: dict[str, Any], path: Path) -> list[Reference]:
    """The passages that a saved answer's citations came from. Raises CommandError with the answer's id."""
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
        message = f"{path}, id {row['id']!r}: its citations do not match its references; export it again"
        raise CommandError(message) from error


def _row(citation: RecheckedCitation) -> dict[str, Any]:
    return {
        "n": citation.n,
        "address": citation.address,
        "standing": citation.standing.value,
        "now_at": citation.now_at,
    }
