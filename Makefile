# Everything a newcomer needs is a target here; `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PICOCAB := $(BIN)/picocab
export BLINKA_SKIP_DEPENDENCY_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup packages build run test lint bench par uf2 slow verify mutation check-fresh clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

packages: ## install the Debian packages that the build needs (root) or name them
	@$(PYTHON) -m host_tools.toolchain.packages

$(VENV)/.run: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "[setup] installing Python packages into $(VENV)"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[build,bench]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run pyproject.toml
	@echo "[setup] installing the checkers and what the exact return needs"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[build,bench,par,dev]'
	@touch $@

# Stubs of the firmware's own MicroPython: they replace the standard library, so they stay out of the environment.
build/typings/.done: pyproject.toml | $(VENV)/.run
	@rm -rf build/typings
	@$(BIN)/pip install --quiet --disable-pip-version-check --target build/typings 'micropython-rp2-rpi-pico-stubs~=1.25.0'
	@touch $@

setup: packages $(VENV)/.run ## install packages and create .venv

build: setup ## MicroPython, ROMFS image and UF2 files, in build/pico_cabinet
	@$(PICOCAB) build

uf2: build ## the same; names the file for drag and drop
	@echo "drag and drop: build/pico_cabinet/picocab-pico_cabinet-full.uf2"

run: setup ## the cabinet on the emulated Pico; DEMO=1 plays a checked session and exits
	@$(PICOCAB) run $(if $(DEMO),--demo)

test: setup $(VENV)/.dev ## the whole test suite
	@$(BIN)/python -m pytest

slow: setup $(VENV)/.dev ## the long tests: two builds compared, a build from a checkout
	@$(BIN)/python -m pytest -m slow

verify: setup ## a million rounds a game on core and reference, 100,000 on MicroPython; PORT=... 200 on a board
	@$(PICOCAB) verify --rounds 1000000 --micropython-rounds 100000 $(if $(PORT),--port $(PORT) --board-rounds 200)

par: setup $(VENV)/.dev ## PAR sheets of the four games as text and as pages in build/par
	@mkdir -p build/par
	@for game in mad_hatters mad_mad_monkey santa_vs_rudolf haunted_house; do \
		$(PICOCAB) par $$game --html build/par/$$game.html > build/par/$$game.txt || exit; \
		cat build/par/$$game.txt; \
	done

mutation: setup $(VENV)/.dev ## are the tests of the rules strong enough: 300 changed rules, at least 90 % noticed; SAMPLE=, SEED=
	@$(BIN)/python tests/mutation/mutate.py --sample $(or $(SAMPLE),300) --seed $(or $(SEED),1)

lint: setup $(VENV)/.dev build/typings/.done ## ruff, types, import rules, no floats in the firmware
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/basedpyright --warnings
	@PYTHONPATH=firmware $(BIN)/lint-imports
	@$(BIN)/python -m host_tools.toolchain.float_check firmware boards

bench: setup $(VENV)/.dev ## speed and memory; also build/bench.json
	@$(BIN)/python tests/bench/speed.py

check-fresh: ## the README's commands in a bare Debian 12 made by debootstrap (root)
	@$(PYTHON) tests/fresh/check_fresh.py

clean: ## remove build results and the environment; the cache of downloads stays
	rm -rf build $(VENV)
