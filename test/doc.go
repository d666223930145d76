// Package test holds the tests that need real tools: the built binary, kustomize, kpt and a Docker engine. A test whose
// tool is absent skips and names it; `make test` prints what was skipped at its end.
package test
