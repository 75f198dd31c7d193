"""Asks the fixed questions about the samples and prints those that got worse; run by `manage.py shell`."""

import asyncio
import json

from evaluation.sample_questions import ask_samples, failures, sample_questions

print(json.dumps(failures(asyncio.run(ask_samples(sample_questions()[::3], lambda: None)))))
