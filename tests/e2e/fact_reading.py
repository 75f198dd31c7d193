"""Reads facts from the sample lectures and adds two that contradict each other; run by `manage.py shell`."""

import runpy

from curation.facts.tasks import read_facts

runpy.run_path("tests/e2e/contradicting.py")
print(read_facts())
