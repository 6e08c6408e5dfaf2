# Riffle's verbs. `make run` and `make test` need python3 (3.11 or newer) and nothing else.
PYTHON ?= python3
PY := .venv/bin/python
# Each process of a parallel run has servers of its own.
PARALLEL := -n auto --maxprocesses 4 --dist worksteal

# A run of the tests starts hundreds of programs in Python; without bytecode each compiles its libraries.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run fast dev test services browser sheet nightly check format bench lab ladders lock clean install-dev

help: ## List these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: ## Start the site (PORT=8000, HOST=127.0.0.1); Ctrl-C stops it
	@$(PYTHON) run.py

fast: install-dev ## Compile the rules engine where there is a C compiler (some minutes; with the same results)
	@$(PY) -m config.fast

dev: install-dev ## Start the site for working on it: it follows each change (PORT=8000)
	@$(PY) -m config.dev

install-dev:
	@$(PYTHON) run.py install-dev

test: install-dev ## Run the tests (SQLite and the embedded Valkey; four minutes on two cores)
	@$(PY) -m pytest -q $(PARALLEL) $(ARGS)

services: install-dev ## Run the site's tests on PostgreSQL, Redis and a real Celery worker
	@REQUIRE_SERVICES=1 $(PY) -m pytest -q $(PARALLEL) -m "not browser" $(ARGS)

browser: install-dev ## Run the browser tests (Chromium)
	@$(PY) -m pytest -q -m browser -n 2 --dist worksteal $(ARGS)

sheet: install-dev ## Draw every mode's tables in all sizes and themes into var/sheet (ARGS="-k duel")
	@RIFFLE_SCREENSHOTS=$${RIFFLE_SCREENSHOTS:-var/sheet} $(PY) -m pytest -q -m browser -n 2 --dist worksteal tests/browser/test_every_table.py $(ARGS)

nightly: install-dev ## Run what a night allows: many more examples, matches, requests and faults
	@SIZE=large RIFFLE_FAST=/dev/null $(PY) -m pytest -q $(PARALLEL) tests/rules tests/games $(ARGS) # on the sources
	@SIZE=large REQUIRE_SERVICES=1 $(PY) -m pytest -q $(PARALLEL) -m "not browser" $(ARGS)
	@SIZE=large $(PY) -m pytest -q -m browser -n 2 --dist worksteal $(ARGS)
	@SIZE=large $(PY) -m config.fast test $(PARALLEL) tests/rules tests/games $(ARGS)

check: install-dev ## Linters, types, import contracts, deployment checks
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports
	@$(PY) -m djlint --lint --quiet templates games
	@$(PY) manage.py makemigrations --check --dry-run
	@DEBUG=0 SECRET_KEY=$$($(PY) -c "import secrets; print(secrets.token_urlsafe(60))") \
		ALLOWED_HOSTS=cards.example.org $(PY) manage.py check --deploy --fail-level WARNING
	@if command -v npm >/dev/null; then npm ci --silent --no-audit --no-fund && npx --no-install tsc; \
		else echo "JavaScript types: not checked, this machine has no npm."; fi

format: install-dev ## Put Python and imports into the house's format
	@$(PY) -m ruff check --fix-only .
	@$(PY) -m ruff format .

bench: install-dev ## Measure the engine and the site; prints tables
	@$(PY) -m bench $(ARGS)

lab: install-dev ## Let bots play a few hundred matches (ARGS="--games 500")
	@$(PY) -m config rules.engine.lab $(ARGS)

ladders: install-dev ## Play all bots' ladders and all ready-made decks anew, a night long (docs/ladders.md)
	@$(PY) -m config rules.ladder --pairs 200 --until-sure --jobs 2 $(ARGS)
	@$(PY) -m config rules.matchups --pairs 200 --jobs 2

lock: install-dev ## Write the lock files anew from pyproject.toml
	@for target in "pyproject.toml --extra site -o requirements.txt" \
		"pyproject.toml --extra site --extra dev -c requirements.txt -o requirements-dev.txt" \
		"pyproject.toml --extra research -c requirements-dev.txt -o requirements-research.txt"; do \
		.venv/bin/uv pip compile -q --universal --generate-hashes --python-version 3.11 \
			--no-emit-index-url --no-emit-find-links --no-header --no-annotate $(ARGS) $$target; done

clean: ## Remove what can be made again (.venv, caches); var/, your data, stays
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
