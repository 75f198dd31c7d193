"""Validation of facts: existing addresses, literal evidence, and acyclic supersession."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from corpus.domain.scope import Scope
from corpus.selectors import ANYWHERE, passages_at
from curation.models import Fact
from curation.services import CannotSupersede, superseding_fact

SHOWN = 300  # characters of the actual passage shown beside evidence that is not in it
OPINION_NEEDS_HOLDER = gettext_lazy("An opinion needs its holder: whose is it?")


class FactForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Fact
        fields = (
            "subject", "predicate", "object", "content", "address", "evidence", "kind", "holder", "valid_from",
            "valid_to", "confidence", "superseded_by",
        )  # fmt: skip

    def clean_evidence(self) -> str:
        """Normalize line ends, which browsers send as CRLF."""
        return str(self.cleaned_data["evidence"]).replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        moved = {"address", "evidence"} & set(self.changed_data)  # a fact whose source changed can still be edited
        if moved and values.get("address") and values.get("evidence"):
            self._clean_place(values["address"], values["evidence"])
        if values.get("kind") == Fact.Kind.OPINION and not values.get("holder"):
            self.add_error("holder", OPINION_NEEDS_HOLDER)
        if values.get("superseded_by"):
            try:
                superseding_fact(fact=self.instance, by=values["superseded_by"])
            except CannotSupersede as error:
                self.add_error("superseded_by", str(error))
        return values

    def _clean_place(self, address: str, evidence: str) -> None:
        if wrong := objection_to_place(address, evidence):
            self.add_error(*wrong)


def objection_to_place(address: str, evidence: str, scope: Scope = ANYWHERE) -> tuple[str, str] | None:
    """The field and why: nothing is at the address, or not these words; None where both are right."""
    passages = passages_at(address, scope)
    if not passages:
        said = gettext(
            "There is no passage at “{address}”. Write it as the source's page does, e.g. BG 2.13 or first-steps:4."
        )
        return "address", said.format(address=address)
    if any(evidence in passage.text for passage in passages):
        return None
    there = passages[0].text
    there = there if len(there) <= SHOWN else f"{there[:SHOWN]}…"
    said = gettext("These words are not in a single passage there, letter by letter. {address} has: “{text}”")
    return "evidence", said.format(address=passages[0].address, text=there)
