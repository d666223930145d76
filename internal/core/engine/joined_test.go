package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/finding"
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
	eachGroup(t, source.joinWorkload, source.joinWish, source.changeJoins)
}

const joinsAgent = "appContainers:\n- env: [{name: OPTS, value: -agent, join: ' '}]\n"

// TestTheAppsPartOfAJoinedValueCanBeEdited edits the app's elements of a joined value by hand: that is not drift, and
// stays.
func TestTheAppsPartOfAJoinedValueCanBeEdited(t *testing.T) {
	app := func(value string) string {
		return deployment("containers:\n- name: app\n  image: app:1\n  env:\n  - name: OPTS # ours\n    value: " + value + " # small\n")
	}
	with := mustRun(t, app("-Xmx1g"), injectorOf("a", joinsAgent))
	for edited, own := range map[string]string{
		"-Xmx2g -agent": "-Xmx2g", "-Xmx1g -X -agent": "-Xmx1g -X", "-agent -Xmx1g": "-Xmx1g", "-Xmx1g -agent -X": "-Xmx1g -X",
	} {
		changed := strings.Replace(with, "-Xmx1g -agent", edited, 1)
		after, said, failed := step(t, injectorOf("a", joinsAgent), changed)
		if failed || strings.Contains(said, "Drifted") || after != changed {
			t.Errorf("%q does not stay:\n%s\n%s", edited, said, after)
		}
		if back := mustRun(t, after, removalOf("a")); back != app(own) {
			t.Errorf("%q: removing gives (-want +got):\n%s", edited, cmp.Diff(app(own), back))
		}
	}
}

// TestAJoinedValueThatWasTakenOutIsDrift removes by hand what an injector joined.
func TestAJoinedValueThatWasTakenOutIsDrift(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n  env: [{name: OPTS, value: -Xmx1g}]\n")
	for policy, want := range map[string]struct {
		value, says string
		fails       bool
	}{
		"Overwrite": {"-Xmx1g -agent", "warning: Drifted", false},
		"Error":     {"-Xmx1g", "error: Drifted", true},
	} {
		config := injectorOf("a", "onDrift: "+policy+"\n"+joinsAgent)
		changed := strings.Replace(mustRun(t, first, config), "-Xmx1g -agent", "-Xmx1g", 1)
		after, said, failed := step(t, config, changed)
		if failed != want.fails || !strings.Contains(said, want.says) || !strings.Contains(after, "value: "+want.value+"}") {
			t.Errorf("%s: %s\n%s", policy, said, after)
		}
		if again, _, _ := step(t, config, after); again != after {
			t.Errorf("%s: a second run changes it:\n%s", policy, cmp.Diff(after, again))
		}
		if back := mustRun(t, after, removalOf("a")); back != first {
			t.Errorf("%s: removing gives (-want +got):\n%s", policy, cmp.Diff(first, back))
		}
	}
}

// TestManyJoinedValuesAreRefused joins as many values to a variable as a stamp can have, and one more.
func TestManyJoinedValuesAreRefused(t *testing.T) {
	joins := func(count int) string {
		spec := "appContainers:\n- env:\n"
		for i := range count {
			spec += fmt.Sprintf("  - {name: OPTS, value: -v%d, join: ' '}\n", i)
		}
		return injectorOf("a", spec)
	}
	app := deployment("containers:\n- name: app\n  image: app:1\n")
	if back := mustRun(t, mustRun(t, app, joins(100)), removalOf("a")); back != app {
		t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(app, back))
	}
	const problem = "would have more than 100 values joined to it"
	if _, said, failed := step(t, joins(101), app); !failed || !strings.Contains(said, problem) {
		t.Errorf("said %s", said)
	}
}

// TestARefusedJoinPointsAtTheVariable has an injector that puts a variable in front of the one that it cannot join a
// value to.
func TestARefusedJoinPointsAtTheVariable(t *testing.T) {
	text := deployment("containers:\n- name: app\n  image: app:1\n  env:\n  - {name: A, value: x}\n  - {name: OPTS, value: 1}\n")
	config := readConfig(t, injectorOf("a", "appContainers:\n- env: [{name: NEW, value: x}, {name: OPTS, value: -agent, join: ' '}]\n"))
	result := apply(config, finding.Source{File: "web.yaml", Text: []byte(text)})
	line := 1 + strings.Count(before(text, "{name: OPTS"), "\n")
	if found := result.Run.Findings(); !result.Run.Failed() || found[0].File.Line != line {
		t.Errorf("line %d is not in %v", line, found)
	}
}

// TestInjectorsDisagreeAboutAJoinedVariable has a second injector that sets the variable, or joins with another
// separator.
func TestInjectorsDisagreeAboutAJoinedVariable(t *testing.T) {
	for _, app := range []string{"", "  env: [{name: OPTS, value: -Xmx1g}]\n"} {
		first := deployment("containers:\n- name: app\n  image: app:1\n" + app)
		for _, other := range []string{
			"onConflict: {env: Replace}\nappContainers:\n- env: [{name: OPTS, value: mine}]\n",
			"appContainers:\n- env: [{name: OPTS, value: mine, join: ','}]\n",
		} {
			for _, order := range [][2]string{{joinsAgent, other}, {other, joinsAgent}} {
				with := mustRun(t, first, injectorOf("a", order[0]))
				after, said, failed := step(t, injectorOf("b", order[1]), with)
				if !failed || !strings.Contains(said, "InjectorConflict") || after != with {
					t.Errorf("%s after %s:\n%s", order[1], order[0], said)
				}
			}
		}
	}
}

// TestHandWorkOnAJoinedVariable changes a variable by hand that an injector has created to join something to it. What a
// person adds makes it the app's.
func TestHandWorkOnAJoinedVariable(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	config := injectorOf("a", joinsAgent)
	with := mustRun(t, first, config)
	for edited, bare := range map[string]string{
		"{name: OPTS, value: -agent, x: y}":      "{name: OPTS, x: y}",
		"{name: OPTS, value: hand -agent, x: y}": "{name: OPTS, value: hand, x: y}",
		"{name: OPTS, x: y}":                     "{name: OPTS, x: y}",
		"{name: OPTS}":                           "",
		"{name: OPTS, value: ''}":                "",
		"{name: OPTS, value: null}":              "",
		"{name: OPTS, value: hand}":              "{name: OPTS, value: hand}",
		"{name: OPTS, value: -agent} # theirs":   "",
		"{name: OPTS, value: '  -agent'}":        "{name: OPTS, value: ' '}",
	} {
		changed := strings.Replace(with, "{name: OPTS, value: -agent}", edited, 1)
		after, said, failed := step(t, config, changed)
		if failed || !strings.Contains(after, "-agent") {
			t.Errorf("%s: the value does not come back:\n%s\n%s", edited, said, after)
		}
		if again, said, _ := step(t, config, after); again != after {
			t.Errorf("%s: a second run changes it:\n%s\n%s", edited, said, cmp.Diff(after, again))
		}
		want := first
		if bare != "" {
			want += "        env:\n        - " + bare + "\n"
		}
		if back := mustRun(t, after, removalOf("a")); back != want {
			t.Errorf("%s: removing gives (-want +got):\n%s", edited, cmp.Diff(want, back))
		}
	}
}

// TestAPersonGivesAJoinedVariableAnotherSource claims that this is not overwritten: nothing can be joined any more.
func TestAPersonGivesAJoinedVariableAnotherSource(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	with := mustRun(t, first, injectorOf("a", joinsAgent))
	const source = "{name: OPTS, valueFrom: {fieldRef: {}}}"
	changed := strings.Replace(with, "{name: OPTS, value: -agent}", source, 1)
	after, said, failed := step(t, injectorOf("a", joinsAgent), changed)
	if !failed || after != changed || !strings.Contains(said, "(valueFrom)") {
		t.Errorf("it is not refused:\n%s", said)
	}
	if back := mustRun(t, changed, removalOf("a")); back != first+"        env:\n        - "+source+"\n" {
		t.Errorf("removing gives\n%s", back)
	}
}

// TestASeparatorIsNoText adds a separator by hand to a value that is all an injector's.
func TestASeparatorIsNoText(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	with := mustRun(t, first, injectorOf("a", joinsAgent))
	for _, edited := range []string{"' -agent'", "'-agent '"} {
		changed := strings.Replace(with, "value: -agent", "value: "+edited, 1)
		if back := mustRun(t, changed, removalOf("a")); back != first {
			t.Errorf("%s: removing gives (-want +got):\n%s", edited, cmp.Diff(first, back))
		}
		if back := mustRun(t, changed, injectorOf("a", joinsAgent), removalOf("a")); back != first {
			t.Errorf("%s: removing after a run gives (-want +got):\n%s", edited, cmp.Diff(first, back))
		}
	}
}

// TestAHandEditBetweenSettingAndJoining changes a variable by hand before the config joins what it used to set, or the
// other way round.
func TestAHandEditBetweenSettingAndJoining(t *testing.T) {
	sets := "onConflict: {env: Error}\nappContainers:\n- env: [{name: OPTS, value: -agent}]\n"
	const andMore, without, empty = "{name: OPTS, value: -agent, x: y}", "{name: OPTS, x: y}", "{name: OPTS, value: ''}"
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	for order, edits := range map[[2]string][]string{
		{sets, joinsAgent}: {andMore, without, empty},
		{joinsAgent, sets}: {empty},
	} {
		for _, edited := range edits {
			with := mustRun(t, first, injectorOf("a", order[0]))
			config := injectorOf("a", order[1])
			after, said, failed := step(t, config, strings.Replace(with, "{name: OPTS, value: -agent}", edited, 1))
			if failed || !strings.Contains(said, "warning: Drifted") {
				t.Errorf("%s is not reported:\n%s\n%s", edited, said, after)
			}
			if again, said, _ := step(t, config, after); again != after {
				t.Errorf("%s: a second run changes it:\n%s\n%s", edited, said, cmp.Diff(after, again))
			}
			if back := mustRun(t, after, removalOf("a")); back != first {
				t.Errorf("%s: removing gives (-want +got):\n%s", edited, cmp.Diff(first, back))
			}
		}
	}
}

// TestAnEditedVariableIsSetNoMore claims that a variable with more than an injector joined to it is the app's.
func TestAnEditedVariableIsSetNoMore(t *testing.T) {
	with := mustRun(t, deployment("containers:\n- name: app\n  image: app:1\n"), injectorOf("a", joinsAgent))
	changed := strings.Replace(with, "value: -agent}", "value: -agent, x: y}", 1)
	sets := injectorOf("a", "onConflict: {env: Error}\nappContainers:\n- env: [{name: OPTS, value: -agent}]\n")
	after, said, failed := step(t, sets, changed)
	if !failed || after != changed || !strings.Contains(said, "EnvConflict") {
		t.Errorf("it is not refused:\n%s", said)
	}
}

// TestJoiningGrowsWithTheContainers joins values in many containers, that others have joined values to. What counts is
// how often memory is asked for: four times the input, four times as often.
func TestJoiningGrowsWithTheContainers(t *testing.T) {
	work := func(count int) float64 {
		var containers strings.Builder
		for i := range count {
			fmt.Fprintf(&containers, "- {name: c%d, image: a, env: [{name: OPTS, value: -Xmx1g}]}\n", i)
		}
		with := mustRun(t, deployment("containers:\n"+containers.String()), injectorOf("a", joinsAgent))
		config := injectorOf("b", strings.Replace(joinsAgent, "-agent", "-other", 1))
		return testing.AllocsPerRun(1, func() { mustRun(t, with, config) })
	}
	if few, many := work(100), work(400); many > 6*few {
		t.Errorf("four times the containers take %.0f allocations instead of %.0f", many, few)
	}
}

// TestNothingIsJoinedThroughAnAlias claims that a value that is written elsewhere is refused with the remedy.
func TestNothingIsJoinedThroughAnAlias(t *testing.T) {
	for name, app := range map[string]string{
		"the list is an alias":        "  env: &v [{name: OPTS, value: -Xmx1g}]\n- name: app\n  env: *v\n",
		"the list is in a merge key":  "  <<: &v {env: [{name: OPTS, value: -Xmx1g}]}\n- name: app\n  <<: *v\n",
		"the variable is an alias":    "  env: [&v {name: OPTS, value: -Xmx1g}]\n- name: app\n  env: [*v]\n",
		"the value is an alias":       "  env: [{name: OPTS, value: &v -Xmx1g}]\n- name: app\n  env: [{name: OPTS, value: *v}]\n",
		"the value is in a merge key": "  env: [&v {name: ONE, value: -Xmx1g}]\n- name: app\n  env: [{<<: *v, name: OPTS}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, said, failed := step(t, joinsToApp, aliased(app))
			if !failed || !strings.Contains(said, "write out the env list of the container") {
				t.Errorf("it is not refused:\n%s", said)
			}
		})
	}
}

// TestValuesAreJoinedBesideAnAlias claims that aliases of something else do not matter.
func TestValuesAreJoinedBesideAnAlias(t *testing.T) {
	for name, app := range map[string]string{
		"the name is in a merge key":   "  env: [&v {name: OPTS}]\n- name: app\n  env: [{<<: *v, value: -Xmx1g}]\n",
		"another variable is an alias": "  env: [&v {name: ONE, value: x}]\n- name: app\n  env: [*v, {name: OPTS, value: -Xmx1g}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			with := mustRun(t, aliased(app), joinsToApp)
			if again := mustRun(t, with, joinsToApp); again != with || !strings.Contains(with, "-Xmx1g -agent") {
				t.Errorf("a second run gives (-want +got):\n%s", cmp.Diff(with, again))
			}
			if back := mustRun(t, with, removalOf("a")); back != aliased(app) {
				t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(aliased(app), back))
			}
		})
	}
}

var joinsToApp = injectorOf("a", strings.Replace(joinsAgent, "- env", "- containers: [app]\n  env", 1))

// aliased is a workload with a container that has an anchor, and the app's with its alias.
func aliased(containers string) string {
	return deployment("containers:\n- name: other\n  image: other:1\n" + containers + "  image: app:1\n")
}

// TestWhatStaysOfAJoinedValueIsAString claims that a value that loses a part is in quotes if kubectl would take the
// rest for something else, so that the next run and the removal find it.
func TestWhatStaysOfAJoinedValueIsAString(t *testing.T) {
	for _, rest := range []string{
		"y", "no", "true", "5", "0x1F", "1e3", "2001-01-01", "~", "null", "---", "- x", "{x", "#x", "*x", "<<", "=", ".",
	} {
		t.Run(rest, func(t *testing.T) {
			first := deployment("containers:\n- name: app\n  image: app:1\n")
			joins := "appContainers:\n- env:\n  - name: OPTS\n    value: '%s'\n    join: ' '\n"
			a, b := injectorOf("a", strings.Replace(fmt.Sprintf(joins, "z"), "'z'", "z", 1)), injectorOf("b", fmt.Sprintf(joins, rest))
			with := mustRun(t, first, a, b, removalOf("a"))
			if again := mustRun(t, with, b); again != with {
				t.Errorf("a second run changes (-want +got):\n%s", cmp.Diff(with, again))
			}
			if back := mustRun(t, with, removalOf("b")); back != first {
				t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(first, back))
			}
		})
	}
}

// TestAPartThatTwoJoinIsInBothStamps claims that an injector of a list that joins only what another joins as well is
// one of its owners.
func TestAPartThatTwoJoinIsInBothStamps(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n  env: [{name: OPTS, value: x}]\n")
	with := mustRun(t, first, injectorOf("a", joinsAgent)+"---\n"+injectorOf("b", joinsAgent))
	if strings.Count(with, `c/app/env(OPTS&" ">-agent)`) != 2 {
		t.Error(with)
	}
	if back := mustRun(t, with, removalOf("a"), removalOf("b")); back != first {
		t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(first, back))
	}
}

// TestDifferentSeparatorsAreNamed claims that both injectors and both separators are in the message, in a list and in
// steps.
func TestDifferentSeparatorsAreNamed(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n  env: [{name: OPTS, value: x}]\n")
	a, b := injectorOf("a", joinsAgent), injectorOf("b", strings.Replace(joinsAgent, "join: ' '", "join: ','", 1))
	const want = `the injectors "a" and "b" join values to env variable "OPTS" of container "app" with different separators, " " and ","`
	if _, said, failed := step(t, b, mustRun(t, first, a)); !failed || !strings.Contains(said, want) {
		t.Errorf("steps: %s", said)
	}
	if _, said, failed := step(t, a+"---\n"+b, first); !failed || !strings.Contains(said, want) {
		t.Errorf("a list: %s", said)
	}
}

// TestJoinedValuesThatWereSwappedAreReported changes the order of what an injector joined by hand.
func TestJoinedValuesThatWereSwappedAreReported(t *testing.T) {
	config := injectorOf("a", "appContainers:\n- env: [{name: OPTS, value: -one, join: ' '}, {name: OPTS, value: -two x, join: ' '}]\n")
	for _, app := range []string{"", "  env: [{name: OPTS, value: -Xmx1g}]\n"} {
		with := mustRun(t, deployment("containers:\n- name: app\n  image: app:1\n"+app), config)
		after, said, failed := step(t, config, strings.Replace(with, "-one -two x", "-two x -one", 1))
		if failed || after != with || !strings.Contains(said, "moves values") {
			t.Errorf("%s\n%s", said, cmp.Diff(with, after))
		}
	}
}

// TestTextBetweenPartsStaysWithTheApp writes something between the parts of two injectors by hand. It stays there while
// both stay, and is the app's when one of them changes or goes.
func TestTextBetweenPartsStaysWithTheApp(t *testing.T) {
	app := func(value string) string {
		return deployment("containers:\n- name: app\n  image: app:1\n  env: [{name: OPTS, value: " + value + "}]\n")
	}
	a := injectorOf("a", strings.Replace(joinsAgent, "-agent", "-one", 1))
	b := injectorOf("b", strings.Replace(joinsAgent, "-agent", "-two", 1))
	changed := strings.Replace(mustRun(t, app("-Xmx1g"), a, b), "-one -two", "-one -hand -two", 1)
	if again := mustRun(t, changed, a, b, a+"---\n"+b); again != changed {
		t.Errorf("runs change it (-want +got):\n%s", cmp.Diff(changed, again))
	}
	updated := mustRun(t, changed, strings.Replace(a, "-one", "-other", 1))
	if !strings.Contains(updated, "value: -Xmx1g -hand -two -other}") {
		t.Errorf("an update gives\n%s", updated)
	}
	for _, order := range [][]string{{removalOf("a"), removalOf("b")}, {removalOf("b"), removalOf("a")}} {
		if back := mustRun(t, changed, order...); back != app("-Xmx1g -hand") {
			t.Errorf("removing gives (-want +got):\n%s", cmp.Diff(app("-Xmx1g -hand"), back))
		}
	}
}

// TestTwoAgentsGoInAnyOrder claims that two agents in one variable come in a list or in steps, and go in either order,
// in one run or in two, with the app's bytes left.
func TestTwoAgentsGoInAnyOrder(t *testing.T) {
	joins := "appContainers:\n- env: [{name: JAVA_TOOL_OPTIONS, value: '-javaagent:/%s.jar', join: ' '}]\n"
	a := injectorOf("a", fmt.Sprintf(joins, "a"))
	b := injectorOf("b", fmt.Sprintf(joins, "b"))
	for _, env := range []string{"", "  env:\n  - name: JAVA_TOOL_OPTIONS # ours\n    value: '-Xmx1g' # small\n"} {
		first := deployment("containers:\n- name: app\n  image: app:1\n" + env)
		with := mustRun(t, first, a+"---\n"+b)
		if steps := mustRun(t, first, a, b); steps != with {
			t.Errorf("steps give (-list +steps):\n%s", cmp.Diff(with, steps))
		}
		for name, removal := range map[string][]string{
			"a first":    {removalOf("a"), removalOf("b")},
			"b first":    {removalOf("b"), removalOf("a")},
			"in one run": {listOfInjectors(removalOf("a"), removalOf("b"))},
		} {
			if back := mustRun(t, with, removal...); back != first {
				t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(first, back))
			}
		}
	}
}

// TestAnothersJoinedVariableIsNotForeign has an injector that takes something from the app, beside a variable that
// another one created to join something to it.
func TestAnothersJoinedVariableIsNotForeign(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	takes := injectorOf("b", "containers:\n- {name: b, image: 'b:1', workingDir: '/${container.name}'}\n")
	_, said, _ := step(t, takes, mustRun(t, first, injectorOf("a", joinsAgent)))
	if strings.Contains(said, "ForeignStamp") {
		t.Error(said)
	}
}
