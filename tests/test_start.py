"""A web process starts without the libraries that few requests, or none, need."""

import os
import subprocess
import sys

LATER = {"mcp", "openai", "sentence_transformers", "sklearn", "torch", "transformers"}
PROGRAM = "import sys, lectorium.asgi; print(*sys.modules)"


def test_large_libraries_are_imported_when_they_are_needed():
    settings = os.environ | {"DJANGO_SETTINGS_MODULE": "lectorium.settings", "LECTORIUM_WARM": "0"}
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=settings, capture_output=True, text=True, check=True)
    assert LATER.isdisjoint(found.stdout.split())
