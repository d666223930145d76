package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// joinedWith has the separators of the variables that generated injectors join values to.
var joinedWith = map[string]string{"JOIN_OPTS": " ", "JOIN_PATH": ":", "JOIN_ATTRS": ", "}

func sortedElements(value any, separator string) any {
	text, _ := value.(string)
	elements := strings.Split(text, separator)
	slices.Sort(elements)
	return strings.Join(elements, separator)
}

// joinWorkload is a generated workload with variables that values are joined to.
func (s source) joinWorkload() string {
	var b strings.Builder
	b.WriteString("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector: {matchLabels: {app: web}}\n" +
		"  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n")
	for _, name := range []string{"app", "helper"}[:1+s.IntN(2)] {
		fmt.Fprintf(&b, "      - name: %s\n        image: app:1\n", name)
		variables := []string{
			s.of("", "- {name: LEVEL, value: debug}\n", "- name: LEVEL # loud\n  value: debug\n"),
			s.joinVariable("JOIN_OPTS"), s.joinVariable("JOIN_PATH"), s.joinVariable("JOIN_ATTRS"),
		}
		s.Shuffle(len(variables), func(i, j int) { variables[i], variables[j] = variables[j], variables[i] })
		if env := strings.Join(variables, ""); env != "" {
			b.WriteString("        env:\n" + indent(env, s.of("        ", "          ")))
		} else {
			b.WriteString(s.of("", "        env: []\n", "        env:\n", "        env: [] # none\n"))
		}
	}
	return b.String()
}

// joinVariable is a variable of the app in some layout, or nothing.
func (s source) joinVariable(name string) string {
	separator := joinedWith[name]
	elements := make([]string, 1+s.IntN(3))
	for i := range elements {
		elements[i] = s.of("x", "y", "z", "-Xmx512m", "--require", "/p", "a=b")
	}
	value := strings.Join(elements, separator) + s.of("", "", "", separator)
	return s.of("", "",
		fmt.Sprintf("- name: %s # first\n  value: %q # second\n", name, value),
		fmt.Sprintf("- {name: %s, value: '%s'}\n", name, value),
		fmt.Sprintf("- value: '%s'\n  name: %s\n", value, name),
		fmt.Sprintf("- name: %s\n  value: >-\n    %s\n", name, value),
		fmt.Sprintf("- name: %s\n  value: |\n    %s\n", name, value),
		fmt.Sprintf("- name: %s\n  # why\n  value: |- # how\n    %s\n    second\n", name, value),
		fmt.Sprintf("- name: %s\n  value:\n    %s\n", name, strings.TrimRight(value, ": ,")),
		fmt.Sprintf("- name: %s\n  value: \"\"\n", name),
		fmt.Sprintf("- name: %s\n  value:\n", name),
		fmt.Sprintf("- name: %s # alone\n", name),
	)
}

// joinWish is an injector that joins values.
func (s source) joinWish(name string) wish {
	w := wish{name: name, patchPolicy: "Retain", container: "Error", volume: "Error", variable: "Keep"}
	for range 1 + s.IntN(4) {
		s.changeJoins(&w)
	}
	if len(w.joins) == 0 {
		w.sidecars = append(w.sidecars, s.sidecar(name+"-proxy"))
	}
	return w
}

// changeJoins changes one thing that an injector joins.
func (s source) changeJoins(w *wish) {
	variable := s.of("JOIN_OPTS", "JOIN_OPTS", "JOIN_PATH", "JOIN_ATTRS")
	separator := joinedWith[variable]
	text := s.of("x", "x"+separator+"y", "--require"+separator+"/p", "/agent", w.name, w.name+separator+"x", "a=b", "x"+separator+w.name)
	entry := fmt.Sprintf("{name: %s, value: %q, join: %q%s}", variable, text, separator, s.of("", ", joinOrder: Before", ", joinOrder: After"))
	at := slices.IndexFunc(w.joins, func(join string) bool { return strings.Contains(join, fmt.Sprintf("value: %q", text)) })
	w.joins = slices.Clone(w.joins)
	switch {
	case at >= 0:
		w.joins = slices.Delete(w.joins, at, at+1)
	case len(w.joins) > 0 && s.chance(30):
		w.joins[s.IntN(len(w.joins))] = entry
	default:
		w.joins = append(w.joins, entry)
	}
	if s.chance(20) {
		w.envPosition = s.of("Prepend", "Append")
	}
	if len(w.joins) == 0 && len(w.sidecars) == 0 {
		w.sidecars = append(w.sidecars, s.sidecar(w.name+"-proxy"))
	}
}

// TestLastConfigDecidesWhatIsJoined claims the same as TestLastConfigDecides for joined values.
func TestLastConfigDecidesWhatIsJoined(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		first := s.joinWorkload()
		items := first
		w := s.joinWish("a")
		for range 4 {
			items = h.next(func(action string) string { return single(w, action) }, first, items)
			if h.failed {
				return
			}
			s.changeJoins(&w)
		}
	})
}

// TestInjectorsJoinValuesTogether claims the same as TestInjectorsGoTogether for joined values.
func TestInjectorsJoinValuesTogether(t *testing.T) {
	var rounds, refused atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		eachSeed(t, func(h *history, s source) {
			var wishes []wish
			first := s.joinWorkload()
			for _, name := range []string{"a", "b", "c"}[:2+s.IntN(2)] {
				wishes = append(wishes, s.joinWish(name))
			}
			tried, fits := h.goTogether(s, first, wishes, s.changeJoins)
			rounds.Add(tried)
			if !fits {
				refused.Add(1)
			}
		})
	})
	if refused.Load()*4 > rounds.Load() {
		t.Errorf("%d of %d rounds were refused, so that little was tried", refused.Load(), rounds.Load())
	}
}
