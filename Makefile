# On a fresh machine with Go, `make demo` and `make test` need nothing else.

# The names of tags are used in shell commands below: pushing a tag must not run commands here.
PLAIN_TAG := grep -xE 'v[0-9A-Za-z.+_-]+'
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null | $(PLAIN_TAG) || echo v0.1.0-dev)
GOARCH  ?= $(shell go env GOARCH)
IMAGE   ?= pillion

GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.14.0
ACTIONLINT    := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# The commit and its time, for `pillion version` and for what is released. The same commit and the same version of Go create the
# same bytes, inside or outside of a git repository.
REVISION          := $(shell git rev-parse HEAD 2>/dev/null)
SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),0)

# Tests, linters and tools are compiled like what is released, so that they share one build cache: dependencies are compiled once.
export CGO_ENABLED := 0
export GOFLAGS     := $(filter-out -trimpath,$(shell go env GOFLAGS)) -trimpath

VERSION_AT := -X pillion.dev/pillion/internal/version
LDFLAGS    := -s -w $(VERSION_AT).version=$(VERSION) $(VERSION_AT).commit=$(REVISION) $(VERSION_AT).epoch=$(SOURCE_DATE_EPOCH)
BUILDFLAGS := -ldflags '$(LDFLAGS)'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build ./pillion, one static binary
	go build $(BUILDFLAGS) -o pillion .

.PHONY: build-audit
build-audit: ## build ./pillion-audit, which watches the pods of a cluster
	go build -C audit $(BUILDFLAGS) -o ../pillion-audit .

.PHONY: install
install: ## put pillion where `go install` puts programs
	go install $(BUILDFLAGS) .

.PHONY: demo
demo: ## build Pillion, show as a diff how it adds a sidecar to a pod, and suggest what to try next
	@echo 'building ./pillion, which takes a minute the first time'
	@$(MAKE) --silent build
	@go run ./test/demo -pillion ./pillion

# $(call gotest,MODULE,FLAGS) tests a module. A pipe loses the exit code, so test/summary reads it from a line. go test itself runs all
# checks of go vet: a go vet before it would analyse all dependencies twice. Without symbols for debuggers, linking takes half the time.
gotest = go -C $(1) test -json -vet=all -ldflags '-s -w' $(2) ./... || echo '{"Action":"exit","Package":"$(1)"}'

# The same commit gives the same result: fuzz targets run their committed inputs here, and `make fuzz` searches for new ones.
# test/summary shows the progress on a terminal, or else the usual lines of go test, and ends with the skipped and the failed tests.
.PHONY: test
test: ## vet and run all tests; list what was skipped, and why
	@{ $(call gotest,.,-timeout 30m); \
		$(call gotest,image); \
		$(call gotest,release); \
		$(call gotest,audit); \
	} | go run ./test/summary -packages $$(for module in . image release audit; do go -C $$module list ./...; done | wc -l)

# The tools are built into .cache: the first run takes half an hour on two cores. test/admission is a module of its own, because
# the API server's code takes minutes to build.
.PHONY: e2e
e2e: ## run the pipelines with the real kustomize, kpt, Docker, Argo CD, Flux, Helm and API server; print a table of them
	go -C test/admission test -vet=all -count=1 -timeout 60m ./...
	go test -json -count=1 -timeout 60m ./test ./test/e2e ./test/cluster ./test/steps -e2e | go run ./test/summary -tools

.PHONY: fuzz
fuzz: ## search each fuzz target for new failing inputs, for FUZZTIME (1m) each, and keep them in testdata/fuzz
	./test/fuzz.sh $(or $(FUZZTIME),1m)

.PHONY: race
race: ## run the tests of the function and its packages with the race detector; needs a C compiler
	CGO_ENABLED=1 go -C audit test -race ./...
	CGO_ENABLED=1 go test -race ./api/... ./finding/... ./fn/... ./internal/... ./transformers/...

.PHONY: bench
bench: build ## compare time and memory with kyaml and kustomize, in about 6 minutes; see docs/explanation/performance.md
	@go run ./test/bench -pillion ./pillion $(BENCHFLAGS)

.PHONY: lint
lint: ## run golangci-lint, and actionlint on the workflows, the versions pinned here
	go run $(GOLANGCI_LINT) run ./...
	cd image && go run $(GOLANGCI_LINT) run ./...
	cd release && go run $(GOLANGCI_LINT) run ./...
	cd audit && go run $(GOLANGCI_LINT) run ./...
	cd test/admission && go run $(GOLANGCI_LINT) run ./...
	go run $(ACTIONLINT) .github/workflows/*.yml pipelines/flux/artifact/render.yaml

# CI does the same on these systems, and starts the program there. Compiling the dependencies takes minutes.
.PHONY: cross
cross: ## vet for Windows and macOS
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...

.PHONY: generate
generate: ## write the files that are generated from the Go types
	go generate ./...

.PHONY: docs
docs: ## write the pages that are generated from the code, and in dist the man pages and completions
	go run ./internal/command/docs -markdown docs/reference/cli.md -man dist/man -completions dist/completions
	go run ./internal/preset/docs
	go test ./finding -run TestPage -update
	go test ./internal/pod -run TestKindsPage -update

DIST         ?= dist
PLATFORMS    := linux/amd64 linux/arm64
# $(call here,MODULE) runs the program of a module on this machine, whatever platform is built for.
here         = GOOS= GOARCH= go -C $(1) run .
COMMIT_FLAGS = -version '$(VERSION)' -revision '$(REVISION)' -epoch '$(SOURCE_DATE_EPOCH)'
# Without settings of this machine that would change the bytes of a binary, as in release/compile.
PLAIN_GO     := CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 GOFLAGS=-trimpath GOEXPERIMENT= GOFIPS140=off GOWORK=off

# $(call files,PROGRAM,MODULE,FLAGS) writes the files in the image of a platform: the binary, its SBOM, and an /etc/passwd with nobody.
define files
	@rm -rf $@ && mkdir -p $@/etc
	$(PLAIN_GO) GOOS=linux GOARCH=$* \
		go build -C $(2) -buildvcs=false $(3) $(BUILDFLAGS) -o $(abspath $@)/$(1) .
	@echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' > $@/etc/passwd
	@$(call here,image) sbom $(COMMIT_FLAGS) $(abspath $@)/$(1) > $@/$(1).spdx.json
	@chmod -R u=rwX,go=rX $@ # the user nobody has to run it, whatever the umask is here
endef
$(DIST)/linux-%: FORCE
	$(call files,pillion,.,-tags nokustomize)
$(DIST)/audit/linux-%: FORCE
	$(call files,pillion-audit,audit)
FORCE:

# $(call docker,PROGRAM,IMAGE) and $(call layout,PROGRAM,IMAGE)
docker = docker build --platform linux/$(GOARCH) --build-arg VERSION='$(VERSION)' --target $(1) --tag $(2):$(VERSION) --file Dockerfile $<
layout = $(call here,image) layout $(COMMIT_FLAGS) -program $(1) -name '$(2)' -dist $(abspath $(dir $<)) $(PLATFORMS)

.PHONY: image
image: $(DIST)/linux-$(GOARCH) ## build the container image pillion:VERSION for GOARCH, with a plain docker build
	$(call docker,pillion,$(IMAGE))

.PHONY: image-all
image-all: $(PLATFORMS:linux/%=$(DIST)/linux-%) ## write the image for all platforms to dist/oci, as an OCI layout, without Docker
	$(call layout,pillion,$(IMAGE))

.PHONY: image-audit
image-audit: $(DIST)/audit/linux-$(GOARCH) ## build the image of the watcher, pillion-audit:VERSION for GOARCH
	$(call docker,pillion-audit,$(IMAGE)-audit)

.PHONY: image-audit-all
image-audit-all: $(PLATFORMS:linux/%=$(DIST)/audit/linux-%) ## write it for all platforms to dist/audit/oci
	$(call layout,pillion-audit,$(IMAGE)-audit)

.PHONY: image-tags
image-tags: ## print the tags of VERSION: v1.2.3, v1.2 and v1, never latest
	@git tag --list 'v*' | $(PLAIN_TAG) | xargs go -C image run . tags '$(VERSION)'

# The address of the repository is where the formula and the manifest for krew find the archives.
REPOSITORY ?= https://pillion.dev/pillion
.PHONY: release
release: ## write the files of a release to dist/release, for all platforms: archives, deb, rpm, SBOMs, checksums, formula; publish nothing
	$(call here,release) $(COMMIT_FLAGS) -repository '$(REPOSITORY)' -dist $(abspath $(DIST))/release

ARGOCD = $(DIST)/argocd-linux-$(GOARCH)
.PHONY: image-argocd
image-argocd: ## build the image of the Argo CD plugin, pillion-argocd:VERSION for GOARCH, with Helm in it
	@rm -rf $(ARGOCD)
	@mkdir -p $(ARGOCD)/etc $(ARGOCD)/usr/local/bin $(ARGOCD)/home/argocd/cmp-server/config
	$(PLAIN_GO) GOOS=linux GOARCH=$(GOARCH) go build -buildvcs=false $(BUILDFLAGS) -o $(ARGOCD)/usr/local/bin/ ./pipelines/argocd/pillion-argocd
	$(PLAIN_GO) GOOS=linux GOARCH=$(GOARCH) go build -C pipelines/argocd/helm -buildvcs=false -ldflags '-s -w' \
		-o $(abspath $(ARGOCD))/usr/local/bin/ helm.sh/helm/v3/cmd/helm
	@cp pipelines/argocd/plugin.yaml $(ARGOCD)/home/argocd/cmp-server/config/
	@echo 'argocd:x:999:999:argocd:/tmp:/sbin/nologin' > $(ARGOCD)/etc/passwd
	@chmod -R u=rwX,go=rX $(ARGOCD)
	docker build --platform linux/$(GOARCH) --build-arg VERSION='$(VERSION)' --tag $(IMAGE)-argocd:$(VERSION) \
		--file pipelines/argocd/Dockerfile $(ARGOCD)

.PHONY: clean
clean: ## remove all build results
	rm -rf pillion pillion-audit $(DIST) .cache
