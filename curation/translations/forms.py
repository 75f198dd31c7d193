from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.translations.models import Translation
from curation.translations.services import CHANGED, TranslationRefused, review_check


class ReviewForm(forms.ModelForm):  # type: ignore[type-arg]
    """A person's translation. `seen` is the version of the row that the page showed."""

    text = forms.CharField(
        label=_("Translation"), required=False, strip=True, widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"})
    )
    seen = forms.CharField(widget=forms.HiddenInput)
    despite = forms.BooleanField(label=_("It is right as it stands"), required=False)

    class Meta:
        model = Translation
        fields = ("text",)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.initial["seen"] = self.instance.updated_at.isoformat()
        self.fields["text"].widget.attrs["lang"] = self.instance.locale
        self.row = Translation.objects.get(pk=self.instance.pk)  # as stored; the form changes its own instance

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("seen") != self.row.updated_at.isoformat():
            raise forms.ValidationError(CHANGED)
        try:
            review_check(self.row, values.get("text", ""), despite=values.get("despite", False))
        except TranslationRefused as refusal:
            self.add_error("text", str(refusal))
        return values
