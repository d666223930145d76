#!/bin/sh
# Searches every fuzz target of the module for new failing inputs, for the given time each: `go test -fuzz` takes only one target at a
# time. Go writes a failing input to the testdata/fuzz directory of the package, where `go test` runs it from then on: commit it with
# the fix. All targets are searched, also after one has failed.
set -eu
cd "$(dirname "$0")/.."
duration=${1:-1m}
log=$(mktemp)
failed=$(mktemp)
trap 'rm -f "$log" "$failed"' EXIT

# On a busy machine, go test sometimes reports the end of its own time as a failure. A failure that a target found comes with its input.
fuzz() {
	if go test -run '^$' -fuzz "^$2\$" -fuzztime "$duration" -fuzzminimizetime 10x "$1" >"$log" 2>&1; then
		tail -n 1 "$log"
	elif grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"; then
		echo "ok  	$1	(time was up)"
	else
		cat "$log"
		echo "$1 $2" >>"$failed"
	fi
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

if [ -s "$failed" ]; then
	echo "failing inputs were found for:"
	cat "$failed"
	exit 1
fi
