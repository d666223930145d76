package watcher

import (
	"sync/atomic"
	"time"
)

// moment is a time that one goroutine sets, and others read. It is zero until then.
type moment struct{ time atomic.Pointer[time.Time] }

func (m *moment) set(to time.Time) { m.time.Store(&to) }

func (m *moment) get() time.Time {
	if set := m.time.Load(); set != nil {
		return *set
	}
	return time.Time{}
}
