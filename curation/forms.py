"""Validation of editors' entries: existing addresses, literal evidence, and acyclic supersession."""

from typing import Any

from django import forms

from corpus.selectors import passages_at
from curation.models import Curated, Fact
from curation.services import CannotSupersede, superseding_fact

SHOWN = 300  # characters of the actual passage shown beside evidence that is not in it
HOW_TO_WRITE = "Write it as the source's page does, e.g. BG 2.13 or first-steps:4."


class CuratedForm(forms.ModelForm):  # type: ignore[type-arg]
    """A pin or a note. A published one may only refer to existing passages."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("state") == Curated.State.PUBLISHED:
            dead = [reference for reference in values.get("references", ()) if not passages_at(reference)]
            if dead:
                named = ", ".join(f"“{reference}”" for reference in dead)
                self.add_error("references", f"There is no passage at {named}. {HOW_TO_WRITE}")
        return values


class FactForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Fact
        fields = (
            "subject", "predicate", "object", "content", "address", "evidence", "valid_from", "valid_to", "confidence",
            "superseded_by",
        )  # fmt: skip

    def clean_evidence(self) -> str:
        """Normalize line ends, which browsers send as CRLF."""
        return str(self.cleaned_data["evidence"]).replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        moved = {"address", "evidence"} & set(self.changed_data)  # a fact whose source changed can still be edited
        if moved and values.get("address") and values.get("evidence"):
            self._clean_place(values["address"], values["evidence"])
        if values.get("superseded_by"):
            try:
                superseding_fact(fact=self.instance, by=values["superseded_by"])
            except CannotSupersede as error:
                self.add_error("superseded_by", str(error))
        return values

    def _clean_place(self, address: str, evidence: str) -> None:
        passages = passages_at(address)
        if not passages:
            self.add_error("address", f"There is no passage at “{address}”. {HOW_TO_WRITE}")
        elif not any(evidence in passage.text for passage in passages):
            there = passages[0].text
            there = there if len(there) <= SHOWN else f"{there[:SHOWN]}…"
            said = "These words are not in a single passage there, letter by letter."
            self.add_error("evidence", f"{said} {passages[0].address} has: “{there}”")
