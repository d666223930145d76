//go:build !nokustomize

package kustomization

import (
	"fmt"
	"net/http"
	"os"
	"sync"
)

// outside is what kustomize must not reach: other machines and programs.
var outside gate

// gate closes HTTP and programs in the whole program while it is closed by anyone. So builds can run at the same time,
// and everything is as before when the last one ends.
type gate struct {
	mutex     sync.Mutex
	closed    int // how often
	transport http.RoundTripper
	path      string
	hasPath   bool
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
}

type noNetwork struct{}

func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is on another machine, and Pillion fetches nothing; copy it into the tree", request.URL)
}
