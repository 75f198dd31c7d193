"""Facts as tables (CSV, JSON). Every row is checked beside its source, as a fact that was read, before it is stored.

What Guard 1 makes of a row is shown beside it before anything is stored: what is left out, and what is stored in its
source's own words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from corpus.domain.passage import Passage
from corpus.domain.scope import Scope
from corpus.models import Collection
from corpus.selectors import passages_at
from curation.domain.facts.candidate import FactCandidate
from curation.domain.facts.grounding import Grounding
from curation.facts.reading import VerifierUnavailable, groundings
from curation.facts.services import QUEUE, TAG, check_record, unverified_state
from curation.forms import OPINION_NEEDS_HOLDER, objection_to_place
from curation.models import Fact
from curation.tables import TableResource, no_column

COLUMNS = (
    "subject", "predicate", "object", "content", "address", "evidence", "kind", "holder", "valid_from", "valid_to",
    "confidence",
)  # fmt: skip
NEEDED = COLUMNS[:6]
MOST_ROWS = 500  # of a file: each is read by the verifier while its editor waits
BLOCKED = {
    "not_supported": "Left out: its source does not say this",
    "contradicted": "Left out: its source says otherwise",
    "partial": "Stored in its source's own words, for it says this only in part",
}
KNOWN = "Stored already."
UNVERIFIED: Mapping[str, str] = {
    TAG: "Stored unverified: no verifier could be asked.",
    QUEUE: "Waits for a verifier, unused until then.",
}
FUTURE = "It begins on {day}, and is not used before."


@dataclass(frozen=True, slots=True)
class RowLook:
    """What was found about a row. wrong: by field, why nothing can be stored. remarks: for its editor.

    grounding: None for a row that is wrong, known, or could not be verified.
    """

    wrong: Mapping[str, str]
    remarks: tuple[str, ...] = ()
    passage: Passage | None = None
    grounding: Grounding | None = None

    @property
    def is_left_out(self) -> bool:
        return self.grounding is not None and not self.grounding.kept


class FactResource(TableResource):
    """A row is a new fact, or one that is stored already: with its content, address and evidence."""

    class Meta:
        model = Fact
        fields = COLUMNS
        export_order = COLUMNS
        import_id_fields = ("content", "address", "evidence")

    def get_queryset(self) -> Any:
        return Fact.objects.order_by("subject", "address", "pk")

    def before_import(self, dataset: Any, **more: Any) -> None:
        try:
            self._looks = self._look_at(dataset, more["user"])
        except Exception:
            dataset.wipe()  # the file is refused, so its rows need not say that they are wrong
            raise

    def _look_at(self, dataset: Any, user: Any) -> list[RowLook]:
        """What becomes of each row. Raises ValueError where the file as a whole cannot be imported."""
        headers = dataset.headers or ()
        if unknown := [name for name in headers if name not in COLUMNS]:
            raise ValueError(no_column(unknown[0], COLUMNS))
        if lacking := [name for name in NEEDED if name not in headers]:
            raise ValueError(gettext("The column “{name}” is missing.").format(name=lacking[0]))
        if len(dataset) > MOST_ROWS:
            said = gettext("The file has {number} rows. Split it into files of {most} at most.")
            raise ValueError(said.format(number=len(dataset), most=MOST_ROWS))
        return look_at_rows(dataset.dict, Scope(Collection.objects.keys_visible_to(user)))

    def before_import_row(self, row: Any, **more: Any) -> None:
        self._look = self._looks[more["row_number"] - 1]
        if self._look.wrong:
            raise ValidationError(dict(self._look.wrong))
        grounding = self._look.grounding
        if grounding and grounding.kept:
            row |= _stored_values(grounding, self._look.passage)

    def skip_row(self, instance: Any, original: Any, row: Any, import_validation_errors: Any = None) -> bool:
        known = not original._state.adding
        return (
            known or self._look.is_left_out or bool(super().skip_row(instance, original, row, import_validation_errors))
        )

    def before_save_instance(self, instance: Any, row: Any, **more: Any) -> None:
        grounding = self._look.grounding
        instance.grounding = grounding.verdict if grounding else unverified_state()

    def after_import_row(self, row: Any, row_result: Any, **more: Any) -> None:
        look, is_new = self._look, row_result.is_new()
        row_result.is_left_out = look.is_left_out
        row_result.remarks = look.remarks if is_new or look.is_left_out else (KNOWN,)
        if look.grounding and look.passage and (is_new or look.is_left_out):
            check_record(look.grounding, look.passage, row["content"], row_result.instance if is_new else None)


def look_at_rows(rows: Sequence[Mapping[str, Any]], scope: Scope) -> list[RowLook]:
    """What is wrong with each row, and what its source says of it. Raises ValueError where no verifier can be asked."""
    cleaned = [{name: str(row.get(name) or "").strip() for name in COLUMNS} for row in rows]
    wrong = [_wrong(row, scope) for row in cleaned]
    known = [not found and _is_known(row) for row, found in zip(cleaned, wrong, strict=True)]
    due = [at for at, found in enumerate(wrong) if not found and not known[at]]
    pairs = [_pair(cleaned[at], scope) for at in due]
    try:
        verdicts = groundings(pairs, "")
    except VerifierUnavailable as error:
        said = gettext("No verifier can be asked ({fault}), so nothing is imported. Try again later.")
        raise ValueError(said.format(fault=error)) from error
    looks = [RowLook(found, (KNOWN,) if known[at] else ()) for at, found in enumerate(wrong)]
    for at, (passage, _), grounding in zip(due, pairs, verdicts, strict=True):
        looks[at] = RowLook({}, tuple(_remarks(cleaned[at], grounding)), passage, grounding)
    return looks


def fact_import(row: Mapping[str, str], look: RowLook) -> None:
    """Store a row that was looked at, in the words that Guard 1 gave it, and record the verdict."""
    assert look.passage, "the caller looked"
    decided = _stored_values(look.grounding, look.passage) if look.grounding else {}
    values = {name: row[name] for name in COLUMNS if row[name]} | decided
    values["grounding"] = look.grounding.verdict if look.grounding else unverified_state()
    fact = Fact.objects.create(**values)
    if look.grounding:
        check_record(look.grounding, look.passage, row["content"], fact)


def day_of(text: str) -> date | None:
    """The day written as 1893-09-11; None for anything else."""
    try:
        return parse_date(text)
    except ValueError:
        return None


def _wrong(row: Mapping[str, str], scope: Scope) -> dict[str, str]:
    if empty := next((name for name in NEEDED if not row[name]), ""):
        return {empty: gettext("It is empty.")}
    if row["kind"] and row["kind"] not in Fact.Kind.values:
        said = gettext("“{value}” is none of {names}.").format(value=row["kind"], names=", ".join(Fact.Kind.values))
        return {"kind": said}
    if row["kind"] == Fact.Kind.OPINION and not row["holder"]:
        return {"holder": str(OPINION_NEEDS_HOLDER)}
    for name in ("valid_from", "valid_to"):
        if row[name] and not day_of(row[name]):
            return {name: gettext("“{value}” is not a day, like 1893-09-11.").format(value=row[name])}
    place = objection_to_place(row["address"], row["evidence"], scope)
    return dict([place]) if place else {}


def _is_known(row: Mapping[str, str]) -> bool:
    return Fact.objects.filter(**{name: row[name] for name in ("content", "address", "evidence")}).exists()


def _pair(row: Mapping[str, str], scope: Scope) -> tuple[Passage, FactCandidate]:
    passage = next(found for found in passages_at(row["address"], scope) if row["evidence"] in found.text)
    start = passage.text.index(row["evidence"])
    confidence = float(row["confidence"]) if row["confidence"].replace(".", "", 1).isdigit() else 1.0
    return passage, FactCandidate(
        row["subject"], row["predicate"], row["object"], row["content"], (start, start + len(row["evidence"])),
        confidence=min(1.0, confidence),
    )  # fmt: skip


def _remarks(row: Mapping[str, str], grounding: Grounding | None) -> list[str]:
    remarks = []
    if grounding is None:
        remarks.append(UNVERIFIED[unverified_state()])
    elif grounding.verdict in BLOCKED:
        remarks.append(f"{BLOCKED[grounding.verdict]} ({grounding.because}).".replace(" ()", ""))
    begins = day_of(row["valid_from"])
    if begins and begins > timezone.localdate():
        remarks.append(FUTURE.format(day=begins))
    return remarks


def _stored_values(grounding: Grounding, passage: Passage | None) -> dict[str, Any]:
    """The columns that Guard 1 decides: of a partly grounded fact, its source's words."""
    found = grounding.candidate
    evidence = passage.text[slice(*found.evidence)] if passage else ""
    return {
        "predicate": found.predicate, "object": found.object[:500], "content": found.content, "evidence": evidence,
        "confidence": found.confidence,
    }  # fmt: skip
