"""Pins and notes as tables (CSV, JSON): exported, changed elsewhere, and imported after a look at the differences.

An imported row goes through the same rules as a form, and gets a version in the history.
"""

import json
import re
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from import_export.fields import Field
from import_export.widgets import CharWidget, ForeignKeyWidget, Widget

from corpus.domain.text.traced import storable
from corpus.models import Collection
from curation.domain import states
from curation.entries import EntryLists, may_publish, phrasings_of, references_of
from curation.library.rules import entry_check, entry_take
from curation.models import MemoryNote, PinnedQuestion
from curation.tables import TableResource, no_column

_LINE_BREAKS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class TextWidget(CharWidget):  # type: ignore[misc]
    """Text as it is, with characters that cannot be stored replaced."""

    def clean(self, value: Any, row: Any = None, **more: Any) -> str:
        return storable("" if value is None else str(value))


class LinesWidget(Widget):  # type: ignore[misc]
    """A list: one item a line, or a JSON list where an item would not come back from a line."""

    def clean(self, value: Any, row: Any = None, **more: Any) -> list[str]:
        text = "" if value is None else value
        try:
            items = json.loads(text) if isinstance(text, str) and text.lstrip().startswith("[") else text
        except (ValueError, RecursionError) as error:
            raise ValueError(gettext("It begins with “[” but is not a JSON list; write one item a line.")) from error
        if isinstance(items, str):
            items = [line.strip() for line in items.splitlines()]
        return [item for item in (storable(str(item)) for item in items) if item]

    def render(self, value: Any, obj: Any = None, **more: Any) -> str:
        items = [str(item) for item in value or ()]
        plain = all(item == item.strip() and not _LINE_BREAKS.search(item) for item in items)
        whole = "\n".join(items)
        return whole if plain and not whole.startswith("[") else json.dumps(items, ensure_ascii=False)


class IdWidget(Widget):  # type: ignore[misc]
    def clean(self, value: Any, row: Any = None, **more: Any) -> UUID | None:
        try:
            return UUID(str(value).strip()) if value else None
        except ValueError as error:
            raise ValueError(
                gettext("“{value}” is not an id. Leave it empty for a new entry.").format(value=value)
            ) from error

    def render(self, value: Any, obj: Any = None, **more: Any) -> str:
        return str(value or "")


class ListColumn(Field):  # type: ignore[misc]
    """A list in a table of its own, held on the entry until it is stored."""

    def __init__(self, name: str, read: Any) -> None:
        super().__init__(attribute=f"imported_{name}", column_name=name, widget=LinesWidget())
        self._read = read

    def get_value(self, instance: Any) -> Any:
        waiting = getattr(instance, str(self.attribute), None)
        return waiting if waiting is not None else [] if instance._state.adding else self._read(instance)


class EntryResource(TableResource):
    """The rules of both tables. A row with a known id changes that entry; any other is a new one."""

    id = Field("id", "id", widget=IdWidget(), saves_null_values=False)
    references = ListColumn("references", references_of)

    class Meta:
        import_id_fields = ("id",)

    def before_import(self, dataset: Any, **more: Any) -> None:
        known = {str(field.column_name) for field in self.fields.values()}
        if unknown := [name for name in dataset.headers or () if name not in known]:
            raise ValueError(no_column(unknown[0], sorted(known)))

    def get_import_fields(self) -> list[Any]:
        """The columns that the file has; what it leaves out stays as it is."""
        return [field for field in super().get_import_fields() if field.column_name in self._columns]

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._columns = {str(field.column_name) for field in self.fields.values()}

    def import_data(self, dataset: Any, *args: Any, **more: Any) -> Any:
        self._columns = set(dataset.headers or ())
        return super().import_data(dataset, *args, **more)

    def before_save_instance(self, instance: Any, row: Any, **more: Any) -> None:
        stored = type(instance).objects.filter(pk=instance.pk).values_list("state", flat=True).first() or ""
        by = more.get("user")
        if states.needs_reviewer(stored, instance.state) and not may_publish(by):
            raise ValidationError({"state": gettext("Only reviewers change what readers see. Import it as a draft.")})
        lists = EntryLists(
            getattr(instance, "imported_references", None), getattr(instance, "imported_phrasings", None)
        )
        if objection := entry_check(instance, lists, by):
            raise ValidationError(objection)
        self._pending = (lists, by)

    def do_instance_save(self, instance: Any, is_create: bool) -> None:
        lists, by = self._pending
        entry_take(instance, lists, by)


class PinResource(EntryResource):
    question = Field("question", "question", widget=TextWidget())
    framing = Field("framing", "framing", widget=TextWidget())
    collection = Field("collection", "collection", widget=ForeignKeyWidget(Collection, "key"))
    phrasings = ListColumn("phrasings", phrasings_of)

    class Meta(EntryResource.Meta):
        model = PinnedQuestion
        fields = ("id", "question", "phrasings", "references", "framing", "language", "collection", "state")
        export_order = fields


class NoteResource(EntryResource):
    title = Field("title", "title", widget=TextWidget())
    body = Field("body", "body", widget=TextWidget())
    triggers = Field("triggers", "triggers", widget=LinesWidget())

    class Meta(EntryResource.Meta):
        model = MemoryNote
        fields = ("id", "title", "body", "triggers", "references", "language", "state")
        export_order = fields
