# Two commands do everything, set-up included: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal -q
SHIPPED := glove-en-small glove-en-twin-small poincare-glove-en-small glove-hi-small navec-ru-small

.PHONY: demo test test-all test-python lint types format bench fuzz golden docs installs clean

demo: .venv/.core ## audit the shipped models: three languages, flat and curved, one report
	$(BIN)/fairvec audit $(SHIPPED) -o runs/demo
	@echo "Open runs/demo/report.html in a browser."

test: .venv/.dev ## run every test that is not slow, with the same cases each time
	$(PYTEST) -m "not slow"

test-all: .venv/.dev ## run every test, the slow ones too, with four times as many cases, new each time
	$(PYTEST) --hypothesis-profile=all

test-python: .venv/.dev ## every test on every other Python here and with the oldest packages; VERSION=3.13, newest or oldest for one
	$(BIN)/python -m scripts.test_everywhere $(addprefix --only ,$(VERSION))

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/mypy

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.dev ## print speed and memory ratios against the peers
	$(BIN)/python -m benchmarks

fuzz: .venv/.dev ## ten minutes of hostile files, records, arguments and requests; FUZZ="--seed 1" repeats
	$(BIN)/python -m fuzz $(FUZZ) || { code=$$?; echo "Try one again: make fuzz FUZZ='--again FILE'"; exit $$code; }

golden: .venv/.dev ## hold what users see against what is kept; GOLDEN="--only NAME" or "--renew NAME" for one run
	$(BIN)/python -m scripts.golden_runs $(GOLDEN)

docs: .venv/.docs ## build the site in site/, tutorials run and links checked; open site/index.html
	rm -rf site build/doctrees
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html -d build/doctrees docs site
	$(BIN)/python -m scripts.site.last_look site

installs: .venv/.core ## build wheel and sdist, and try each with the oldest and the newest packages
	$(BIN)/python -m scripts.try_installs

clean:
	rm -rf .venv .venv-peers .venv-3.* .venv-oldest runs build dist site docs/reference/generated

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "fairvec needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv .venv \
	  || { rm -rf .venv; echo "python3 has no venv module; on Debian or Ubuntu: apt install python3-venv"; exit 1; }

.venv/.core: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) -e .
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) -e ".[dev]"
	@touch .venv/.core $@

.venv/.docs: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) -e ".[docs]"
	@touch .venv/.core $@
