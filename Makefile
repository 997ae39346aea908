# Everything that is done with this project. A bare `make` says what there is.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
unexport PYTHONDONTWRITEBYTECODE # what is compiled is kept: the tests begin hundreds of processes

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PLAY := .venv/.play
DEV := .venv/.dev
PIP := $(BIN)/python -m pip install --quiet
WEB := $(BIN)/python hatch_build.py
NPM := $(WEB) npm
LOCK := --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11
ALL := --extra batch --extra physics --extra arena --extra postgres --extra research --group build --group dev --group node

.PHONY: help play terminal test check check-mypy check-pyright check-web check-form fix wire pictures bench golden lock clean prove-install prove-pythons prove-laws prove-bigpoints prove-rondo prove-turmbauer prove-physics prove-twins prove-ladder prove-balance prove-learner prove-load prove-crash

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Spieltisch needs Python 3.11, 3.12 or 3.13; none was found." >&2; exit 1; }
	@rm -rf .venv
	@$(PYTHON) -m venv .venv 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv .venv; \
	  else echo "Python cannot make a virtual environment here: install its venv package (Debian: python3-venv)." >&2; exit 1; fi; }

$(PLAY): requirements/play.txt requirements/node.txt pyproject.toml hatch_build.py | .venv/bin/python
	@echo "Setting up …"
	@$(PIP) --require-hashes -r requirements/play.txt
	@$(WEB) node --version >/dev/null 2>&1 || $(PIP) --require-hashes -r requirements/node.txt
	@$(WEB)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml hatch_build.py | .venv/bin/python
	@echo "Setting up for development …"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@$(WEB)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(PLAY)

play: $(PLAY) ## set up the table and open it in the browser
	@$(WEB)
	@port=$${SPIELTISCH_SERVE_PORT:-8650}; \
	if (exec 3<>/dev/tcp/127.0.0.1/$$port) 2>/dev/null; then echo "Port $$port is taken: any other is used."; port=0; fi; \
	exec $(BIN)/spieltisch serve --open --port $$port

terminal: $(PLAY) ## play a game in the terminal
	@$(BIN)/spieltisch play

test: $(DEV) ## run the whole test suite
	$(NPM) test --silent
	@$(WEB)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 3 --dist loadfile -q tests src --ignore tests/timing # three, since many of them wait; servers begin once a file
	$(BIN)/python -m pytest -n 3 --dist worksteal -q tests/browser # apart: its event loop stays open for the whole run
	$(BIN)/python -m pytest -q tests/timing # by the clock
	$(BIN)/python -m pytest -n 2 --dist loadfile -q README.md CONTRIBUTING.md docs # pages, whose blocks build on each other

check: $(DEV) ## run the static checks
	@$(MAKE) -j2 --output-sync=target check-mypy check-pyright check-web check-form

check-mypy: $(DEV)
	$(BIN)/mypy

check-pyright: $(DEV)
	$(BIN)/pyright

check-web: $(DEV)
	$(NPM) run --silent check
	$(NPM) run --silent wire -- --check

check-form: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deptry src
	$(BIN)/python -m pytest -q tests/test_layout.py

fix: $(DEV) ## put into form what can be put into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent fix

wire: $(DEV) ## write down what goes over the wire, and its types for the web
	@mkdir -p .build
	$(BIN)/python -m spieltisch.server.http.openapi > .build/openapi.json && mv .build/openapi.json web/api/openapi.json
	$(NPM) run --silent wire

pictures: $(DEV) ## take the pictures of the documents anew
	@$(WEB)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.browser.pictures

bench: $(DEV) ## measure speed, as ratios within one run
	@$(PIP) --require-hashes -r requirements/bench.txt
	$(BIN)/python -m bench

golden: $(DEV) ## write the golden games anew (look at the difference!)
	$(BIN)/python -m tests.support.golden

prove-laws: $(DEV) ## the laws on thousands of games (WALKS=1000 a setting), resumable
	$(BIN)/python -m tests.campaigns.prove_laws $(WALKS)

prove-bigpoints: $(DEV) ## Big Points beside a second implementation, GAMES=5000 of each number of players
	$(BIN)/python -m spieltisch.games.bigpoints.tests.prove $(GAMES)

prove-rondo: $(DEV) ## Rondo beside a second implementation, GAMES=1000 of each number of players and side
	$(BIN)/python -m spieltisch.games.rondo.tests.prove $(GAMES)

prove-turmbauer: $(DEV) ## Turmbauer beside a second implementation and its players, GAMES=100 of each number of players
	$(BIN)/python -m spieltisch.games.turmbauer.tests.prove $(GAMES)

prove-physics: $(DEV) ## the tower's physics beside the engine, TOWERS=240 and GAMES=60; writes the frozen towers
	$(BIN)/python -m spieltisch.games.turmbauer.tests.prove_physics $(TOWERS) $(GAMES)

prove-twins: $(DEV) ## twins beside the rules at every state, GAMES=1000 of each number of players and edition, resumable
	$(BIN)/python -m tests.campaigns.prove_twins $(GAMES)

prove-load: $(DEV) ## 500 tables at once beside a bare endpoint, on SQLite and on PostgreSQL
	$(BIN)/python -m bench.load_page

prove-ladder: $(DEV) ## every level against the one below, decided by a sequential test, resumable
	$(BIN)/python -m tests.campaigns.prove_ladder $(ONLY)

prove-balance: $(DEV) ## what the games are like between equals, PART=1 of the deals, resumable; writes docs/reference/balance.md
	$(BIN)/python -m tests.campaigns.prove_balance $(PART)

prove-learner: $(DEV) ## a bot that learns from nothing, and how well it plays; writes docs/reference/learner.md
	$(BIN)/python -m tests.campaigns.prove_learner $(UPDATES)

prove-crash: $(DEV) ## games at a server that is killed in the middle of them, GAMES=1000, resumable
	$(BIN)/python -m tests.campaigns.prove_crash $(GAMES)

prove-install: $(DEV) ## pip install on a machine without Node, and a table that answers
	$(BIN)/python -m tests.campaigns.prove_install

prove-pythons: $(DEV) ## the suite on every Python that is supported
	$(BIN)/python -m tests.campaigns.prove_pythons

lock: $(DEV) ## pin the dependencies anew
	$(PIP) uv
	$(BIN)/uv pip compile $(LOCK) --extra physics --group build -o requirements/play.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) $(ALL) -o requirements/dev.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) $(ALL) --group bench -o requirements/bench.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --constraints requirements/dev.txt --group node -o requirements/node.txt

clean: ## forget the environment and everything built
	rm -rf .venv .build dist node_modules src/spieltisch/server/static .pytest_cache .mypy_cache .ruff_cache .hypothesis
