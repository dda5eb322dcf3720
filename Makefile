# SPDX-License-Identifier: Apache-2.0
# Everything a developer types. Each target first makes sure that the machine has what it needs.
JOBS ?= 2
PORT ?= 8080
CMAKE_BUILD = cmake --build --preset $(1) -j $(JOBS)
CONFIGURE = cmake --preset $(1) --log-level=WARNING

.DEFAULT_GOAL := help
.PHONY: run build test unit bench nightly fuzz package release format lint clean help

run: build ## Build, serve the examples through a gateway and show what it does (KEEP=0|1, PORT=8080)
	@tools/demo --port $(PORT) $(if $(KEEP),$(if $(filter 0,$(KEEP)),--once,--keep))

build: ## Build the release program: build/release/bin/enfold
	@tools/setup build
	@$(call CONFIGURE,release)
	@$(call CMAKE_BUILD,release)

test: ## Check formatting and layers, build, run every test
	@tools/setup test
	@tools/check_format
	@$(call CONFIGURE,dev)
	@$(call CMAKE_BUILD,dev) --target all all_verify_interface_header_sets
	@ctest --preset dev -j $(JOBS)

unit: ## Build and run the unit tests only
	@tools/setup test
	@$(call CONFIGURE,dev)
	@$(call CMAKE_BUILD,dev)
	@ctest --preset dev -j $(JOBS) -L unit

bench: ## Measure against memcpy and other libraries, in one run
	@tools/setup bench
	@$(call CONFIGURE,bench)
	@$(call CMAKE_BUILD,bench)
	@tools/bench

nightly: ## The long version of everything; writes docs/measurements/nightly.md
	@tools/setup test fuzz
	@JOBS=$(JOBS) tools/nightly

fuzz: ## Run every fuzz target (SECONDS_EACH=60, or RUNS=1000000)
	@tools/setup fuzz
	@JOBS=$(JOBS) tools/fuzz

package: ## Make the Debian, npm, archive and container packages in build/package
	@tools/setup package
	@JOBS=$(JOBS) tools/package

release: ## Check that this commit is ready, test it, make its packages (DRY_RUN=1: only check)
	@JOBS=$(JOBS) tools/release $(if $(DRY_RUN),--dry-run)

format: ## Rewrite the sources in the house format
	@tools/setup test
	@tools/check_format --fix

lint: ## Check formatting and layers, run clang-tidy and its analyser over all sources
	@tools/setup lint
	@tools/check_format
	@tools/check_layers
	@tools/check_words
	@tools/tidy_changed --all --deep

clean: ## Remove everything that was built
	rm -rf build

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
