// Package core takes workloads through an injection: undo what stamps tell, apply the plans, check, record, and say
// what happened.
package core
