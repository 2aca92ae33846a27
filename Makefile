# Short verbs for everyday work. `make help` lists them.
SHELL := bash
# Nothing here is made by the rules that make has by itself; trying them on every source costs a second.
MAKEFLAGS += --no-builtin-rules
VENV := .venv
BIN := $(VENV)/bin
# Named after the content of the pins, not their date: a fresh checkout of the same pins has nothing to install.
HASHES := $(shell git hash-object requirements/runtime.txt requirements/dev.txt)
RUNTIME := $(VENV)/.runtime-$(word 1,$(HASHES))
DEV := $(VENV)/.dev-$(word 2,$(HASHES))
# Serving needs the runtime requirements only; a set-up for development holds them all.
INSTALLED := $(if $(wildcard $(DEV)),$(DEV),$(RUNTIME))
# Compiled ahead, the first start is as fast as the second, also where Python may not write bytecode by itself.
# One look for a newer source: with 2,000 prerequisites make takes longer, and every start waits for it.
COMPILED := $(VENV)/.compiled
COMPILE_NEWER = [ -e $(COMPILED) ] && [ -z "$$(find src -name '*.py' -newer $(COMPILED) -print -quit)" ] \
	|| { $(BIN)/python -m compileall -q -j 0 src && touch $(COMPILED); }
PYTHON = $(shell command -v python3.11 || command -v python3)
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --python-version 3.11

# The tests run in a shuffled order that is the same for everybody, that of Python's sets included; `make test SEED=7` shuffles anew.
SEED ?= 20261115
test test-all: export PYTHONHASHSEED := $(SEED)
# So are the choices of the tests of failures; those of `make test-scale` differ, and say how they are repeated.
test test-all: export INGOT_TEST_SEED ?= $(SEED)
# Three processes on two cores: a test waits half of its time for git, other processes or the database.
# In the shuffled order, not by number of tests: the few that wait most would be left to the end, and wait together.
TEST := $(BIN)/pytest -q -n 3 --dist loadscope --no-loadscope-reorder --randomly-seed=$(SEED)

.DEFAULT_GOAL := help
.PHONY: help setup engines serve test test-all test-scale test-stores check check-types check-style check-imports check-migrations bench prove release docs examples pictures migration lock

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV) ## make .venv with the pinned requirements; nothing to do (and no network) when up to date
	@$(COMPILE_NEWER)

$(RUNTIME): SET := runtime
$(DEV): SET := dev
$(RUNTIME) $(DEV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Ingot needs Python 3.11 or newer"; exit 1; }
	@PYTHON=$(PYTHON) requirements/install $(SET)
	@rm -f $(VENV)/.$(SET)-* && touch $@

# What the first start imports is compiled then, once, also where Python may not write bytecode by itself.
serve: export PYTHONDONTWRITEBYTECODE :=
serve: $(INSTALLED) ## start Ingot on this machine; with demo=1 filled with a small world
	@$(COMPILE_NEWER)
	$(BIN)/ingot serve $(if $(demo),--demo --demo-runner)

test: export PYTHONDONTWRITEBYTECODE :=
# On the second database a test with many cases runs one of them, a costly one none; `make prove` runs all.
test: setup ## run the tests on SQLite, then on PostgreSQL
	$(TEST)
	$(TEST) --db postgres --cases 1

test-all: export PYTHONDONTWRITEBYTECODE :=
test-all: setup ## run every case of every test on both databases
	$(TEST)
	$(TEST) --db postgres

engines: ## install what the heavy proofs run against, on Debian as root; INGOT_TEST_ENGINES=all then demands it
	tests/scale/install_engines.sh

# A real object store, by name or path; without a name that which is installed, see tests/scale/engines.py.
STORE ?=
test-scale: export INGOT_TEST_STORE := $(or $(STORE),$(INGOT_TEST_STORE))
test-scale: setup ## run the long tests of size and load on both databases
	$(BIN)/pytest -q -s -m scale
	$(BIN)/pytest -q -s -m scale --db postgres

# Objects in every real store that is installed (or in STORE alone), also on a disk that is full or read-only.
STORES = $(or $(STORE),$(INGOT_TEST_STORE),$(foreach name,minio versitygw,$(if $(shell command -v $(name)),$(name))))
OF_STORES := $(addprefix tests/operating/test_,real_store.py slow_store.py)
OF_STORES_AND_POSTGRES := $(addprefix tests/operating/test_,scale_out_backup.py backup_marks.py)
test-stores: setup ## run the tests of objects with the real stores that are installed
	@echo "Real stores: $(or $(STORES),none is installed)"
	@[ -n "$(strip $(STORES))" ] || [ "$$INGOT_TEST_ENGINES" != all ]
	@for store in $(STORES); do \
		export INGOT_TEST_STORE=$$store; \
		$(BIN)/pytest -q tests/kit/blobs $(OF_STORES) && $(BIN)/pytest -q --db postgres $(OF_STORES_AND_POSTGRES) || exit 1; \
	done

check: setup ## lint, formatting, types, import direction and migrations
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-types check-style check-imports check-migrations

check-types:
	$(BIN)/mypy

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-imports:
	$(BIN)/lint-imports

check-migrations:
	$(BIN)/python -m checks.migrations

bench: setup ## measure throughput and latency
	$(BIN)/python -m bench

prove: setup ## prove the promises: whole suite on both databases, scale tests and measurements
	$(MAKE) check test-all test-scale test-stores bench

release: setup ## build the wheel, the source archive and their checksums into dist; of a release, from its tag
	@$(BIN)/python -m checks.release
	@rm -rf dist
	@$(BIN)/python -m hatchling build >/dev/null
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

docs: setup ## regenerate docs/api and the settings table, and write the manual as a site into build/help
	$(BIN)/ingot openapi --output docs/api
	$(BIN)/python -m ingot.settings_table docs/operating.md
	$(BIN)/python -m ingot.web.manual build/help

examples: setup ## record the examples of the API reference: a call of each operation, out of the suite's own traffic
	$(BIN)/pytest -q tests/contract tests/features --record-examples src/ingot/features/instance/api_reference/recorded.jsonl

pictures: setup ## take the pictures of pages in docs/pictures
	$(BIN)/python -m tests.web.pictures docs/pictures

migration: setup ## write a migration for what changed: make migration name="add the colour of labels"
	$(BIN)/python -m ingot.migrations.writing "$(name)"

# The whole set is resolved first, so that a runtime pin never contradicts what the tests need.
lock: | $(DEV) ## resolve pyproject.toml again and pin every requirement by hash
	$(COMPILE) pyproject.toml --extra otel --group dev -o requirements/dev.txt
	$(COMPILE) pyproject.toml -c requirements/dev.txt -o requirements/runtime.txt
	$(COMPILE) pyproject.toml --extra otel -c requirements/dev.txt -o requirements/otel.txt
	$(COMPILE) --group pyproject.toml:installer -c requirements/dev.txt -o requirements/installer.txt
	$(COMPILE) --group pyproject.toml:build -c requirements/dev.txt -o requirements/build.txt
