# On a fresh machine with Go, `make demo` and `make test` need nothing else.

# The names of tags are used in shell commands below: pushing a tag must not run commands here.
PLAIN_TAG := grep -xE 'v[0-9A-Za-z.+_-]+'
VERSION ?= $(shell git describe --tags --dirty 2>/dev/null | $(PLAIN_TAG) || echo v0.1.0-dev)
GOARCH  ?= $(shell go env GOARCH)
IMAGE   ?= pillion

GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.14.0
GOTESTSUM     := gotest.tools/gotestsum@v1.13.0
ACTIONLINT    := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GORELEASER    := github.com/goreleaser/goreleaser/v2@v2.15.1
HUGO          := github.com/gohugoio/hugo@v0.160.0

# The commit and its time, for `pillion version` and for what is released. The same commit and the same version of Go create the
# same bytes, inside or outside of a git repository.
REVISION          := $(shell git rev-parse HEAD 2>/dev/null)
SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),0)

# Tests, linters and tools are compiled like what is released, so that they share one build cache: dependencies are compiled once.
export CGO_ENABLED := 0
export GOFLAGS     := $(filter-out -trimpath,$(shell go env GOFLAGS)) -trimpath

VERSION_AT := -X pillion.dev/pillion/internal/edge/version
LDFLAGS    := -s -w $(VERSION_AT).version=$(VERSION) $(VERSION_AT).commit=$(REVISION) $(VERSION_AT).epoch=$(SOURCE_DATE_EPOCH)
BUILDFLAGS := -ldflags '$(LDFLAGS)'

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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

# $(call gotest,MODULE,FLAGS) tests a module, and ends with the skipped and the failed tests. go test itself runs all checks of go vet: a
# go vet before it would analyse all dependencies twice. Without symbols for debuggers, linking takes half the time. The timeout ends only
# what hangs, also on a busy machine.
gotest = ( cd $(1) && go run $(GOTESTSUM) --format pkgname --format-hide-empty-pkg -- -vet=all -timeout 3h -ldflags '-s -w' $(2) )

# The same commit gives the same result: fuzz targets run their committed inputs here, and `make fuzz` searches for new ones. The cache of
# go test does not notice that a program was installed, so tests that skip without one are not cached. All parts run, whatever fails.
.PHONY: test
test: ## vet and run all tests; list what was skipped, and why
	@failed=; \
	$(call gotest,.,$$(go list ./... | grep -v pillion/test)) || failed="$$failed packages"; \
	$(call gotest,.,-count=1 ./test/...) || failed="$$failed test"; \
	$(call gotest,audit,./...) || failed="$$failed audit"; \
	$(call gotest,api/v1alpha1/generate,./...) || failed="$$failed api/v1alpha1/generate"; \
	$(call gotest,test/formats,-count=1 ./...) || failed="$$failed test/formats"; \
	if [ -n "$$failed" ]; then echo "make test: these parts have failed:$$failed" >&2; exit 1; fi

# The packages of the module with source files that differ from the last commit. Those that import them are tested by the cases of the engine
# and the scripts of the command line: linking the tests of all of them would take a minute.
CHANGED = $(addprefix ./,$(filter-out test test/% audit audit/% api/v1alpha1/generate,$(sort $(patsubst %/,%,$(dir \
	$(shell git diff --name-only --diff-filter=d --relative HEAD -- '*.go' '*.js' '*.css'; git ls-files --others --exclude-standard '*.go'))))))

.PHONY: quick
quick: ## test what differs from the last commit, with the cases of the engine and the scripts of the command line, in seconds
	@go test -short -vet=off -ldflags '-s -w' $(CHANGED)
	@go test -short -vet=off -ldflags '-s -w' -run 'TestCases|TestScripts' ./internal/core/engine ./internal/edge/command

# The tools are built into .cache: the first run takes half an hour on two cores. test/admission is a module of its own, because
# the API server's code takes minutes to build.
.PHONY: e2e
e2e: ## run the pipelines with the real kustomize, kpt, Docker, Argo CD, Flux, Helm and API server
	go -C test/admission test -vet=all -count=1 -timeout 3h ./...
	@$(call gotest,test/formats,./...)
	@$(call gotest,.,-count=1 ./test ./test/e2e ./test/cluster -e2e)

.PHONY: fuzz
fuzz: ## search each fuzz target for new failing inputs, for FUZZTIME (1m) each, and keep them in testdata/fuzz
	./test/fuzz.sh $(or $(FUZZTIME),1m)

FAULTS ?= ./internal/learn ./internal/learn/credential ./internal/core/stamp ./internal/core/apply ./internal/config/injector \
	./internal/edge/overlay ./internal/export/refusal
.PHONY: faults
faults: ## plant faults in the packages of FAULTS, and check that most of them are noticed by the packages' own tests
	go run ./test/faults $(FAULTS)

.PHONY: race
race: ## run the tests of the function and its packages with the race detector; needs a C compiler
	CGO_ENABLED=1 go -C audit test -race ./...
	CGO_ENABLED=1 go test -race ./api/... ./decision/... ./finding/... ./fn/... ./transformers/... ./internal/...

.PHONY: bench
bench: build ## compare time and memory with kyaml, in minutes; see docs/explanation/performance.md
	@go run ./test/bench -pillion ./pillion $(BENCHFLAGS)

# The program is compressed here, because many static web servers compress nothing. wasm_exec.js belongs to the version of Go.
PLAYGROUND ?= $(DIST)/playground
.PHONY: playground
playground: ## write the page that runs Pillion in a browser to dist/playground, for any static web server
	@rm -rf $(PLAYGROUND) && mkdir -p $(PLAYGROUND)
	$(PLAIN_GO) GOOS=js GOARCH=wasm go build -buildvcs=false $(BUILDFLAGS) -o $(PLAYGROUND)/pillion.wasm ./playground
	@gzip -9n $(PLAYGROUND)/pillion.wasm
	@cp internal/output/page/page.css internal/output/page/parts.js playground/*.html playground/*.css playground/*.js "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(PLAYGROUND)
	@cp "$$(go env GOROOT)/LICENSE" $(PLAYGROUND)/LICENSE-wasm_exec
	@echo 'next: python3 -m http.server --directory $(PLAYGROUND), and open http://localhost:8000'

# Hugo is built into .cache: the first run takes minutes. The variable REPOSITORY below is where files are that the site does not have.
SITE ?= $(DIST)/site
.PHONY: site
site: ## write the docs and the playground as static pages to dist/site, for any static web server
	@GOBIN=$(abspath .cache/hugo/bin) GOOS= GOARCH= go install -ldflags '-s -w' $(HUGO)
	@rm -rf $(SITE)
	HUGO_PARAMS_REPOSITORY='$(REPOSITORY)' .cache/hugo/bin/hugo --source site --destination $(abspath $(SITE)) \
		--cacheDir $(abspath .cache/hugo/cache) --noBuildLock --panicOnWarning --quiet
	@$(MAKE) --no-print-directory playground PLAYGROUND=$(SITE)/playground >/dev/null
	@sed -i.bak 's|"https://pillion.dev/|"../|g' $(SITE)/playground/index.html && rm $(SITE)/playground/index.html.bak
	@echo 'next: python3 -m http.server --directory $(SITE), and open http://localhost:8000'

SITE_TEST := $(abspath .cache/site)
.PHONY: site-test
site-test: ## build the site, follow every link on it and every address that leads to it, and read it with a browser
	@$(MAKE) --no-print-directory site SITE=$(SITE_TEST) REPOSITORY=https://git.example.com/pillion
	@rm -rf $(SITE_TEST)-pictures && mkdir -p $(SITE_TEST)-pictures
	@$(call gotest,.,-count=1 ./test/e2e -e2e -site=$(SITE_TEST) -run TestSite)
	@$(call gotest,test/formats,-count=1 ./... -site=$(SITE_TEST) -screenshots=$(SITE_TEST)-pictures -run TestSite)

.PHONY: lint
lint: ## run golangci-lint, and actionlint on the workflows, the versions pinned here
	go run $(GOLANGCI_LINT) run ./...
	cd audit && go run $(GOLANGCI_LINT) run ./...
	cd api/v1alpha1/generate && go run $(GOLANGCI_LINT) run ./...
	cd test/admission && go run $(GOLANGCI_LINT) run ./...
	cd test/formats && go run $(GOLANGCI_LINT) run ./...
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
	go run ./internal/edge/command/docs -markdown docs/reference/cli.md -man dist/man -completions dist/completions
	go run ./internal/config/preset/docs
	go test ./finding -run TestPage -update
	go test ./internal/pods/pod -run TestKindsPage -update

DIST     ?= dist
# Without settings of this machine that would change the bytes of a binary, as in .goreleaser.yaml.
PLAIN_GO := CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 GOFLAGS=-trimpath GOEXPERIMENT= GOFIPS140=off GOWORK=off

# $(call files,PROGRAM,MODULE) writes the files in the image of a platform: the binary, and an /etc/passwd with nobody.
define files
	@rm -rf $@ && mkdir -p $@/etc
	$(PLAIN_GO) GOOS=linux GOARCH=$* \
		go build -C $(2) -buildvcs=false $(BUILDFLAGS) -o $(abspath $@)/$(1) .
	@echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' > $@/etc/passwd
	@chmod -R u=rwX,go=rX $@ # the user nobody has to run it, whatever the umask is here
endef
$(DIST)/pillion/linux-%: FORCE
	$(call files,pillion,.)
$(DIST)/pillion-audit/linux-%: FORCE
	$(call files,pillion-audit,audit)
# The files in the image for Argo CD: this program, Helm for the plugin, and the config of Argo CD's plugin server.
$(DIST)/pillion-argocd/linux-%: FORCE
	@rm -rf $@ && mkdir -p $@/etc $@/usr/local/bin $@/home/argocd/cmp-server/config
	$(PLAIN_GO) GOOS=linux GOARCH=$* \
		go build -buildvcs=false $(BUILDFLAGS) -o $(abspath $@)/usr/local/bin/ ./pipelines/argocd/pillion-argocd
	$(PLAIN_GO) GOOS=linux GOARCH=$* \
		go build -C pipelines/argocd/helm -buildvcs=false -ldflags '-s -w' -o $(abspath $@)/usr/local/bin/ helm.sh/helm/v3/cmd/helm
	@cp pipelines/argocd/plugin.yaml $@/home/argocd/cmp-server/config/
	@echo 'argocd:x:999:999:argocd:/tmp:/sbin/nologin' > $@/etc/passwd
	@chmod -R u=rwX,go=rX $@
FORCE:

# $(call docker,PROGRAM,IMAGE); the classic builder does not know TARGETARCH.
docker = docker build --platform linux/$(GOARCH) --build-arg TARGETARCH=$(GOARCH) --build-arg VERSION='$(VERSION)' \
	--target $(1) --tag $(2):$(VERSION) --file Dockerfile $(DIST)/$(1)

.PHONY: image
image: $(DIST)/pillion/linux-$(GOARCH) ## build the container image pillion:VERSION for GOARCH, with a plain docker build
	$(call docker,pillion,$(IMAGE))

.PHONY: image-audit
image-audit: $(DIST)/pillion-audit/linux-$(GOARCH) ## build the image of the watcher, pillion-audit:VERSION for GOARCH
	$(call docker,pillion-audit,$(IMAGE)-audit)

.PHONY: image-argocd
image-argocd: $(DIST)/pillion-argocd/linux-$(GOARCH) ## build the image for Argo CD, pillion-argocd:VERSION for GOARCH, with Helm for the plugin
	$(call docker,pillion-argocd,$(IMAGE)-argocd)

# The tools are built into .cache: the first run takes minutes. GoReleaser needs a repository with a remote, and nothing comes from it;
# the cask and the manifest for krew find the archives at that address.
export REPOSITORY ?= https://pillion.dev/pillion
.PHONY: release
release: ## write the files of a release to dist/release, for all platforms: archives, deb, rpm, playground, SBOMs, checksums, cask; publish nothing
	@GOBIN=$(abspath .cache/release/bin) GOOS= GOARCH= go install -ldflags '-s -w' $(GORELEASER)
	@GOOS= GOARCH= go build -C release -ldflags '-s -w' -o $(abspath .cache/release/bin)/ github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) GOOS= GOARCH= go run ./internal/edge/command/docs \
		-man .cache/release/man -completions .cache/release/completions
	@$(MAKE) --no-print-directory playground PLAYGROUND=.cache/release/playground
	@rm -rf .cache/release/man1 && cp -r .cache/release/man .cache/release/man1 && gzip -9n .cache/release/man1/*
	PATH=$(abspath .cache/release/bin):$$PATH GORELEASER_CURRENT_TAG='$(VERSION)' \
		GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0="$$REPOSITORY" \
		goreleaser release --snapshot --clean --skip=publish --parallelism=2
	@sed -i.bak '/^  name: pillion$$/r release/krew-annotations.yaml' dist/release/krew/pillion.yaml && rm dist/release/krew/pillion.yaml.bak

.PHONY: clean
clean: ## remove all build results
	rm -rf pillion pillion-audit $(DIST) .cache
