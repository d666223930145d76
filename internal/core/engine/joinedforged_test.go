package engine_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// forgedJoins is a stamp about joined values that somebody wrote by hand and that is not refused as such.
func (s source) forgedJoins() *forgery {
	for {
		forged := &forgery{Added: prints{}, Was: texts{}}
		for range 1 + s.IntN(5) {
			s.forgeJoin(forged)
		}
		if forged.stamp().Validate("") == nil {
			return forged
		}
	}
}

// forgeJoin adds a part of a joined value to a stamp, or something around it.
func (s source) forgeJoin(forged *forgery) {
	list, container := s.of("containers", "containers", "initContainers"), s.of("app", "app", "init", "gone")
	variable := stamp.InSpec(list, container).Child("env").Child(s.of("LOG", "OPTS", "GONE", "A/B"))
	inside, text := variable.Inside(), s.of("a", "b", "text", "x,y", "-a -b", "a--b", ",")
	path, key, p := inside+"/value/"+s.of(",", ",", " ", "~1", "--"), text, printOfText(text)
	p.InFront = s.chance(50)
	switch s.IntN(10) {
	case 0:
		path, key, p = variable.Path, variable.Key, whole
	case 1:
		path, key, p = inside, s.of("value", "valueFrom", "x"), whole
	case 2:
		c := stamp.ContainerOf(variable.Path)
		path, key, p = c.Path, c.Key, whole
	}
	if forged.Added[path] == nil {
		forged.Added[path] = map[string]stamp.Fingerprint{}
	}
	forged.Added[path][key] = p
	switch s.IntN(8) {
	case 0:
		forged.Was[inside] = map[string]string{"value": s.of("evil", "''", "~", "'x' # why", "|-\n  a\n  b", "a,b")}
	case 1:
		forged.Was[variable.Path] = map[string]string{variable.Key: "{name: " + variable.Key + ", value: evil}"}
	}
}

// printOfText is the fingerprint of a text that was joined to a value.
func printOfText(text string) stamp.Fingerprint {
	labels := func(values ...string) *node.Node {
		all := node.Mapping()
		for i, value := range values {
			node.Set(all, string(rune('a'+i)), node.String(value))
		}
		return node.Mapping(node.String("metadata"), node.Mapping(node.String("labels"), all))
	}
	made := version.Difference(labels(""), labels("", text)).Stamp(stamp.Hashes{}, stamp.NewView(labels("")), nil)
	f := made.Changes[stamp.Address{Path: "metadata/labels", Key: "b"}].Fingerprint
	f.IsPart = true
	return f
}

// forgedTarget is a pod that forged stamps are about.
func (s source) forgedTarget() string {
	variable := func(name string) string {
		named := func() string {
			return "- name: " + name + "\n  value: " + s.of("text", "a,b", "a a,b", "'a--b'", "''", "~", "1", "true", "[a]", "{a: b}",
				"|-\n    a,b\n    c", "&v a,b", "-a -b x", "\",\"", "',,a,'", "a/b") + "\n"
		}
		return s.of("", "", named(), named(), "- name: "+name+"\n", named()+named(), "- "+name+"\n", "- null\n",
			"- {name: "+name+", valueFrom: {fieldRef: {fieldPath: metadata.name}}}\n")
	}
	env := variable("LOG") + variable("OPTS") + variable("A/B") + variable("LOG")
	if env == "" {
		env = s.of("", "env: []\n", "env:\n", "env: {LOG: {value: a}}\n", "env: x\n")
	} else {
		env = "env:\n" + env
	}
	return "containers:\n- name: app\n  image: app:1\n" + indent(env, "  ") +
		s.of("", "initContainers:\n- name: init\n  image: i\n  env: [{name: LOG, value: 'a,b'}]\n")
}

// TestForgedJoins runs injectors with stamps about joined values that somebody wrote by hand: none of them stops the
// run, and a second run changes nothing.
func TestForgedJoins(t *testing.T) {
	var refused, rounds int
	for seed := range *seeds * 20 {
		s := newSource(seed)
		stamps := map[string]*forgery{"a": s.forgedJoins()}
		if s.chance(50) {
			stamps["b"] = s.forgedJoins()
		}
		pod := forgedPod(s.forgedTarget(), stamps)
		spec := func() string {
			return "onDrift: " + s.of("Overwrite", "Error") + "\naction: " + s.of("Inject", "Inject", "Remove") +
				"\nappContainers:\n- env: [{name: LOG, value: " + s.of("a", "b", "'x,y'") + ", join: '" + s.of(",", ",", " ", "/") +
				"'}]\n  includeInit: " + s.of("true", "false") + "\n"
		}
		config := s.of(injectorOf("a", spec()), removalOf("a"), listOfInjectors(injectorOf("a", spec()), injectorOf("b", spec())),
			listOfInjectors(removalOf("b"), removalOf("a")))
		after, said, failed := step(t, config, pod)
		rounds++
		if failed {
			refused++
		}
		if failed && after != pod {
			t.Errorf("seed %d is refused, and yet:\n%s", seed, after)
		}
		if again, _, _ := step(t, config, after); again != after {
			t.Errorf("seed %d: a second run changes it:\n%s\n%s\n%s\n%s", seed, config, said, after, again)
		}
	}
	if refused*2 > rounds {
		t.Errorf("%d of %d rounds were refused, so that little was tried", refused, rounds)
	}
}

// TestForgedWholesAroundAJoinedValue has stamps that name as a whole what a part was joined to.
func TestForgedWholesAroundAJoinedValue(t *testing.T) {
	const variable = "spec/containers/app/env/LOG"
	part := map[string]stamp.Fingerprint{"b": printOfText("b")}
	pod := "containers:\n- name: app\n  image: app:1\n  env: [{name: LOG, value: 'a,b'}]\n"
	for claim, test := range map[string]struct {
		a, b prints
		want string // the value when both are removed; empty if the stamps are refused
	}{
		"the value, in one stamp": {prints{variable: {"value": whole}, variable + "/value/,": part}, nil, ""},
		"two separators":          {prints{variable + "/value/ ": part, variable + "/value/,": part}, nil, ""},
		"inside of the value":     {prints{variable + "/value": {"x": whole}}, nil, ""},
		"the value, in another":   {prints{variable + "/value/,": part}, prints{variable: {"value": whole}}, "name: LOG, value: 'a'"},
		"the variable":            {prints{variable + "/value/,": part}, prints{"spec/containers/app/env": {"LOG": whole}}, "image: app:1\n"},
		"the container":           {prints{variable + "/value/,": part}, prints{"spec/containers": {"app": whole}}, "value: 'a,b'"},
	} {
		t.Run(claim, func(t *testing.T) {
			stamps := map[string]*forgery{"a": {Added: test.a}}
			if test.b != nil {
				stamps["b"] = &forgery{Added: test.b}
			}
			after, said, failed := step(t, listOfInjectors(removalOf("a"), removalOf("b")), forgedPod(pod, stamps))
			if failed != (test.want == "") || failed && !strings.Contains(said, "StampBroken") || !strings.Contains(after, test.want) {
				t.Errorf("got\n%s\n%s", said, after)
			}
		})
	}
}
