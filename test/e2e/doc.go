// Package e2e holds the tests of the pipelines, each with the tool's own program: what is in pipelines/ and every command
// in docs/pipelines is run here. `make e2e` runs them; without its flag -e2e they are not run at all, since the tools take
// minutes to build. See test/tools for where the programs come from.
package e2e
