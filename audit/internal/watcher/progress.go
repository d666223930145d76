package watcher

import (
	"sync"
	"time"
)

// progress is when what was done last.
type progress struct {
	mutex        sync.Mutex
	beaten, sync time.Time
}

func (p *progress) beat(now time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.beaten = now
}

func (p *progress) lastBeat() time.Time {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.beaten
}

// synced never moves the time back.
func (p *progress) synced(at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if at.After(p.sync) {
		p.sync = at
	}
}

func (p *progress) lastSync() time.Time {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.sync
}
