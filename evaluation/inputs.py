"""What suites are measured on: rows of the golden set, and the held-out material of the escape test."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from evaluation.escape import material
from evaluation.golden_run import read_rows


def golden_rows(name: str, fields: Mapping[str, type]) -> list[dict[str, Any]]:
    """The rows of a file of the golden set. Raises CommandError where it is missing."""
    try:
        return read_rows(settings.DATA_DIR / "golden" / name, fields)
    except FileNotFoundError as error:
        raise CommandError(str(error)) from error


def held_out() -> material.Material:
    """The documents of the escape test. Raises CommandError where they are missing."""
    try:
        return material.load(settings.DATA_DIR)
    except (FileNotFoundError, ValueError) as error:
        raise CommandError(str(error)) from error
