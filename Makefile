# The two commands of the README, and what developers use.
#   make demo        set-up + the main job on real input
#   make test        set-up + build + all tests
SHELL := /bin/bash
SPACE := $(subst ,, )
JOBS ?= $(shell nproc)
TSAN_TESTS := base_test checkpoint_files_test convert_test data_raw_text_test data_preprocess_test data_sampler_test doctor_test tokenizer_test
BUILD := build/release

.PHONY: setup setup-fuzz build build-tests fixtures demo test test-long fuzz bench bench-setup asan tsan tidy format clean

setup:
	@scripts/setup.sh

setup-fuzz:
	@scripts/setup.sh fuzz

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
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=5

test-long: build-tests fixtures
	@scripts/run_tests.sh $(BUILD) 'short|long'
	@$(MAKE) --no-print-directory fuzz tsan

# Every reader of outside files against damaged input.
FUZZ_SECONDS ?= 60
fuzz: setup-fuzz
	@scripts/fuzz.sh $(FUZZ_SECONDS)

bench-setup: setup
	@bench/setup.sh

bench: build
	@bench/run.sh

asan: setup fixtures
	@cmake --preset asan >/dev/null
	@cmake --build build/asan -j $(JOBS)
	@ctest --test-dir build/asan -j $(JOBS) --output-on-failure

# The threaded parts of the front half (libgomp in the engine gives false positives).
tsan: setup fixtures
	@cmake --preset tsan >/dev/null
	@cmake --build build/tsan -j $(JOBS) --target $(TSAN_TESTS)
	@ctest --test-dir build/tsan -j $(JOBS) --output-on-failure -R '^($(subst $(SPACE),|,$(TSAN_TESTS)))$$'

tidy: setup
	@cmake --preset tidy >/dev/null
	@cmake --build build/tidy -j $(JOBS)

format:
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build
