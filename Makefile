# Needs Python 3.11 or newer, git and make, and Node 20.19 for TypeScript; uv is put into .venv when the machine has none.

UV := $(or $(shell command -v uv 2>/dev/null),.venv/bin/uv)
RUN := $(UV) run --quiet

.PHONY: help demo demo-update test matrix lint docs bench wheel release

help: ## List these commands
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' $(MAKEFILE_LIST)

demo: $(UV) ## Render a service, check it, index, search, ask, evaluate; LANGUAGE=typescript for Node
	@$(RUN) --no-dev python -m ragseam.demo $(if $(filter command,$(origin LANGUAGE)),$(LANGUAGE))

demo-update: $(UV) ## Update an older service with work of its own in build/demo-update, check it
	@$(RUN) --no-dev python -m ragseam.demo_update

test: $(UV) ## Run the whole test suite; TESTS=path narrows it
	@$(RUN) pytest -q $(TESTS)

matrix: $(UV) ## Render every variant and run all its checks; results in build/matrix.html
	@mkdir -p build
	@$(RUN) --no-dev ragseam verify --all --jobs 2 --html build/matrix.html \
	  --json build/matrix.json --junit build/matrix.xml

lint: $(UV) ## Check style and types of the generator, the tests and the template's plain files
	@$(RUN) ruff check --quiet .
	@$(RUN) ruff format --check --quiet .
	@$(RUN) basedpyright --level error

docs: $(UV) ## Write anew what the docs repeat of copier.yml, the commands and their output
	@$(RUN) python -m ragseam.reference
	@REFRESH_PAGES=1 $(RUN) pytest -q tests/docs

bench: $(UV) ## Print every benchmark; takes hours, and installs peers; BENCH="--quick" takes minutes
	@$(RUN) --group bench python -m benchmarks $(BENCH)

wheel: $(UV) ## Build the wheel into dist/, with the template inside
	@$(RUN) --no-dev python -m ragseam.wheel

release: $(UV) ## Set VERSION=1.2.3, date the changelog and tag, if no service would be hurt
	@HISTORY=all $(RUN) python -m ragseam.release "$(VERSION)"

.venv/bin/uv:
	@for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	  if $$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    $$python -m venv .venv && \
	    exec .venv/bin/python -m pip install --quiet --disable-pip-version-check uv; \
	  fi; \
	done; \
	echo 'Python 3.11 or newer with venv is needed (Debian: apt install python3-venv)' >&2; exit 1
