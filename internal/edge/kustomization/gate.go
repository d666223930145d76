package kustomization

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
)

// outside is what kustomize must not reach: other machines and programs.
var outside gate

// Offline calls a function during which no build reaches anything outside, and says nothing to standard error: kustomize
// warns there about deprecated fields, each time that it reads them. To close everything once for many builds is cheaper.
func Offline(do func()) {
	defer outside.close()()
	do()
}

// gate closes HTTP and programs in the whole program while it is closed by anyone. So builds can run at the same time,
// and everything is as before when the last one ends.
type gate struct {
	mutex     sync.Mutex
	closed    int // how often
	transport http.RoundTripper
	path      string
	hasPath   bool
	stderr    *os.File
	log       io.Writer
}

// close closes the gate until reopen is called. kustomize may take any path in a kustomization for a URL, and runs git
// for remote repositories. Which paths it takes for repositories changes between versions, so nothing here tries to
// recognise them: there is no transport, and no PATH.
func (g *gate) close() (reopen func()) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.closed++
	if g.closed == 1 {
		g.transport = http.DefaultTransport
		http.DefaultTransport = noNetwork{}
		g.path, g.hasPath = os.LookupEnv("PATH")
		_ = os.Unsetenv("PATH") // it fails only for an invalid name
		g.stderr = os.Stderr
		g.log = log.Writer()
		os.Stderr = nil // writing to it does nothing
		log.SetOutput(io.Discard)
	}
	return g.reopen
}

func (g *gate) reopen() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.closed--
	if g.closed > 0 {
		return
	}
	http.DefaultTransport = g.transport
	if g.hasPath {
		_ = os.Setenv("PATH", g.path)
	}
	os.Stderr = g.stderr
	log.SetOutput(g.log)
}

type noNetwork struct{}

func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is on another machine, and Pillion fetches nothing; copy it into the tree", request.URL)
}
