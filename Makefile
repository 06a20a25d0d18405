# Every target makes the environment it needs first: .venv, from PyPI, once for each pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 3 # more than cores, as some tests wait for another process
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder # the slowest files first
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
RL := .venv-rl/bin
RL_PIP := $(RL)/pip install --quiet --disable-pip-version-check
TORCH ?= torch==2.13.0

# Modules are compiled once, whatever the environment says: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play lint check quick-tests test all-tests test-long test-needs rl web bench wheel book docs release-check clean

play: .venv/made .venv/compiled
	@$(BIN)/parlour

lint: .venv/made-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# While one writes: the linters, and the quick tests that need nothing but Python: no page, no other program.
check: .venv/made-dev .venv/compiled
	@$(MAKE) --no-print-directory --jobs 2 quick-tests lint

quick-tests: .venv/made-dev .venv/compiled
	PARLOUR_EFFORT=quick $(PYTEST) \
		-m 'not (browser or server or postgresql or sandbox or site or slow)'

# Before every commit that others will see: every promise of Parlour, once. The linters run beside the tests.
test: .venv/made-dev test-needs
	@$(MAKE) --no-print-directory --jobs 2 all-tests lint

all-tests: .venv/made-dev .venv/compiled
	$(PYTEST) -rs

# Before a release, and every night: the same with all sizes, languages, kills, proxies, clusters and
# pages of the book, many times the examples, and types as on Windows.
test-long: .venv/made-dev .venv/compiled test-needs
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	PARLOUR_EFFORT=long $(PYTEST) -rs

# Chromium, PostgreSQL, gtp-rhino, zsh, fish and axe-core, where they can be had without a question.
test-needs:
	@tools/install_test_needs.sh

# Deep learning, in an environment of its own: an example that trains agents and judges them, and the
# tests that need its libraries. TORCH is installed first, since the others bring the build for graphics
# cards, of several gigabytes; where pip offers that one under this name too, name an index that has
# the other: make rl TORCH='torch --index-url URL'
rl: .venv-rl/made
	$(RL)/python examples/rl/misere_nim.py build/rl
	$(RL)/parlour judge nim --piles 1 3 5 --misere --checkpoint build/rl/ppo-*.zip --html build/rl/report.html
	PARLOUR_ALL_TESTS=1 $(RL)/pytest tests/rl/deep

web: .venv/made-web .venv/compiled
	@$(BIN)/parlour web

bench: .venv/made-dev
	$(BIN)/python bench/run.py

# For this platform and Python, with the kernels compiled; `pip wheel --no-deps .` makes one for all.
wheel: .venv/made
	$(BIN)/python tools/ship_kernels.py build/compiled
	PARLOUR_COMPILED=build/compiled $(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

# The book of this version, in a folder beside those of others; BOOK=FOLDER builds it elsewhere.
book docs: .venv/made-docs
	@$(BIN)/python tools/build_book.py $(BOOK)

# Before a release: the translations, the wheel and the source archive as PyPI will get them, and
# what we depend on.
release-check: .venv/made-release
	$(BIN)/python tools/extract_texts.py --check
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml
	$(BIN)/pip-audit --progress-spinner off --strict . # one that cannot be looked up is a failure

.venv/made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Parlour needs Python 3.11 or newer; say which with make PYTHON=…"; exit 2; }
	@test -x $(BIN)/python || { echo "Making .venv, once; this takes a minute."; $(PYTHON) -m venv .venv; }
	@$(PIP) --editable .
	@touch $@

.venv/made-%: .venv/made
	@echo "Adding what '$*' needs to .venv, once."
	@$(PIP) --editable '.[$*]'
	@touch $@

.venv-rl/made: pyproject.toml
	@test -x $(RL)/python || { echo "Making .venv-rl, once; this takes minutes."; $(PYTHON) -m venv .venv-rl; }
	@$(RL_PIP) $(TORCH)
	@$(RL_PIP) --editable '.[rl]' 'stable-baselines3>=2.6,<3' 'sb3-contrib>=2.6,<3' \
		'pytest>=8,<10' 'hypothesis>=6.100,<7' 'onnx>=1.17,<2'
	@touch $@

.venv/compiled: .venv/made $(shell find src/parlour/kernels -name "*.py")
	@echo "Compiling the hot loops, once; this takes a minute."
	@$(BIN)/parlour compile
	@touch $@

clean:
	rm -rf .venv .venv-rl build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
