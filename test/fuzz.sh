#!/bin/sh
# Fuzz every target of the module for the given time each: `go test -fuzz` takes only one at a time.
set -eu
cd "$(dirname "$0")/.."
duration=${1:-3s}

# go test sometimes reports its own end of time as a failure, on a busy machine; a failure that
# a target found comes with the input that made it fail.
fuzz() {
	log=$(mktemp)
	if go test -run '^$' -fuzz "^$2\$" -fuzztime "$duration" -fuzzminimizetime 10x "$1" >"$log" 2>&1; then
		tail -n 1 "$log"
	elif grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
		echo "ok  	$1	(time was up)"
	else
		cat "$log"
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}

go list -f '{{$dir := .Dir}}{{$path := .ImportPath}}{{range .TestGoFiles}}{{$path}} {{$dir}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$path}} {{$dir}}/{{.}}
{{end}}' ./... | while read -r package file; do
	[ -n "$package" ] || continue
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		echo "fuzz $package $target for $duration"
		fuzz "$package" "$target"
	done
done
