# On a fresh machine with Go, `make demo` and `make test` need nothing else.

VERSION ?= $(shell git describe --tags --dirty 2>/dev/null || echo v0.1.0-dev)
GOARCH  ?= $(shell go env GOARCH)
IMAGE   ?= pillion

GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.14.0

LDFLAGS    := -s -w -X pillion.dev/pillion/internal/command.version=$(VERSION)
BUILDFLAGS := -trimpath -ldflags '$(LDFLAGS)'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./pillion, one static binary
	CGO_ENABLED=0 go build $(BUILDFLAGS) -o pillion .

.PHONY: install
install: ## put pillion where `go install` puts programs
	CGO_ENABLED=0 go install $(BUILDFLAGS) .

.PHONY: demo
demo: build ## show the envoy sidecar going into the pod of examples/envoy-initializer
	@go run ./test/demo -pillion ./pillion examples/envoy-initializer

# go vet and go test write their usual lines; test/summary adds at the end what was skipped for want of which tool.
.PHONY: test
test: ## vet, run all tests and a few seconds of each fuzz target; say what was skipped, and why
	go vet ./...
	./test/fuzz.sh 3s
	go test -json ./... | go run ./test/summary

.PHONY: fuzz
fuzz: ## fuzz each target for FUZZTIME (1m)
	./test/fuzz.sh $(or $(FUZZTIME),1m)

.PHONY: bench
bench: build ## measure time and memory beside kyaml and kustomize, in about 5 minutes; see docs/performance.md
	@go run ./test/bench -pillion ./pillion $(BENCHFLAGS)

.PHONY: lint
lint: ## run golangci-lint, the version pinned here
	go run $(GOLANGCI_LINT) run ./...

.PHONY: generate
generate: ## write again what is generated from the Go types
	go generate ./...

.PHONY: docs
docs: ## write docs/cli.md and the man pages, in dist/man, from the commands
	go run ./internal/command/docs -markdown docs/cli.md -man dist/man

# Nothing is pulled: the binary is built here, for the architecture in GOARCH, and the image starts from scratch.
DIST := dist/linux-$(GOARCH)
.PHONY: image
image: ## build the container image pillion:VERSION for GOARCH, with a plain docker build
	@mkdir -p $(DIST)/etc
	CGO_ENABLED=0 GOOS=linux GOARCH=$(GOARCH) go build -tags nokustomize $(BUILDFLAGS) -o $(DIST)/pillion .
	@echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' > $(DIST)/etc/passwd
	docker build --platform linux/$(GOARCH) --build-arg VERSION=$(VERSION) --tag $(IMAGE):$(VERSION) --file Dockerfile $(DIST)

.PHONY: clean
clean: ## remove what was built
	rm -rf pillion dist .cache
