# Run `make help` for the list of targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
.DEFAULT_GOAL := all

GO ?= go
# Tools are pinned, built once, and kept outside the checkout so that fresh clones reuse them.
TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/resgen-tools
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(TOOLS)/golangci-lint-$(GOLANGCI_VERSION)
# Real documents that are not ours to commit; `make corpus` and `make live` read them. Other targets do not: they take minutes.
RESGEN_CORPUS ?= $(abspath ../shared/corpus)
corpus live liveservers: export RESGEN_CORPUS := $(RESGEN_CORPUS)
# The race detector needs cgo and a C compiler.
RACE := $(shell if [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v "$$($(GO) env CC | cut -d' ' -f1)" >/dev/null 2>&1; then echo -race; fi)
FUZZTIME ?= 10s
# Which live tests `make live` runs: TestLiveFaults, TestLiveSpector, TestLiveAutorest, TestLivePrism and others; all take a quarter of an hour.
LIVE ?= ^TestLive
PKG ?= ./...

.PHONY: help all demo test lint lintbench generate checkgenerate corpus live liveservers bench fuzz clean

help: ## Describe the targets.
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

all: test lint ## Test and lint.

demo: ## Main job: generate the LLM client, then walk its fallback ladder down and up on an embedded provider.
	$(GO) generate ./examples/llmclient
	$(GO) run ./examples/llmclient

# Its time limit is for what hangs, and not for machines that are slow.
test: ## Run all tests, under the race detector where a C compiler is found.
	@if [ -z "$(RACE)" ]; then echo "no C compiler (or cgo is off): the tests run without the race detector"; fi
	$(GO) vet $(PKG)
	$(GO) test $(RACE) -timeout 30m $(PKG)
	@echo "without assembly:"; $(GO) test -tags purego ./runtime/wire/internal/codec
	@if [ -n "$(RACE)" ]; then echo "in full, without the race detector:"; $(GO) test -timeout 10m ./runtime/policy ./runtime/sim && \
	  $(GO) test -timeout 10m -run '^TestProof' ./runtime; fi

lint: $(GOLANGCI) ## Lint with every linter on; .golangci.yml gives each exception its reason.
	$(GOLANGCI) run $(PKG)

lintbench: $(GOLANGCI) ## Lint the module bench, which needs the module proxy.
	cd bench && $(GOLANGCI) run ./...

# The stubs come first: what follows is type-checked against them.
generate: ## Regenerate everything that is generated: stubs, reference pages, goldens, examples.
	$(GO) generate ./generator/internal/...
	$(GO) generate ./generator ./runtime/promobserver ./examples/...
	$(GO) run ./cmd/resgen generate --spec bench/llm/openapi.yaml --out bench/llm --package llm --tests=false

checkgenerate: generate ## Fail if generated files are stale or not committed.
	@git diff --exit-code || { echo "run 'make generate' and commit the result" >&2; exit 1; }
	@if [ -n "$$(git status --porcelain)" ]; then git status --short; echo "generated files are not committed" >&2; exit 1; fi

corpus: ## Generate, build and vet every real document of RESGEN_CORPUS; prints a table.
	@if [ ! -d "$(RESGEN_CORPUS)" ]; then echo "corpus: no folder $(RESGEN_CORPUS): set RESGEN_CORPUS to a folder of OpenAPI documents"; else \
	$(GO) test -count=1 -timeout 60m -run '^(TestCorpus|TestCorpusOfInterfaces|TestNothingLost)$$' -v ./generator | { grep -v -E '^(=== |    --- PASS)' || true; }; \
	echo "stage by stage:"; $(GO) test -count=1 -timeout 30m -run '^Test(Corpus|CorpusTypeChecks|RealDocuments|OddDocuments|SameTwice)$$' \
	  $(addprefix ./generator/internal/,openapi plan sample emit); fi

live: liveservers $(GOLANGCI) ## Run the generated clients against real servers (npm is needed), init on the corpus, and the alert rules in Prometheus's engine.
	$(GO) test -count=1 -timeout 30m -run '^TestCorpusStarters$$' ./generator
	cd bench/alerts && $(GO) vet ./... && $(GO) test -timeout 20m ./... && $(GOLANGCI) run ./...

liveservers: ## The first half of live: servers from the package registries.
	RESGEN_LIVE=1 $(GO) test -count=1 -timeout 30m -run '$(LIVE)' -v ./generator/... ./runtime/redisstore

bench: ## Measure the runtime against the floor and its peers, in RESGEN_BENCH_ROUNDS (5) rounds; needs the module proxy.
	$(MAKE) -C bench rounds

fuzz: ## Run every fuzz target for FUZZTIME (10s) each; those beside json/v2 need the module proxy.
	@for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "== $$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$pkg; \
	  done; \
	done
	$(MAKE) -C bench fuzz FUZZTIME=$(FUZZTIME)

clean: ## Remove what the targets leave in the checkout.
	rm -rf .tmp

$(GOLANGCI):
	@mkdir -p $(TOOLS)
	GOBIN=$(TOOLS)/tmp $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(TOOLS)/tmp/golangci-lint $@
