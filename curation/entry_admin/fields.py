"""Form fields for ordered lists: one input an item, all of one name, in the order of the page."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from corpus.domain.scope import Scope
from corpus.selectors import ANYWHERE
from curation.places import places_named, reference_views

SPARE = 2  # empty lines to write on


class ListInput(forms.Widget):
    """A line for each item, and spare ones.

    item, another: what a line, and an empty one, is called. suggest: a URL that proposes items, or "".
    """

    template = "admin/curation/entry/phrases.html"
    suggest = ""

    def __init__(self, item: Any, another: Any, attrs: Any = None) -> None:
        super().__init__(attrs)
        self.item, self.another = item, another

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.getlist(name) if hasattr(data, "getlist") else data.get(name)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        lines = [line for line in value or () if line.strip()]
        context = {
            "name": name,
            "another": self.another,
            "attrs": attrs or {},
            "spare": range(SPARE),
            "suggest": self.suggest,
        }
        context |= self.shown(lines)
        return render_to_string(self.template, context)

    def shown(self, lines: Sequence[str]) -> dict[str, Any]:
        return {"lines": [(line, str(self.item) % {"n": n}) for n, line in enumerate(lines, start=1)]}


class ReferencesInput(ListInput):
    """Each reference as the passage it is. scope: what this editor may read."""

    template = "admin/curation/entry/references.html"
    scope: Scope = ANYWHERE

    def shown(self, lines: Sequence[str]) -> dict[str, Any]:
        return {"references": reference_views(lines, self.scope)}


class ListField(forms.Field):
    """The filled lines, without the space around them."""

    widget: Any = ListInput

    def to_python(self, value: Any) -> list[str]:
        return [line.strip() for line in value or () if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list(initial or ()) != self.to_python(data)


class ReferencesField(ListField):
    """Addresses as their sources spell them. What means nothing is left as it was typed."""

    def to_python(self, value: Any) -> list[str]:
        scope = self.widget.scope
        return [place for line in super().to_python(value) for place in places_named(line, scope) or [line]]
