"""The rule of an embedder and a judge of rewordings: a file an embedder, written by `manage.py calibrate_pins`."""

import functools
import json
import re
from dataclasses import fields
from pathlib import Path

from django.conf import settings

from curation.domain.sameness import MatchRule
from lectorium.providers.protocols import RewordingJudge

WITHOUT_JUDGE = "none"


def rules_path(embedder: str) -> Path:
    """The file of an embedder's rules, whether or not it exists."""
    return Path(settings.CALIBRATIONS_DIR) / "pins" / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', embedder)}.json"


def rule_of(embedder: str, judge: RewordingJudge | None) -> MatchRule | None:
    """The rule of an embedder and a judge; None where it was not fitted in this form, and only exact wordings match.

    Without a judge, a pin is met by the words of its phrasings only.
    """
    path = rules_path(embedder)
    try:
        return _stored(path, path.stat().st_mtime_ns).get(judge.name if judge else WITHOUT_JUDGE)
    except FileNotFoundError:
        return None


@functools.lru_cache(maxsize=8)
def _stored(path: Path, changed: int) -> dict[str, MatchRule]:
    """`changed` tells one state of the file from the next."""
    rules = json.loads(path.read_text(encoding="utf-8"))
    known = {part.name for part in fields(MatchRule)}
    return {judge: MatchRule(**values) for judge, values in rules.items() if known == set(values)}
