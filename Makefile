# The commands of a working day. `make help` lists them.
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
VERSION ?= 0.6.9
PREV    ?= 0.6.8
CONFIG  ?=
WORKERS ?= 2

# Without bytecode every command would compile its imports anew: 2 seconds more, each time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup release smoke gate test lint bench results lock clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(VENV)/ready  ## make the environment from the lock file

$(VENV)/ready: requirements.lock pyproject.toml envs/bootstrap.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) is not on the path; install Python 3.11+ or name one with PYTHON=..."; exit 2; }
	@$(PYTHON) scripts/set_up.py

release: $(VENV)/ready  ## compare two releases and write the page: VERSION=0.6.9 PREV=0.6.8
	@$(BIN)/snakemake release --config version=$(VERSION) prev=$(PREV) $(CONFIG)

smoke: $(VENV)/ready  ## the same on four runs a side, in seconds
	@$(BIN)/snakemake smoke --config version=$(VERSION) prev=$(PREV) $(CONFIG)

gate: $(VENV)/ready  ## the same as release, and the verdict decides whether the command succeeds
	@$(BIN)/snakemake gate --config version=$(VERSION) prev=$(PREV) $(CONFIG)

test: lint  ## linters and the whole test suite
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

lint: $(VENV)/ready  ## ruff, mypy, snakefmt, snakemake --lint
	@$(BIN)/ruff check scripts tests
	@$(BIN)/ruff format --check --quiet scripts tests
	@$(BIN)/mypy scripts/idpbench
	@$(BIN)/snakefmt --check Snakefile rules
	@$(BIN)/snakemake --lint

bench: $(VENV)/ready  ## measure the speed targets and print the table
	@$(BIN)/python tests/bench/run.py

results: $(VENV)/ready  ## renew all committed examples: suites, classification, release, gold and claims
	@for suite in boundary cost enforcement intconf scaling; do \
		$(BIN)/snakemake suite --config suite=$$suite version=$(VERSION) || exit $$?; done
	@$(BIN)/snakemake suite --config suite=intconf version=0.6.5
	@$(BIN)/snakemake classification --config testset=docsplit models=haiku45,haiku55 sample=20 mode=topk version=$(VERSION)
	@$(BIN)/snakemake release --config version=$(VERSION) prev=$(PREV)
	@$(BIN)/snakemake gold claims

lock: $(VENV)/ready  ## renew requirements.lock and the pins of envs/
	@$(BIN)/python scripts/lock.py

clean:  ## remove everything that can be made again, except paid work (work/vault, work/journal)
	@rm -rf $(VENV) corpus/docs .snakemake build
