// Package meter bounds the work of a run. All other limits are on single inputs; the work is a product of several of
// them, such as the injectors and the workloads. A meter counts it while it is done, so that a run ends with an error
// instead of a hang or a huge output.
package meter

import "sync/atomic"

// A run may take BaseSteps, and StepsPerByte more for each byte of its config and its manifests. A step is a small
// piece of work.
const (
	BaseSteps    = 200_000_000
	StepsPerByte = 1_000
)

// The steps of what is counted.
const (
	PerDecision    = 50    // of one injector about one pod template
	PerPath        = 20    // after the first, on which pods of a kind may be, for each byte of the workload
	PerValue       = 2     // that the decision compares
	PerLabel       = 200   // or annotation of an object of an unknown kind, for each pod in it
	PerInjection   = 2_000 // of one injector into one pod template, in addition to one for each byte of the workload
	PerEarlier     = 20    // injector of the run that has changed the pod template before
	PerByteRead    = 4     // of a workload that is compared or read again
	PerByteMade    = 10    // of what is added to a workload
	PerByteJoined  = 20    // of a value that another one is joined to
	PerInstruction = 3     // of a regular expression, for each byte of the name that is matched
	PerFinding     = 1_000
	PerContainer   = 30  // or volume that a container is compared with
	PerEntry       = 10  // of a list that a new one is compared with
	PerPort        = 100 // that a port is compared with
	PerQuantity    = 500 // of a container that the resources of another one are computed from
	PerShared      = 200 // mount or variable of the app that may be shared with a sidecar
)

// Meter counts the steps of a run. It may be used by several goroutines. A nil Meter counts nothing.
type Meter struct {
	limit int64
	used  atomic.Int64
}

// New returns the meter of a run, given the size of its config and its manifests.
func New(inputBytes int) *Meter {
	return &Meter{limit: BaseSteps + StepsPerByte*int64(inputBytes)}
}

// Charge counts steps, and reports whether the run may go on. If not, whoever finds that returns what it has: the run
// ends with an error, so that nothing of it is used.
func (m *Meter) Charge(steps int) bool {
	return m == nil || m.used.Add(int64(steps)) <= m.limit
}

// Exceeded reports whether the run has taken more steps than it may.
func (m *Meter) Exceeded() bool { return m.used.Load() > m.limit }

// Limit returns how many steps the run may take.
func (m *Meter) Limit() int64 { return m.limit }

// Used returns how many steps were counted.
func (m *Meter) Used() int64 { return m.used.Load() }
