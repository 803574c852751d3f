# Two commands for most people: `make demo` shows it, `make test` proves it. `make` alone lists the rest.

PYTHON = $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
BIN := .venv/bin
UV ?= uv
SHARED = -n 2 --dist loadfile --no-loadscope-reorder # two processes share the files of tests, each with its own desktop
EXPORT = $(UV) export --quiet --format requirements-txt --no-emit-project --no-header --no-annotate

.DEFAULT_GOAL := help
.PHONY: help setup node demo test attack check format lint types packages current facts readme dist lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-10s%s\n", $$1, $$2 }' Makefile

setup: .venv/ready ## make .venv with everything pinned in it (python3 >= 3.11 with venv; nothing else)

.venv/ready: requirements/runtime.txt requirements/dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "wanted python3 3.11 or newer; none found. Debian 12+: apt-get install python3-venv; macOS: brew install python"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) has no venv module. Debian: apt-get install python3-venv"; exit 1; }
	@echo "1/3  making .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv
	@echo "2/3  fetching what requirements/ pins by hash: a minute, the first time"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.txt -r requirements/dev.txt
	@echo "3/3  putting mac-commander itself into it"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

node: setup requirements/node/node_modules/.package-lock.json # the protocol's own tools, on the Node of .venv

requirements/node/node_modules/.package-lock.json: requirements/node/package-lock.json
	@echo "fetching the protocol's own tools from npm: a minute, the first time"
	@cd requirements/node && ../../$(BIN)/npm ci --loglevel error --no-audit --no-fund >/dev/null || \
		echo "not fetched: what needs them is listed as not run, or not built"

packages: # the Debian packages that the demo and the tests need; installs them as root, else names them
	@bash tests/lab/install-packages.sh

demo: setup ## see the server at work on a simulated Mac
	$(BIN)/mac-commander demo

test: packages setup node ## every test; what cannot run here is listed with the reason
	$(BIN)/python -m pytest $(SHARED)

attack: packages setup ## the full part of every attack suite: hours; SECURITY.md has its figures
	ATTACK=full SWEEP=all KILL_MATRIX=1 $(BIN)/python -m pytest tests/attack tests/kill tests/server/test_canaries.py tests/desktops/macos --timeout 36000
	$(BIN)/python -m tests.attack.mutation

check: packages setup format lint types current test ## what has to pass before a commit lands

format: setup # is everything formatted?
	$(BIN)/ruff format --check

lint: setup # the second holds the macOS code to the facts about macOS
	$(BIN)/ruff check
	$(BIN)/python -m tools.facts.lint

types: setup # both platforms are checked on either
	$(BIN)/mypy --platform linux
	$(BIN)/mypy --platform darwin

current: setup # facts.json, the stubs and the README's made parts are what packages, code and a run say
	$(BIN)/python -m tools.facts --check
	$(BIN)/python -m tools.readme --check

facts: setup ## read the facts about macOS again from PyObjC's pinned packages, write facts.json and the stubs
	$(BIN)/python -m tools.facts

readme: setup ## make the tables and answers in README.md anew
	$(BIN)/python -m tools.readme

dist: setup node ## build what people install into dist/: wheel, sdist, MCPB bundle, server.json
	$(BIN)/python -m tools.release

lock: ## choose versions anew (needs uv) and write them with their hashes to requirements/
	$(UV) lock --quiet --upgrade
	$(EXPORT) --no-dev > requirements/runtime.txt
	$(EXPORT) --only-dev > requirements/dev.txt

clean: ## remove what these targets made
	rm -rf dist .venv requirements/node/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
