// Package count counts the steps of an instrumented program: calls, iterations of loops, and the bytes that functions of the
// standard library read. The counts are the same on every machine.
package count

import "sync/atomic"

var steps atomic.Int64

// Steps returns the number of steps so far.
func Steps() int64 { return steps.Load() }

// Step counts a call or an iteration.
func Step() { steps.Add(1) }

type text interface{ ~string | ~[]byte }

// Index calls a function that looks for something from the front, and counts how far it looks.
func Index[T text, S any](find func(T, S) int, in T, what S) int {
	at := find(in, what)
	if at < 0 {
		steps.Add(int64(len(in)))
	} else {
		steps.Add(int64(at) + 1)
	}
	return at
}

// LastIndex calls a function that looks for something from the back.
func LastIndex[T text, S any](find func(T, S) int, in T, what S) int {
	at := find(in, what)
	steps.Add(int64(len(in) - max(at, 0)))
	return at
}

// Cut calls a function that cuts a text at the first of something.
func Cut[T text](cut func(T, T) (T, T, bool), in, at T) (before, after T, found bool) {
	before, after, found = cut(in, at)
	steps.Add(int64(len(before)) + 1)
	return before, after, found
}

// Trim calls a function that takes something off a text.
func Trim[T text, S any](trim func(T, S) T, in T, what S) T {
	left := trim(in, what)
	steps.Add(int64(len(in)-len(left)) + 1)
	return left
}

// Whole calls a function that goes over the whole of its first argument.
func Whole[T text, R any](call func(T) R, in T) R {
	steps.Add(int64(len(in)) + 1)
	return call(in)
}

// WholeOf calls a function that goes over the whole of the first of its two arguments.
func WholeOf[T text, S, R any](call func(T, S) R, in T, what S) R {
	steps.Add(int64(len(in)) + 1)
	return call(in, what)
}

// Search calls a function that looks at the entries of a list until it finds one.
func Search[L ~[]E, E comparable, R any](find func(L, E) R, in L, what E) R {
	for _, entry := range in {
		steps.Add(1)
		if entry == what {
			break
		}
	}
	return find(in, what)
}
