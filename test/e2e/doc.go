// Package e2e tests the pipelines with the real tools: it runs what is in pipelines/ and every command in
// docs/get-started. `make e2e` runs the tests; without its flag -e2e they do not run, because the tools take minutes to
// build. See test/tools for where the programs come from.
package e2e
