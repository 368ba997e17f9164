# The verbs of this repository. Each one first brings .venv up to date, so `make demo` works on a fresh checkout.
# Needs: Python 3.11 or newer with its venv module, make, a package registry for the first run. Nothing else.

SHELL := /bin/sh
.DEFAULT_GOAL := help
PY := .venv/bin/python
ARGS ?=

# .venv is current when it holds a stamp named by what it was made from: the pins, the project and where it lies.
STAMP := .venv/ready-$(shell (cat pyproject.toml constraints.txt; pwd) | sha256sum | cut -c1-16)

export PIP_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_NO_INPUT := 1

.PHONY: help setup demo test lint format golden bench docs audit build fuzz soak clean

help: ## say what each verb does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with everything the other verbs need (once: about two minutes)

demo: $(STAMP) ## run the tour over the shop project
	@.venv/bin/cellbound demo $(ARGS)

test: $(STAMP) ## run the tests on all cores; narrow with ARGS="tests/policies -k budget"
	@$(PY) -m pytest -q -n auto --dist worksteal $(ARGS)

lint: $(STAMP) ## ruff, mypy, the import contracts and the house tests
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy
	@.venv/bin/lint-imports
	@$(PY) -m pytest -q tests/test_house.py

format: $(STAMP) ## let ruff lay out the code and mend what it can
	@$(PY) -m ruff check --fix --exit-zero --quiet .
	@$(PY) -m ruff format --quiet .

golden: $(STAMP) ## rewrite the committed goldens and schemas; read the diff before you keep it
	@$(PY) -m metric_layer.schema
	@$(PY) -m pytest -q -p no:randomly -m golden --golden=write $(ARGS)

bench: $(STAMP) ## every benchmark, quick
	@for file in benchmarks/[a-z]*.py; do $(PY) "$$file" --quick $(ARGS) || exit 1; done

docs: $(STAMP) ## write the generated pages of docs/
	@$(PY) -m docs.generate

fuzz: $(STAMP) ## the property tests with many more examples (long)
	@HYPOTHESIS_PROFILE=long $(PY) -m pytest -q -n auto -m property $(ARGS)

soak: $(STAMP) ## kill -9, failing disks and random histories, many rounds (long)
	@CELLBOUND_KILLS=200 CELLBOUND_HISTORIES=30000 $(PY) -m pytest -q -m faults $(ARGS)

audit: $(STAMP) ## hold every pinned version against the published advisories (needs the network)
	@sh .ci/audit $(ARGS)

build: $(STAMP) ## wheel and sdist into dist/
	@$(PY) -m hatchling build -d dist

clean: ## remove .venv, caches and builds; projects and traces stay
	@rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(STAMP):
	@sh .ci/venv .venv
	@echo "Installing what pyproject.toml and constraints.txt name; the first time takes about two minutes."
	@$(PY) -m pip install -qq -e '.[test]'
	@rm -f .venv/ready-*
	@touch $@
