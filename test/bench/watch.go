package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// watchedMemory is in MB. A container with a limit of 500 MB must not be killed.
var watchedMemory = limits{floor: 500, goal: 400}

// watched finds the lines of audit/test/measure that the table shows: the first sync, and all lists again, after lost
// watches.
var watched = regexp.MustCompile(`(first sync|all lists again) after ([0-9.]+) s, ([0-9]+) MB resident, at most ([0-9]+) MB`)

// watch measures pillion-audit with an imitation of an API server, which audit/test/measure runs.
func watch(shop *workshop) (t table, goals []goal, err error) {
	measure := filepath.Join(shop.dir, "measure")
	build := exec.Command("go", "build", "-o", measure, "./test/measure")
	build.Dir, build.Env = "audit", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return t, nil, fmt.Errorf("%w\n%s", err, out)
	}
	at := thousands(shop.plan.watched) + " pods"
	fmt.Fprintln(os.Stderr, "bench: watching", at)
	run := exec.Command(measure, "-pods", strconv.Itoa(shop.plan.watched))
	run.Dir = "audit"
	out, err := run.CombinedOutput()
	found := watched.FindAllSubmatch(out, -1)
	if err == nil && len(found) != 2 {
		err = errors.New("it has not measured both")
	}
	if err != nil {
		return t, nil, fmt.Errorf("audit/test/measure: %w\n%s", err, out)
	}
	t.add("pillion-audit, "+at, "time", "memory", "peak memory")
	for _, line := range found {
		t.add(string(line[1]), string(line[2])+" s", string(line[3])+" MB", string(line[4])+" MB")
	}
	peak, err := strconv.ParseFloat(string(found[1][4]), 64)
	return t, []goal{{name: "peak memory of pillion-audit, in MB", at: at, limits: watchedMemory, measured: peak}}, err
}
