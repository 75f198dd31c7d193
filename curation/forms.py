"""What editors may save: places that exist, words that stand there, and a chain without a loop."""

from typing import Any

from django import forms

from corpus.selectors import passages_at
from curation.models import Curated, Fact
from curation.services import CannotSupersede, holds_instead

SHOWN = 300  # characters of the passage that an editor is shown beside words that are not in it
HOW_TO_WRITE = "Write it as the source's page does, e.g. BG 2.13 or first-steps:4."


class CuratedForm(forms.ModelForm):  # type: ignore[type-arg]
    """A pin or a note; what is published refers only to what can be found, a draft to anything."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("state") == Curated.State.PUBLISHED:
            dead = [reference for reference in values.get("references", ()) if not passages_at(reference)]
            if dead:
                named = ", ".join(f"“{reference}”" for reference in dead)
                self.add_error("references", f"Nothing that can be found stands at {named}. {HOW_TO_WRITE}")
        return values


class FactForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Fact
        fields = (
            "subject", "predicate", "object", "content", "address", "evidence", "valid_from", "valid_to", "confidence",
            "superseded_by",
        )  # fmt: skip

    def clean_evidence(self) -> str:
        """Take line ends as sources have them, not as a browser sends them."""
        return str(self.cleaned_data["evidence"]).replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        moved = {"address", "evidence"} & set(self.changed_data)  # a fact that its source disarmed can still be edited
        if moved and values.get("address") and values.get("evidence"):
            self._clean_place(values["address"], values["evidence"])
        if values.get("superseded_by"):
            try:
                holds_instead(fact=self.instance, by=values["superseded_by"])
            except CannotSupersede as error:
                self.add_error("superseded_by", str(error))
        return values

    def _clean_place(self, address: str, evidence: str) -> None:
        passages = passages_at(address)
        if not passages:
            self.add_error("address", f"Nothing that can be found stands at “{address}”. {HOW_TO_WRITE}")
        elif not any(evidence in passage.text for passage in passages):
            there = passages[0].text
            there = there if len(there) <= SHOWN else f"{there[:SHOWN]}…"
            said = "These words do not stand there, letter by letter and in one passage."
            self.add_error("evidence", f"{said} {passages[0].address} has: “{there}”")
