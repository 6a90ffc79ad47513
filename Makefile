# Everything a person or a machine does with carom, one word each. CMake presets (CMakePresets.json) do the building.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
SCENES ?= 2000
SEED ?= 1

.PHONY: help build demo test scenes tolerances bench fuzz mutants install format lint clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

build: ## the command build/release/carom and the libraries
	@scripts/setup.sh build
	@scripts/build.sh release

demo: ## simulates two examples and leaves pages to watch in out/
	@scripts/setup.sh build
	@scripts/build.sh release carom
	@scripts/demo.sh

test: ## everything: text, unit, sanitizers, command line, viewer, install; last line "N passed, N failed"
	@scripts/setup.sh test
	@scripts/run-tests.sh

scenes: ## SCENES (2000) random scenes from SEED (1) on, and how each ends; models of those that do not finish in out/scenes
	@scripts/setup.sh build
	@scripts/build.sh release scenes
	@mkdir -p out
	@build/release/tests/scenes --seed $(SEED) --count $(SCENES) --jobs $$(nproc) --keep out/scenes $(SCENES_OPTIONS)

tolerances: ## what 1e-3 costs by 1e-6, of all examples and of 200 random scenes from SEED (1) on
	@scripts/setup.sh build
	@scripts/build.sh release tolerances
	@build/release/tests/tolerances examples/*.yaml
	@build/release/tests/tolerances --seed $(SEED) --count 200

bench: ## how fast it is
	@scripts/setup.sh build
	@scripts/build.sh release
	@scripts/bench.sh

fuzz: ## FUZZ_SECONDS (60) of random input for each reader, and a million mutated mesh files
	@scripts/setup.sh fuzz
	@scripts/build.sh fuzz
	@scripts/fuzz.sh $(FUZZ_SECONDS)

mutants: ## wrong lines of the rooms that decide, and which of them no test notices (MUTANTS=240 SEED=1 MUTANT_FILES=...)
	@scripts/setup.sh build
	@scripts/mutants.sh

install: ## command, libraries, headers, pkg-config and CMake files to PREFIX (/usr/local), below DESTDIR if given
	@scripts/setup.sh build
	@scripts/build.sh release
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

format: ## removes blanks at the end of lines; clang-format for FILES="..."
	@scripts/setup.sh lint
	@FILES='$(FILES)' scripts/lint.sh format

lint: ## clang-tidy and checks of the text; changes nothing
	@scripts/setup.sh lint
	@scripts/lint.sh check

clean: ## removes build/ and out/
	rm -rf build out
