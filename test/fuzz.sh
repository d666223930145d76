#!/bin/sh
# Fuzz every target of the module for the given time each: `go test -fuzz` takes only one at a time.
set -eu
cd "$(dirname "$0")/.."
duration=${1:-3s}

go list -f '{{$dir := .Dir}}{{$path := .ImportPath}}{{range .TestGoFiles}}{{$path}} {{$dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$path}} {{$dir}}/{{.}}
{{end}}' ./... | while read -r package file; do
	[ -n "$package" ] || continue
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		echo "fuzz $package $target for $duration"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "$package"
	done
done
