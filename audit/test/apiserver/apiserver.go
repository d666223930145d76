// Package apiserver imitates what the watcher uses of a Kubernetes API server, for tests and measurements: list with
// pages, watch with bookmarks, and the faults of both.
package apiserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Server is an API server that holds objects in memory. It accepts all objects as they are.
type Server struct {
	*httptest.Server
	// StreamsLists is whether a watch can begin with all objects, as newer API servers do.
	StreamsLists bool

	mutex     sync.Mutex
	version   int
	objects   map[string]map[string]stored // by resource, such as apps/v1/deployments, and by namespace/name
	history   []event
	compacted int             // the version up to which history is lost
	changed   chan struct{}   // closed with the next change
	dropped   chan struct{}   // closed when all watches end
	forbidden map[string]bool // such as "list pods"
	isDown    bool
	requests  []string
}

type stored struct {
	namespace, name string
	text            []byte
}

type event struct {
	version  int
	resource string
	kind     string // ADDED, MODIFIED or DELETED
	object   stored
}

// New returns a running server without objects.
func New() *Server {
	s := &Server{
		StreamsLists: true, version: 1, objects: map[string]map[string]stored{}, changed: make(chan struct{}), dropped: make(chan struct{}),
		forbidden: map[string]bool{},
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	return s
}

// Put creates or replaces an object.
func (s *Server) Put(text string) {
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text))
	}
	metadata := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name := metadata["name"].(string)
	resource := resourceOf(object["apiVersion"].(string), object["kind"].(string))

	s.mutex.Lock()
	defer s.mutex.Unlock()
	kind := "MODIFIED"
	if _, exists := s.objects[resource][namespace+"/"+name]; !exists {
		kind = "ADDED"
	}
	metadata["resourceVersion"] = fmt.Sprint(s.version + 1)
	encoded, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	if s.objects[resource] == nil {
		s.objects[resource] = map[string]stored{}
	}
	o := stored{namespace, name, encoded}
	s.objects[resource][namespace+"/"+name] = o
	s.record(kind, resource, o)
}

// Delete removes an object.
func (s *Server) Delete(apiVersion, kind, namespace, name string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	resource := resourceOf(apiVersion, kind)
	o, exists := s.objects[resource][namespace+"/"+name]
	if !exists {
		panic(kind + " " + namespace + "/" + name + " does not exist")
	}
	delete(s.objects[resource], namespace+"/"+name)
	s.record("DELETED", resource, o)
}

func (s *Server) record(kind, resource string, o stored) {
	s.version++
	s.history = append(s.history, event{s.version, resource, kind, o})
	close(s.changed)
	s.changed = make(chan struct{})
}

// Forbid removes the right to do something, such as "list pods" or "watch pods"; Allow gives it back.
func (s *Server) Forbid(rights ...string) { s.setForbidden(true, rights) }

// Allow gives rights back.
func (s *Server) Allow(rights ...string) { s.setForbidden(false, rights) }

func (s *Server) setForbidden(isForbidden bool, rights []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, right := range rights {
		s.forbidden[right] = isForbidden
	}
}

// DropWatches ends all watches, as a proxy or a restart does.
func (s *Server) DropWatches() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	close(s.dropped)
	s.dropped = make(chan struct{})
}

// Compact forgets the history: a watch from an earlier version is answered with 410 Gone.
func (s *Server) Compact() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.history, s.compacted = nil, s.version
}

// SetDown lets all requests fail without an answer, or lets them succeed again.
func (s *Server) SetDown(isDown bool) {
	s.mutex.Lock()
	s.isDown = isDown
	s.mutex.Unlock()
	if isDown {
		s.DropWatches()
	}
}

// Requests returns the requests so far: method, path and query.
func (s *Server) Requests() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.requests)
}

// Kubeconfig returns the text of a file with which clients find the server.
func (s *Server) Kubeconfig() string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c",
		"contexts": [{"name": "c", "context": {"cluster": "c"}}], "clusters": [{"name": "c", "cluster": {"server": %q}}]}`, s.URL)
}

// kinds are the kinds that the server has, with their resources.
var kinds = map[string]string{
	"v1 Pod": "v1/pods", "v1 Namespace": "v1/namespaces", "apps/v1 ReplicaSet": "apps/v1/replicasets",
	"apps/v1 Deployment": "apps/v1/deployments", "apps/v1 StatefulSet": "apps/v1/statefulsets", "apps/v1 DaemonSet": "apps/v1/daemonsets",
	"batch/v1 Job": "batch/v1/jobs", "batch/v1 CronJob": "batch/v1/cronjobs",
}

func resourceOf(apiVersion, kind string) string {
	resource, isKnown := kinds[apiVersion+" "+kind]
	if !isKnown {
		panic(apiVersion + " " + kind + " is not a kind of this server")
	}
	return resource
}

// kindOf returns the API version and the kind of a resource.
func kindOf(resource string) (apiVersion, kind string) {
	for name, r := range kinds {
		if r == resource {
			apiVersion, kind, _ = strings.Cut(name, " ")
		}
	}
	return apiVersion, kind
}

// sorted returns objects in the order of their keys.
func sorted(objects map[string]stored) []stored {
	all := make([]stored, 0, len(objects))
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		all = append(all, objects[key])
	}
	return all
}
