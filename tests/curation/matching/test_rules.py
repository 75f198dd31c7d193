"""Fitted rules are read from their file; one of an earlier form counts as not fitted."""

import json
from dataclasses import asdict

from curation.domain.sameness import MatchRule
from curation.matching.rules import rule_of, rules_path

RULE = MatchRule({"same": 1.0}, 0.0, {"1": 0.9}, 0.1, 0.6, 0.6, 0.4, 0.8)


def store(**rules):
    path = rules_path("an embedder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rules), encoding="utf-8")


def test_a_stored_rule_is_read_as_it_was_fitted(settings, tmp_path):
    settings.CALIBRATIONS_DIR = tmp_path
    assert rule_of("an embedder", None) is None
    store(none=asdict(RULE))
    assert rule_of("an embedder", None) == RULE


def test_a_rule_of_an_earlier_form_counts_as_not_fitted(settings, tmp_path):
    settings.CALIBRATIONS_DIR = tmp_path
    store(none={**asdict(RULE), "pin_near": 0.4})
    assert rule_of("an embedder", None) is None
