// Package core takes workloads through an injection: undo what stamps name, find out what the plans want, write it, check
// it, write it down, and say what happened.
package core
