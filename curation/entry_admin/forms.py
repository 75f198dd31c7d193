"""The forms of pins and notes: refusals are said beside the field, and two editors do not overwrite each other."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from corpus.domain.text.folding import fold
from curation.domain.entry_rules import objection_to_phrasings, objection_to_references, objection_to_triggers
from curation.domain.versions import FieldChange, Values, conflicts
from curation.entries import EntryLists, dead_references, objection_to_dead, phrasings_of, references_of
from curation.entry_admin.fields import ListField, ListInput, ReferencesField, ReferencesInput
from curation.history import entry_values, latest_version, shown_values, version_of, version_values
from curation.models import MemoryNote, PinnedQuestion
from curation.services import LIMITS

CONFLICT = _(
    "Somebody else saved this entry while you had it open. Nothing of yours is saved yet. Compare, and save again "
    "to keep what stands in this form."
)


class EntryForm(forms.ModelForm):  # type: ignore[type-arg]
    """Common to pins and notes. opened: when the version that the editor began from was saved."""

    references = ReferencesField(
        required=False, label=_("References"), widget=ReferencesInput(_("Passage %(n)s"), _("Another passage"))
    )
    opened = forms.CharField(required=False, widget=forms.HiddenInput)
    conflict: tuple[FieldChange, ...] = ()
    conflict_by = ""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._stored_references: list[str] = []
        self._stored: Values = {}
        if not self.instance._state.adding:
            self._stored_references = references_of(self.instance)
            self._stored = entry_values(self.instance)
            self.initial["references"] = self._stored_references
            self.initial["opened"] = self.instance.updated_at.isoformat()

    def clean_references(self) -> list[str]:
        addresses: list[str] = self.cleaned_data["references"]
        _refuse(objection_to_references(addresses, fold, LIMITS))
        added = [address for address in addresses if address not in self._stored_references]
        dead = {*dead_references(addresses), *dead_references(added, self.fields["references"].widget.scope)}
        if dead:
            _refuse(objection_to_dead([address for address in addresses if address in dead]))
        return addresses

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        opened = parse_datetime(values.get("opened") or "")
        if not self.instance._state.adding and opened != self.instance.updated_at:
            self._compare(opened)
            raise forms.ValidationError(CONFLICT, code="conflict")
        return values

    def lists(self) -> EntryLists:
        return EntryLists(self.cleaned_data["references"], self.cleaned_data.get("phrasings"))

    def _compare(self, opened: datetime | None) -> None:
        """Keep what differs to show it, and let the next attempt begin from what is stored now."""
        began = version_of(self.instance, opened) if opened else None
        latest = latest_version(self.instance)
        self.conflict_by = str(latest.history_user or "") if latest else ""
        yours = dict(self.cleaned_data)
        if collection := yours.pop("collection", None):
            yours["collection_id"] = collection.pk
        self.conflict = conflicts(version_values(began) if began else {}, self._stored, shown_values(yours))
        self.data = self.data.copy()  # type: ignore[attr-defined]
        self.data["opened"] = self.instance.updated_at.isoformat()  # type: ignore[index]


class PinForm(EntryForm):
    phrasings = ListField(
        required=False, label=_("Other wordings"), widget=ListInput(_("Wording %(n)s"), _("Another wording"))
    )

    class Meta:
        model = PinnedQuestion
        fields = ("question", "framing", "language", "collection")
        widgets = {"framing": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField", "dir": "auto"})}

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if not self.instance._state.adding:
            self.initial["phrasings"] = phrasings_of(self.instance)

    def clean_phrasings(self) -> Sequence[str]:
        phrasings: list[str] = self.cleaned_data["phrasings"]
        _refuse(objection_to_phrasings(self.cleaned_data.get("question", "-"), phrasings, fold, LIMITS))
        return phrasings


class NoteForm(EntryForm):
    triggers = ListField(
        required=False, label=_("triggers"), widget=ListInput(_("Trigger %(n)s"), _("Another trigger"))
    )

    class Meta:
        model = MemoryNote
        fields = ("title", "body", "triggers", "language")

    def clean_triggers(self) -> Sequence[str]:
        triggers: list[str] = self.cleaned_data["triggers"]
        _refuse(objection_to_triggers(triggers, fold, LIMITS))
        return triggers


def _refuse(objection: str) -> None:
    if objection:
        raise forms.ValidationError(objection)
