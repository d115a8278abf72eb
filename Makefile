# The two commands of the README, and what developers use.
#   make demo        set-up + the main job on real input
#   make test        set-up + build + all tests
SHELL := /bin/bash
JOBS ?= $(shell nproc)
BUILD := build/release

.PHONY: setup build build-tests fixtures demo test test-long bench bench-setup asan tidy format clean

setup:
	@scripts/setup.sh

build: setup
	@cmake --preset release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target mindspeed mindspeed_engine

build-tests: setup
	@cmake --preset test >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

fixtures: setup
	@scripts/fetch_fixtures.sh

demo: build
	@scripts/demo.sh

test: build-tests fixtures
	@scripts/run_tests.sh $(BUILD) short

test-long: build-tests fixtures
	@scripts/run_tests.sh $(BUILD) 'short|long'

bench-setup: setup
	@bench/setup.sh

bench: build
	@bench/run.sh

asan: setup fixtures
	@cmake --preset asan >/dev/null
	@cmake --build build/asan -j $(JOBS)
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure

tidy: setup
	@cmake --preset tidy >/dev/null
	@cmake --build build/tidy -j $(JOBS)

format:
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build
