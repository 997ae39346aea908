# All tasks of this project. `make` without a target lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
unexport PYTHONDONTWRITEBYTECODE # keep bytecode: the tests start hundreds of processes

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PLAY := .venv/.play
DEV := .venv/.dev
PIP := $(BIN)/python -m pip install --quiet
LOCKED := $(BIN)/python requirements/install.py # a lock file, by hash
WEB := $(BIN)/python hatch_build.py
NPM := $(WEB) npm
LOCK := --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11
ALL := --all-extras --group build --group dev --group node

.PHONY: help play terminal test check check-mypy check-pyright check-web check-form fix api wire pictures messages bench golden docs dist lock clean prove-container prove-install prove-pythons prove-laws prove-bigpoints prove-rondo prove-turmbauer prove-physics prove-twins prove-ladder prove-baselines prove-balance prove-learner prove-load prove-crash prove-faults prove-history prove-sharing prove-restart prove-still

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Spieltisch needs Python 3.11, 3.12, 3.13 or 3.14; none was found." >&2; exit 1; }
	@rm -rf .venv
	@$(PYTHON) -m venv .venv 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv .venv; \
	  else echo "Python cannot make a virtual environment here: install its venv package (Debian: python3-venv)." >&2; exit 1; fi; }

$(PLAY): requirements/play.txt requirements/node.txt pyproject.toml hatch_build.py hatch_metadata.py | .venv/bin/python
	@echo "Setting up …"
	@$(LOCKED) requirements/play.txt
	@$(WEB) node --version >/dev/null 2>&1 || $(LOCKED) requirements/node.txt
	@$(WEB)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml hatch_build.py hatch_metadata.py | .venv/bin/python
	@echo "Setting up for development …"
	@$(LOCKED) requirements/dev.txt
	@$(WEB)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(PLAY)

play: $(PLAY) ## set up everything and open the games in the browser
	@$(WEB)
	@port=$${SPIELTISCH_SERVE_PORT:-8650}; \
	if (exec 3<>/dev/tcp/127.0.0.1/$$port) 2>/dev/null; then echo "Port $$port is in use: taking another."; port=0; fi; \
	exec $(BIN)/spieltisch serve --open --port $$port

terminal: $(PLAY) ## play a game in the terminal
	@$(BIN)/spieltisch play

test: $(DEV) ## run the whole test suite
	$(NPM) test --silent
	@$(WEB)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.support.preload.build
	$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder -q src tests --ignore tests/timing # four workers, since many tests wait; the longest files first
	$(BIN)/python -m pytest -n 3 --dist worksteal -q tests/browser # separate: Playwright's event loop stays open for the whole run
	$(BIN)/python -m pytest -q tests/timing # measurements, one at a time
	$(BIN)/python -m pytest -n 2 --dist loadfile -q README.md CONTRIBUTING.md docs # pages, whose code blocks depend on each other

check: $(DEV) ## run the static checks
	@$(MAKE) -j2 --output-sync=target check-mypy check-pyright check-web check-form

check-mypy: $(DEV)
	$(BIN)/mypy

check-pyright: $(DEV)
	$(BIN)/pyright

check-web: $(DEV)
	$(NPM) run --silent check
	$(NPM) run --silent api -- --check

check-form: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deptry src

fix: $(DEV) ## format the code and fix lint errors
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent fix

api: $(DEV) ## generate the OpenAPI document and its TypeScript types
	@mkdir -p .build
	$(BIN)/python -m spieltisch.server.http.openapi > .build/openapi.json && mv .build/openapi.json web/api/openapi.json
	$(NPM) run --silent api

wire: api # the target's old name

pictures: $(DEV) ## draw the pictures of the documentation and take its screenshots again
	$(BIN)/python -m tests.support.golden pictures
	@$(WEB)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.browser.pictures

messages: $(DEV) ## write every message in six languages to .build/messages.html, to be skimmed
	$(BIN)/python -m tests.i18n.sweep

bench: $(DEV) ## measure speed, as ratios within one run
	@$(LOCKED) requirements/bench.txt
	$(BIN)/python -m bench

golden: $(DEV) ## regenerate the golden games, the pictures and the page of observations (review the diff!)
	$(BIN)/python -m tests.support.golden
	$(BIN)/python -m tests.research.features_page

prove-laws: $(DEV) ## check the laws on thousands of games, WALKS=1000 per setting; resumable
	$(BIN)/python -m tests.campaigns.prove_laws $(WALKS)

prove-bigpoints: $(DEV) ## compare Big Points with a second implementation, GAMES=5000 per number of players
	$(BIN)/python -m spieltisch.games.bigpoints.tests.prove $(GAMES)

prove-rondo: $(DEV) ## compare Rondo with a second implementation, GAMES=1000 per number of players and side
	$(BIN)/python -m spieltisch.games.rondo.tests.prove $(GAMES)

prove-turmbauer: $(DEV) ## compare Turmbauer with a second implementation and try its bots, GAMES=100 per number of players
	$(BIN)/python -m spieltisch.games.turmbauer.tests.prove $(GAMES)

prove-physics: $(DEV) ## compare the tower's physics with a rigid-body engine, TOWERS=240 and GAMES=60; writes the golden towers
	$(BIN)/python -m spieltisch.games.turmbauer.tests.physics.prove_physics $(TOWERS) $(GAMES)

prove-twins: $(DEV) ## compare twins with the rules in every state, GAMES=1000 per number of players and edition; resumable
	$(BIN)/python -m tests.campaigns.prove_twins $(GAMES)

prove-container: ## carry out the container recipe in fresh Debian roots and play there; as root; writes docs/reference/container.md
	command -v mmdebstrap >/dev/null || apt-get install -y -qq mmdebstrap
	$(PYTHON) -m tests.campaigns.prove_container

prove-load: $(DEV) ## load test: 500 tables at once compared with a bare endpoint, on SQLite and PostgreSQL
	$(BIN)/python -m bench.load_page

prove-sharing: $(DEV) ## measure a client's response times while another address does its worst, SECONDS=120; writes docs/reference/load.md
	$(BIN)/python -m bench.sharing --seconds $(or $(SECONDS),120) --write

prove-restart: $(DEV) ## measure everybody's next turn after a restart with TABLES=1000 live tables, 100 of them towers; writes docs/reference/load.md
	$(BIN)/python -m bench.restart --tables $(or $(TABLES),1000) --towers $(or $(TOWERS),100) --write

prove-ladder: $(DEV) ## play every level against the one below until a sequential test decides; resumable
	$(BIN)/python -m tests.campaigns.prove_ladder $(ONLY)

prove-baselines: $(DEV) ## rate the named players on a fixed scale, SECONDS=600 per game, ADD=GAME=PLAYER; resumable; writes docs/reference/baselines.md
	$(BIN)/python -m tests.campaigns.prove_baselines $(or $(SECONDS),600) $(ADD)

prove-balance: $(DEV) ## measure the games' balance, PART=1 of the deals; resumable; writes docs/reference/balance.md
	$(BIN)/python -m tests.campaigns.prove_balance $(PART)

prove-learner: $(DEV) ## train a bot from scratch and measure its strength; writes docs/reference/learner.md
	$(BIN)/python -m tests.campaigns.prove_learner $(UPDATES)

prove-crash: $(DEV) ## play GAMES=1000 on a server that is killed in mid-game; resumable
	$(BIN)/python -m tests.campaigns.prove_crash $(GAMES)

prove-faults: $(DEV) ## let every system call on the database fail in turn, PART=1 of the faults; resumable; writes docs/reference/faults.md
	$(BIN)/python -m tests.support.preload.build
	$(BIN)/python -m tests.campaigns.faults.prove_faults $(PART)

prove-history: $(DEV) ## check whole histories of clients while servers, workers, the database and clocks fail, KILLS=1000; resumable; writes docs/reference/histories.md
	$(BIN)/python -m tests.support.preload.build
	$(BIN)/python -m tests.campaigns.histories.prove_history $(KILLS)

prove-still: $(DEV) ## watch that no board moves on the screen in whole games, on four screens and in two languages
	@$(WEB)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -n 2 --dist worksteal -q tests/browser/test_still.py --whole-games --timeout 3600

prove-install: $(DEV) ## pip install both distributions without Node, weigh them, start the server; writes docs/reference/install.md
	$(BIN)/python -m tests.campaigns.prove_install

prove-pythons: $(DEV) ## run the suite on every supported Python
	$(BIN)/python -m tests.campaigns.prove_pythons

docs: $(DEV) ## build the documentation as a web site, in .build/docs
	$(BIN)/python -m sphinx -q -W --keep-going -E -b html -c docs -d .build/doctrees . .build/docs
	@echo "Open .build/docs/index.html."

dist: $(DEV) ## build the sdist, the wheels of both distributions and their bill of materials, in dist/
	$(BIN)/python -m hatchling build -d dist
	cd distributions/spieltisch && ../../$(BIN)/python -m hatchling build -t wheel -d ../../dist
	$(BIN)/python distributions/sbom.py dist

lock: $(DEV) ## pin the dependencies again
	@$(PIP) --require-hashes -r requirements/installer.txt
	$(BIN)/uv pip compile $(LOCK) --extra serve --extra physics --group build -o requirements/play.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) $(ALL) -o requirements/dev.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --constraints requirements/dev.txt --extra serve --extra physics --extra postgres --group build --group node -o requirements/host.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) $(ALL) --group bench -o requirements/bench.txt pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --constraints requirements/dev.txt --group node -o requirements/node.txt
	$(BIN)/uv pip compile $(LOCK) --group installer -o requirements/installer.txt

clean: ## delete the environment and all build output
	rm -rf .venv .build dist node_modules src/spieltisch/server/static .pytest_cache .mypy_cache .ruff_cache .hypothesis
