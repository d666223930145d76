package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// request is one for a resource.
type request struct {
	resource, namespace, name string // the name is that of the field selector
	query                     func(string) string
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.String())
	isDown := s.isDown
	s.mutex.Unlock()
	if isDown {
		panic(http.ErrAbortHandler)
	}
	in, isKnown := parse(r)
	verb := "list"
	if in.query("watch") == "true" {
		verb = "watch"
	}
	name := in.resource[strings.LastIndexByte(in.resource, '/')+1:]
	switch {
	case r.Method != http.MethodGet:
		fail(w, http.StatusMethodNotAllowed, "MethodNotAllowed", "only reading is allowed here")
	case !isKnown:
		fail(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	case s.isForbidden(verb + " " + name):
		fail(w, http.StatusForbidden, "Forbidden", fmt.Sprintf("%s is forbidden: User %q cannot %s resource %q", name, "audit", verb, name))
	case verb == "watch":
		s.watch(w, r, in)
	default:
		s.list(w, in)
	}
}

func (s *Server) isForbidden(right string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.forbidden[right]
}

func parse(r *http.Request) (request, bool) {
	in := request{query: r.URL.Query().Get, name: strings.TrimPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name=")}
	steps := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	steps = steps[min(1, len(steps)):] // api or apis
	if i := slices.Index(steps, "namespaces"); i >= 0 && i+2 < len(steps) {
		in.namespace = steps[i+1]
		steps = slices.Delete(steps, i, i+2)
	}
	in.resource = strings.Join(steps, "/")
	_, kind := kindOf(in.resource)
	return in, kind != ""
}

func (in request) matches(o stored) bool {
	return (in.namespace == "" || o.namespace == in.namespace) && (in.name == "" || o.name == in.name)
}

func fail(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status(code, reason, message))
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "code": code, "message": message}
}

// list answers with a page of objects. The token of the next page is its offset. As in API servers with a cache of
// watches, version 0 means everything at once.
func (s *Server) list(w http.ResponseWriter, in request) {
	s.mutex.Lock()
	objects, version := sorted(s.objects[in.resource]), s.version
	s.mutex.Unlock()
	objects = slices.DeleteFunc(objects, func(o stored) bool { return !in.matches(o) })
	limit, _ := strconv.Atoi(in.query("limit"))
	from, _ := strconv.Atoi(in.query("continue"))
	from = min(from, len(objects))
	to := len(objects)
	next := ""
	if limit > 0 && in.query("resourceVersion") != "0" && from+limit < to {
		to = from + limit
		next = strconv.Itoa(to)
	}
	apiVersion, kind := kindOf(in.resource)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"apiVersion":%q,"kind":%q,"metadata":{"resourceVersion":"%d","continue":%q},"items":[`, apiVersion, kind+"List",
		version, next)
	for i, o := range objects[from:to] {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		_, _ = w.Write(o.text)
	}
	fmt.Fprint(w, "]}")
}

// watch sends events from a version on, until the client goes, the time is over or all watches are dropped.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, in request) {
	isList := in.query("sendInitialEvents") == "true"
	if isList && !s.StreamsLists {
		fail(w, http.StatusUnprocessableEntity, "Invalid",
			"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")
		return
	}
	seconds, err := strconv.Atoi(in.query("timeoutSeconds"))
	if err != nil {
		seconds = 300
	}
	end := time.After(time.Duration(seconds) * time.Second)
	w.Header().Set("Content-Type", "application/json")
	out := sender{w: w, resource: in.resource}
	version, _ := strconv.Atoi(in.query("resourceVersion"))
	if isList {
		version = s.sendAll(out, in)
	}
	s.mutex.Lock()
	dropped := s.dropped
	s.mutex.Unlock()
	for {
		changed, isGone := s.sendSince(out, in, &version)
		if isGone {
			return
		}
		select {
		case <-changed:
		case <-dropped:
			return
		case <-r.Context().Done():
			return
		case <-end:
			out.bookmark(version, false)
			return
		}
	}
}

// sendAll sends all objects, and returns their version.
func (s *Server) sendAll(out sender, in request) (version int) {
	s.mutex.Lock()
	version = s.version
	objects := sorted(s.objects[in.resource])
	s.mutex.Unlock()
	for _, o := range objects {
		if in.matches(o) {
			out.object("ADDED", o)
		}
	}
	out.bookmark(version, true)
	return version
}

// sendSince sends the events after a version, which it advances, and returns a channel that is closed with the next
// change. If these events are lost, it sends an error.
func (s *Server) sendSince(out sender, in request, version *int) (changed <-chan struct{}, isGone bool) {
	s.mutex.Lock()
	changed, isGone = s.changed, *version < s.compacted
	later := s.since(*version)
	s.mutex.Unlock()
	if isGone {
		out.send("ERROR", encoded(status(http.StatusGone, "Expired", "too old resource version")))
		return nil, true
	}
	for _, e := range later {
		if e.resource == in.resource && in.matches(e.object) {
			out.object(e.kind, e.object)
		}
		*version = e.version
	}
	out.flush()
	return changed, false
}

// since returns the events after a version.
func (s *Server) since(version int) []event {
	i, _ := slices.BinarySearchFunc(s.history, version+1, func(e event, v int) int { return e.version - v })
	return slices.Clone(s.history[i:])
}

// sender sends events.
type sender struct {
	w        http.ResponseWriter
	resource string
}

func (s sender) object(kind string, o stored) { s.send(kind, o.text) }

func (s sender) send(kind string, object []byte) {
	fmt.Fprintf(s.w, `{"type":%q,"object":%s}`+"\n", kind, object)
}

func (s sender) bookmark(version int, isEndOfList bool) {
	apiVersion, kind := kindOf(s.resource)
	metadata := map[string]any{"resourceVersion": strconv.Itoa(version)}
	if isEndOfList {
		metadata["annotations"] = map[string]string{"k8s.io/initial-events-end": "true"}
	}
	s.send("BOOKMARK", encoded(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}))
}

func (s sender) flush() { s.w.(http.Flusher).Flush() }

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
