"""No benchmark is left behind by what it measures: each imports what still exists."""

import importlib
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith(("_", "test_")))
)
def test_a_benchmark_imports(name, monkeypatch):
    monkeypatch.setattr(os, "environ", dict(os.environ))  # what it sets for itself alone
    importlib.import_module(f"tests.benchmarks.{name}")


def test_the_fuzzing_benchmark_knows_the_importer_of_every_good_file():
    fuzz = importlib.import_module("tests.benchmarks.fuzz")
    assert set(fuzz.IMPORTERS) == set(fuzz.GOOD)
