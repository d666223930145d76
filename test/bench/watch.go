package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// watchedMemory is in MB. A container with a limit of 500 MB must not be killed.
var watchedMemory = limits{floor: 500, goal: 400}

// Lines of audit/measure that the table shows.
var (
	firstSync = regexp.MustCompile(`first sync after ([0-9.]+) s, ([0-9]+) MB resident, at most ([0-9]+) MB`)
	afterAll  = regexp.MustCompile(`all lists again after ([0-9.]+) s, ([0-9]+) MB resident, at most ([0-9]+) MB`)
)

// watch measures pillion-audit with an imitation of an API server, which audit/measure runs.
func watch(shop *workshop, settings settings) (table, []goal, error) {
	measure := filepath.Join(shop.dir, "measure")
	build := exec.Command("go", "build", "-o", measure, "./measure")
	build.Dir, build.Env = "audit", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return table{}, nil, fmt.Errorf("%w\n%s", err, out)
	}
	n := settings.plan.watched
	fmt.Fprintf(os.Stderr, "bench: watching %s pods\n", thousands(n))
	run := exec.Command(measure, "-pods", strconv.Itoa(n))
	run.Dir = "audit"
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		return table{}, nil, fmt.Errorf("%w\n%s%s", err, out, stderr.Bytes())
	}
	var t table
	t.add(fmt.Sprintf("pillion-audit, %s pods", thousands(n)), "time", "memory", "peak memory")
	peak := 0.0
	for _, row := range []struct {
		name string
		line *regexp.Regexp
	}{{"first sync", firstSync}, {"all lists again, after lost watches", afterAll}} {
		found := row.line.FindSubmatch(out)
		if found == nil {
			return table{}, nil, fmt.Errorf("audit/measure has not measured the %s:\n%s", row.name, out)
		}
		t.add(row.name, string(found[1])+" s", string(found[2])+" MB", string(found[3])+" MB")
		if peak, err = strconv.ParseFloat(string(found[3]), 64); err != nil {
			return table{}, nil, err
		}
	}
	return t, []goal{{
		name: "peak memory of pillion-audit, in MB", at: thousands(n) + " pods", limits: watchedMemory, bound: atMost, measured: peak,
	}}, nil
}
