// Package work is how a run spends time and memory: it is shared among the cores, and it has a limit.
package work
