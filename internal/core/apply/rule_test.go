package apply_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// rule is a rule of this package with an example. A config is the spec of a SidecarInjector without braces, or a whole
// config. A pod is a pod spec without braces, or a whole pod template in braces.
type rule struct {
	claim   string
	app     string
	others  string         // the app with what injectors of another run have put in; empty if there are none
	earlier string         // the config of an injector that runs before
	config  string         // of the injector that is looked at
	given   func(*subject) // what else is known of the pod

	pod   string   // what becomes of the pod; empty if it stays as it is
	wants []string // what the injector wants, as wantsOf has it; nil if the pod says enough
	finds []string // all findings: severity, code and path, and after ": " a part of the message, up to a $ at its end
}

// check runs the example.
func (r rule) check(t *testing.T) {
	t.Helper()
	s := newScene(t, r.app, r.others)
	if r.earlier != "" {
		if _, findings := s.inject(t, r.earlier, nil); finding.HasError(findings) {
			t.Fatalf("the earlier injector fails: %v", findings)
		}
	}
	before := shown(s.version)
	pod, findings := s.inject(t, r.config, r.given)
	if r.wants != nil {
		compare(t, "wants", wantsOf(pod), r.wants)
	}
	if view := stamp.NewView(s.version); !finding.HasError(findings) {
		findings = append(findings, pod.LateWarnings(view, stamp.NewView(pod.Before))...)
		want := r.pod
		if want == "" {
			want = before
		}
		compare(t, "pod", []string{shown(s.version)}, []string{want})
	}
	checkFindings(t, findings, r.finds)
}

// checkPut checks that it makes no difference if there are others, which have put nothing in: then Put writes what the
// plan made of the app.
func (r rule) checkPut(t *testing.T) {
	t.Helper()
	alone := newScene(t, r.app, "")
	beside := newScene(t, r.app, "")
	beside.add(ledger.Ledger{})
	_, findings := alone.inject(t, r.config, r.given)
	_, same := beside.inject(t, r.config, r.given)
	compare(t, "pod beside others that put nothing in", []string{shown(beside.version)}, []string{shown(alone.version)})
	if len(findings) != len(same) {
		t.Errorf("beside others that put nothing in, got %v instead of %v", same, findings)
	}
}

func checkAll(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.claim, func(t *testing.T) {
			r.check(t)
			r.checkPut(t)
		})
	}
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func checkFindings(t *testing.T, findings []finding.Finding, want []string) {
	t.Helper()
	var got []string
	areSame := len(findings) == len(want)
	for i, f := range findings {
		head := fmt.Sprintf("%s %s %s", f.Severity, f.Code, f.Field.Path)
		got = append(got, head+": "+f.Message)
		if i < len(want) {
			wantHead, part, _ := strings.Cut(want[i], ": ")
			end, isEnd := strings.CutSuffix(part, "$")
			areSame = areSame && head == wantHead && strings.Contains(f.Message, end)
			areSame = areSame && (!isEnd || strings.HasSuffix(f.Message, end))
		}
	}
	if !areSame {
		compare(t, "findings", got, want)
	}
}

// wantsOf returns what an injector wants, a line for each address: what is put in, what it joins something to, and what the
// app has already.
func wantsOf(pod *subject) (all []string) {
	verbs := map[ledger.Verb]string{
		ledger.Put: "puts", ledger.Join: "joins to", ledger.Find: "finds", ledger.FindIn: "finds, with more,",
	}
	for _, entry := range pod.Entries {
		verb := verbs[entry.Verb]
		all = append(all, fmt.Sprintf("%s %s %s", verb, entry.Path, entry.Key))
	}
	return all
}

// scene is a pod into which injectors put something, one after the other.
type scene struct {
	app, version *node.Node
	owners       ledger.Owners
	names        map[string]bool // of the containers of injectors
	run          inRun
	after        []apply.Transformer
}

func newScene(t *testing.T, app, others string) *scene {
	t.Helper()
	s := &scene{app: template(t, app), version: template(t, app), names: map[string]bool{}}
	if others != "" {
		s.version = template(t, others)
		wanted := version.Difference(node.Fresh(s.app), node.Fresh(s.version))
		s.run.others = s.add(ledger.Ledger{Entries: wanted})
	}
	s.run.file = s.version
	return s
}

// add adds an injector to those that have put something in.
func (s *scene) add(one ledger.Ledger) []stamp.Owner {
	one.Injector = "others"
	one.Stamp = one.Entries.Stamp(stamp.Hashes{}, stamp.NewView(s.app), nil)
	s.owners.Add(one)
	for _, at := range one.Stamp.Addresses() {
		if stamp.IsContainers(at.Path) {
			s.names[at.Key] = true
		}
	}
	return []stamp.Owner{{Stamp: one.Stamp}}
}

func (s *scene) IsNamed(container string) bool { return s.names[container] }

// inject runs the plan of an injector, and puts what it wants into the version.
func (s *scene) inject(t *testing.T, config string, given func(*subject)) (*subject, []finding.Finding) {
	t.Helper()
	in := inject(t, config)
	template := pods.Template{Node: s.version}.Copy()
	pod := alone(s.app)
	pod.Before = s.version
	pod.Owners = &s.owners
	pod.Names = s
	pod.Earlier = s.run.placed
	pod.SelectorLabels = []string{"app"}
	if given != nil {
		given(pod)
	}
	values, findings := in.ValuesFor(injector.Subject{Object: &finding.Object{}, Template: template})
	findings = append(findings, pod.want(in.Plan().With(values), nil, s.after)...)
	if finding.HasError(findings) {
		return pod, findings
	}
	next, more := s.run.write(pod)
	findings = append(findings, more...)
	s.version = next
	s.add(ledger.Ledger{IsOfRun: true, Entries: pod.Entries})
	return pod, findings
}

// inject reads the config of one injector.
func inject(t *testing.T, config string) *injector.Injector {
	t.Helper()
	if !strings.HasPrefix(config, "{") {
		config = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: x}, " +
			"spec: {" + config + "}}"
	}
	in, problems := injector.Read(document(t, config))
	if finding.HasError(problems) {
		t.Fatalf("%s: %v", config, problems)
	}
	return in[0]
}

// template reads a pod template, or one of only a pod spec.
func template(t *testing.T, text string) *node.Node {
	t.Helper()
	if !strings.HasPrefix(text, "{") {
		text = "{spec: {" + text + "}}"
	}
	return document(t, text)
}

// shown returns a pod template as rules have it.
func shown(template *node.Node) string {
	if node.Get(template, "metadata") != nil {
		return flow(template)
	}
	text := flow(node.Get(template, "spec"))
	return text[1 : len(text)-1]
}
