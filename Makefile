# `make hunt` and `make test` need Python 3.11 or newer, pip and git; everything else they install into .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
DEMO := .demo/forest
QUESTION ?= ¿Cuáles son los salarios mínimos de 2026?

# A make run from a git hook inherits these; the demo's repository must never be this one.
unexport GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX

.PHONY: help hunt demo test check format docs bench strict speed clean

help:  ## Say what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(VENV)/.installed  ## Make the sample forest, a git repository of its own in .demo/forest
	@rm -rf $(DEMO) && mkdir -p $(DEMO) && cp -R fixtures/forest/. $(DEMO)
	@git -C $(DEMO) init --quiet && git -C $(DEMO) add .
	@git -C $(DEMO) -c user.name=forest -c user.email=forest@localhost -c commit.gpgsign=false \
		-c core.hooksPath=/dev/null commit --quiet -m "Sample forest"

hunt: demo  ## Answer one question from the sample forest
	@$(BIN)/forest hunt "$(QUESTION)" --forest $(DEMO)

test: $(VENV)/.installed  ## Run the tests
	$(BIN)/python -m pytest -q -n 2

check: $(VENV)/.installed  ## Check format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed  ## Rewrite the code in the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.installed  ## Make the pages that are made from the code, and run those with commands
	$(BIN)/python docs/make_cli.py
	$(BIN)/python docs/make_tables.py
	$(BIN)/python docs/transcripts.py

bench: $(VENV)/.installed demo  ## Run arms and controls on the fixture's questions and print the report; with ENDPOINT=URL every arm
ifeq ($(ENDPOINT),)
	@rm -rf .demo/bench && mkdir -p .demo/bench
	$(BIN)/forest bench run $(DEMO) --questions fixtures/questions --all-controls --today 2026-11-30 --out .demo/bench/attempts.jsonl
	$(BIN)/forest bench report .demo/bench/*.jsonl
else
	@mkdir -p .demo/bench-models
	$(BIN)/forest bench run $(DEMO) --questions fixtures/questions --endpoint "$(ENDPOINT)" $(if $(MODEL),--model "$(MODEL)") $(OPTIONS) \
		--today 2026-11-30 --out .demo/bench-models --report
endif

strict: $(VENV)/.installed  ## Check that the strictly multi-hop questions are that, and the generated nodes are what is generated
	$(BIN)/python -m bench.strictness fixtures/forest fixtures/questions/*.jsonl
	$(BIN)/python fixtures/make/normas.py --check
	$(BIN)/python fixtures/make/programas.py --check

speed: $(VENV)/.installed demo  ## Measure start-up and search, side by side; FOREST names the forest to search
	$(BIN)/python -m bench.speed $(or $(FOREST),$(DEMO))

clean:  ## Remove what make made
	rm -rf $(VENV) .demo build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
