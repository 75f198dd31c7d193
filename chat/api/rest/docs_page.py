"""The page for people who write programs: every address, body and error, drawn from the OpenAPI document."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chat.api.domain.problems import TITLES, WHAT_TO_DO
from chat.api.domain.reference import ApiReference, reference_of
from chat.api.openapi import document


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    errors = [(code, title, WHAT_TO_DO[code]) for code, title in TITLES.items()]
    return render(request, "api/docs.html", {"api": _reference(), "errors": errors})


@cache
def _reference() -> ApiReference:
    return reference_of(document())
