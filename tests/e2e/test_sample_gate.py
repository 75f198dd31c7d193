"""The gate of a commit: fixed questions, with the models that ship, over the sample corpus that the site has ready."""

import json
from pathlib import Path


def test_fixed_questions_about_the_samples_did_not_get_worse(site, fill):
    failures = json.loads(fill(Path(__file__).with_name("sample_gate.py")))
    assert not failures, failures
