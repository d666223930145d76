package cluster

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// program is one that can be stopped and started again.
type program struct {
	path    string
	args    []string
	env     []string // in addition to that of the tests
	log     record
	running *exec.Cmd
}

// start starts a program that ends with the test, and prints its log if the test has failed.
func (p *program) start(tb testing.TB) {
	tb.Helper()
	p.run(tb)
	tb.Cleanup(func() {
		p.stop()
		if tb.Failed() {
			tb.Logf("%s said:\n%s", filepath.Base(p.path), tail(p.log.text()))
		}
	})
}

// run starts a program again after stop.
func (p *program) run(tb testing.TB) {
	tb.Helper()
	p.running = exec.Command(p.path, p.args...)
	p.running.Env = append(p.running.Environ(), p.env...)
	p.running.Stdout, p.running.Stderr = &p.log, &p.log
	tools.EndWithTests(p.running)
	if err := p.running.Start(); err != nil {
		tb.Fatal(err)
	}
}

// stop kills a program, as a lost machine would.
func (p *program) stop() {
	_ = p.running.Process.Kill()
	_ = p.running.Wait()
}

// record is what a program has written so far.
type record struct {
	mutex   sync.Mutex
	written bytes.Buffer
}

// Write adds to the record.
func (r *record) Write(text []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.written.Write(text)
}

func (r *record) text() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.written.String()
}

func tail(log string) string {
	const most = 4096
	return log[max(0, len(log)-most):]
}
