package apply_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestJoinedValues(t *testing.T) {
	web := func(env string) string { return "containers: [{name: web, env: [" + env + "]}]" }
	join := func(value string) string {
		return "appContainers: [{env: [{name: J, join: ' ', value: " + value + "}]}]"
	}
	refused := func(at, why string) []string {
		return []string{"error EnvConflict spec.containers[0].env[" + at + "]: env variable \"J\" of the app's " +
			"container \"web\" " + why}
	}
	long := strings.Repeat("x", 32<<10)
	const joins = "joins to spec/containers/web/env J"
	checkAll(t, []rule{
		{
			claim:  "a value goes behind the app's",
			app:    web("{name: J, value: app}"),
			config: join("mine"),
			pod:    web("{name: J, value: app mine}"),
			wants:  []string{joins},
		},
		{
			claim:  "or in front of it",
			app:    web("{name: J, value: app}"),
			config: "appContainers: [{env: [{name: J, join: ' ', joinOrder: Before, value: mine}]}]",
			pod:    web("{name: J, value: mine app}"),
		},
		{
			claim:  "a variable that is missing is added",
			app:    web("{name: A, value: a}"),
			config: join("mine"),
			pod:    web("{name: J, value: mine}, {name: A, value: a}"),
			wants:  []string{joins},
		},
		{
			claim:  "one without a value has none",
			app:    web("{name: J}"),
			config: join("mine"),
			pod:    web("{name: J, value: mine}"),
		},
		{
			claim:  "a part that the app has is not added",
			app:    web("{name: J, value: app mine}"),
			config: join("mine"),
			wants:  []string{"finds spec/containers/web/env/J/value/  mine"},
		},
		{
			claim: "several entries of the config are all joined, in their order",
			app:   web("{name: J, value: app}"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: one}]}, {env: [{name: J, join: ' ', value: " +
				"two}]}]",
			pod:   web("{name: J, value: app one two}"),
			wants: []string{joins},
		},
		{
			claim: "also if the variable is missing",
			app:   web("{name: A, value: a}"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: one}]}, {env: [{name: J, join: ' ', value: " +
				"two}]}]",
			pod: web("{name: J, value: one two}, {name: A, value: a}"),
		},
		{
			claim:  "an entry that sets the variable and comes first counts alone",
			app:    web("{name: A, value: a}"),
			config: "appContainers: [{env: [{name: J, value: one}]}, {env: [{name: J, join: ' ', value: two}]}]",
			pod:    web("{name: J, value: one}, {name: A, value: a}"),
			wants:  []string{"puts spec/containers/web/env J"},
		},
		{
			claim:  "an entry that joins and comes first lets no other set it",
			app:    web("{name: A, value: a}"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: one}]}, {env: [{name: J, value: two}]}]",
			pod:    web("{name: J, value: one}, {name: A, value: a}"),
		},
		{
			claim: "one that is missing goes behind all that its parts use",
			app:   web("{name: A, value: a}, {name: B, value: b}, {name: C, value: c}"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: one}]}, {env: [{name: J, join: ' ', value: " +
				"$(B)}]}]",
			pod: web("{name: A, value: a}, {name: B, value: b}, {name: J, value: one $(B)}, {name: C, value: c}"),
		},
		{
			claim:  "a part that uses a variable behind it is refused",
			app:    web("{name: J, value: app}, {name: B, value: b}"),
			config: join("$(B)"),
			finds: refused("0", "comes before \"B\", which the value that is joined to it uses; "+
				"move \"B\" before \"J\" in the manifest"),
		},
		{
			claim:  "one that uses a variable in front of it is not",
			app:    web("{name: B, value: b}, {name: J, value: app}"),
			config: join("$(B)"),
			pod:    web("{name: B, value: b}, {name: J, value: app $(B)}"),
		},
		{
			claim:  "a value that is known later is refused",
			app:    web("{name: A, value: a}, {name: J, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}"),
			config: join("mine"),
			finds:  refused("1", "gets its value when the pod starts (valueFrom)"),
		},
		{
			claim:  "so is one that is no text",
			app:    web("{name: J, value: 5}"),
			config: join("mine"),
			finds:  refused("0", "is the number 5, so nothing can be joined to it; make it a string"),
		},
		{
			claim:  "and one that is set twice",
			app:    web("{name: J, value: a}, {name: J, value: b}"),
			config: join("mine"),
			finds:  refused("0", "is set twice"),
		},
		{
			claim:  "more than 100 values of all injectors are refused",
			app:    web("{name: J, value: app}"),
			config: "appContainers: [{env: [" + strings.Join(manyJoined(101), ", ") + "]}]",
			finds:  refused("0", "would have more than 100 values joined to it; join fewer"),
		},
		{
			claim:  "the longest value",
			app:    web("{name: J, value: " + long + "}"),
			config: join("mine"),
			pod:    web("{name: J, value: " + long + " mine}"),
		},
		{
			claim:  "a longer one is refused",
			app:    web("{name: J, value: " + long + "x}"),
			config: join("mine"),
			finds:  refused("0", "has a value of 32769 bytes, and nothing is joined to more than 32768"),
		},
		{
			claim:  "an alias for a variable is refused",
			app:    "containers: [{name: other, env: [&j {name: J, value: a}]}, {name: web, env: [*j]}]",
			config: "appContainers: [{containers: [web], env: [{name: J, join: ' ', value: mine}]}]",
			finds: []string{
				"error EnvConflict spec.containers[1].env[0]: is written elsewhere, and used here by a YAML alias",
			},
		},
		{
			claim:  "and one for its value",
			app:    "containers: [{name: &n web, env: [{name: J, value: *n}]}]",
			config: join("mine"),
			finds:  refused("0", "is written elsewhere"),
		},
		{
			claim:  "and one for the list",
			app:    "containers: [{name: other, env: &e [{name: J, value: a}]}, {name: web, env: *e}]",
			config: "appContainers: [{containers: [web], env: [{name: J, join: ' ', value: mine}]}]",
			finds:  []string{"error EnvConflict spec.containers[1].env[0]: is written elsewhere"},
		},
		{
			claim: "what is refused twice is reported once",
			app:   web("{name: J, value: 5}"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: one}]}, {env: [{name: J, join: ' ', value: " +
				"two}]}]",
			finds: refused("0", "is the number 5"),
		},
	})
}

// TestJoinedValuesOfSeveralInjectors has two injectors that join something to the same variable.
func TestJoinedValuesOfSeveralInjectors(t *testing.T) {
	web := func(env string) string { return "containers: [{name: web, env: [" + env + "]}]" }
	join := func(value string) string {
		return "appContainers: [{env: [{name: J, join: ' ', value: " + value + "}]}]"
	}
	checkAll(t, []rule{
		{
			claim:   "the later goes behind the earlier",
			app:     web("{name: J, value: app}"),
			earlier: join("one"),
			config:  join("two"),
			pod:     web("{name: J, value: app one two}"),
		},
		{
			claim:   "also if the app does not have the variable",
			app:     web("{name: A, value: a}"),
			earlier: join("one"),
			config:  join("two"),
			pod:     web("{name: J, value: one two}, {name: A, value: a}"),
			wants:   []string{"joins to spec/containers/web/env J"},
		},
		{
			claim:   "an equal part is written once, and both want it",
			app:     web("{name: J, value: app}"),
			earlier: join("one"),
			config:  join("one"),
			wants:   []string{"joins to spec/containers/web/env J"},
		},
		{
			claim:   "several parts are joined in their order",
			app:     web("{name: J, value: app}"),
			earlier: join("one"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: two}]}, {env: [{name: J, join: ' ', value: " +
				"three}]}]",
			pod: web("{name: J, value: app one two three}"),
		},
		{
			claim:   "also if one has the separator in it",
			app:     web("{name: J, value: app}"),
			earlier: join("one"),
			config: "appContainers: [{env: [{name: J, join: ' ', value: two x}]}, {env: [{name: J, join: ' ', " +
				"value: three}]}]",
			pod: web("{name: J, value: app one two x three}"),
		},
		{
			claim:   "a part in front goes in front of the others",
			app:     web("{name: J, value: app}"),
			earlier: join("one"),
			config:  "appContainers: [{env: [{name: J, join: ' ', joinOrder: Before, value: two}]}]",
			pod:     web("{name: J, value: two app one}"),
		},
		{
			claim:   "a part that uses a variable behind that of the earlier injector is refused, with the cause",
			app:     web("{name: A, value: a}"),
			earlier: join("one"),
			config:  join("$(A)"),
			finds: []string{
				"error EnvConflict spec.containers[0].env[0]: comes before \"A\", " +
					"which the value that is joined to it uses; put this injector before the one that adds \"J\"; " +
					"the cause is what other injectors add (others)",
			},
		},
		{
			claim:   "nothing is joined to what the earlier injector sets; that is a conflict, which the engine reports",
			app:     web("{name: A, value: a}"),
			earlier: "appContainers: [{env: [{name: J, value: set}]}]",
			config:  join("two"),
		},
	})
}

// manyJoined returns variables that are joined to J, each with a value of its own.
func manyJoined(count int) []string {
	var all []string
	for i := range count {
		all = append(all, fmt.Sprintf("{name: J, join: ' ', value: v%d}", i))
	}
	return all
}
