package apply_test

import (
	"testing"
)

func TestPodMetadata(t *testing.T) {
	const spec = "spec: {containers: [{name: web}]}"
	label := func(value string) string { return "{metadata: {labels: {a: " + value + "}}, " + spec + "}" }
	annotated := func(value string) string { return "{metadata: {annotations: {j: '" + value + "'}}, " + spec + "}" }
	patch := func(fields string) string { return "patchPodMetadata: [{" + fields + "}]" }
	mergeJSON := func(value string) string {
		return patch("annotations: {j: '" + value + "'}, patchPolicy: MergePatchJson")
	}
	checkAll(t, []rule{
		{
			claim:  "labels and annotations are added, and metadata comes first",
			app:    "containers: [{name: web}]",
			config: patch("labels: {a: b}, annotations: {c: d}"),
			pod:    "{metadata: {labels: {a: b}, annotations: {c: d}}, " + spec + "}",
			wants:  []string{"puts metadata/labels a", "puts metadata/annotations c"},
		},
		{claim: "null is no label", app: label(""), config: patch("labels: {a: b}"), pod: label("b")},
		{
			claim:  "a label that is there stays, with a warning",
			app:    label("x"),
			config: patch("labels: {a: b}"),
			wants:  []string{},
			finds: []string{
				"warning MetadataConflict metadata.labels.a: label \"a\" of the pod is \"x\" and stays so; " +
					"the injector wants \"b\" " +
					"(patchPolicy: Retain), so the sidecar may not work; make them equal, " +
					"or set patchPolicy to Overwrite",
			},
		},
		{claim: "an equal one is no warning", app: label("b"), config: patch("labels: {a: b}")},
		{
			claim:  "one of the selector has another remedy",
			app:    "{metadata: {labels: {app: x}}, " + spec + "}",
			config: patch("labels: {app: b}"),
			finds: []string{
				"warning MetadataConflict metadata.labels.app: make them equal, " +
					"or remove it from spec.patchPodMetadata, because the " +
					"workload's selector uses it",
			},
		},
		{
			claim:  "an annotation may have the name of a label of the selector",
			app:    "{metadata: {annotations: {app: x}}, " + spec + "}",
			config: patch("annotations: {app: b}"),
			finds: []string{
				"warning MetadataConflict metadata.annotations.app: make them equal, or set patchPolicy to Overwrite",
			},
		},
		{
			claim:  "Overwrite replaces it",
			app:    label("x"),
			config: patch("labels: {a: b}, patchPolicy: Overwrite"),
			pod:    label("b"),
			wants:  []string{"puts metadata/labels a"},
		},
		{
			claim:  "Overwrite finds an equal one",
			app:    label("b"),
			config: patch("labels: {a: b}, patchPolicy: Overwrite"),
			wants:  []string{"finds metadata/labels a"},
		},
		{
			claim:  "a label of the selector is never changed",
			app:    "{metadata: {labels: {app: x}}, " + spec + "}",
			config: patch("labels: {app: b}, patchPolicy: Overwrite"),
			wants:  []string{},
			finds:  []string{"error SelectorLabel metadata.labels.app: would cut the workload off from its pods"},
		},
		{
			claim:  "nor added",
			app:    "containers: [{name: web}]",
			config: patch("labels: {app: b}"),
			wants:  []string{},
			finds:  []string{"error SelectorLabel metadata.labels.app: would cut the workload off from its pods"},
		},
		{
			claim:  "an annotation of that name is",
			app:    "containers: [{name: web}]",
			config: patch("annotations: {app: b}"),
			pod:    "{metadata: {annotations: {app: b}}, " + spec + "}",
		},
		{
			claim:  "a new label of a workload without selector is reported",
			app:    "containers: [{name: web}]",
			config: patch("labels: {a: b}, annotations: {c: d}"),
			given:  func(pod *subject) { pod.LabelsAreSelector = true },
			pod:    "{metadata: {labels: {a: b}, annotations: {c: d}}, " + spec + "}",
			finds:  []string{"warning SelectorLabel metadata.labels.a: which now include \"a\"; add a selector"},
		},
		{
			claim:  "a JSON object is merged into an annotation",
			app:    annotated(`{"a":1,"b":{"c":2},"d":[1]}`),
			config: mergeJSON(`{"a":null,"b":{"e":3},"d":[2]}`),
			pod:    `{metadata: {annotations: {j: {"b":{"c":2,"e":3},"d":[2]}}}, ` + spec + "}",
			wants:  []string{"puts metadata/annotations j"},
		},
		{
			claim:  "one that is not there is empty",
			app:    "containers: [{name: web}]",
			config: mergeJSON(`{"a":"<&>"}`),
			pod:    `{metadata: {annotations: {j: {"a":"<&>"}}}, ` + spec + "}",
		},
		{
			claim:  "an empty text is none",
			app:    annotated(""),
			config: mergeJSON(`{"a":1}`),
			finds:  []string{"error AnnotationNotJSON metadata.annotations.j: not one: it is the string \"\""},
		},
		{
			claim:  "if nothing changes, the text stays as it is written",
			app:    annotated(`{ "b": 1, "a": 1.0 }`),
			config: mergeJSON(`{"a":1.0,"c":null}`),
			pod:    `{metadata: {annotations: {j: { "b": 1, "a": 1.0 }}}, ` + spec + "}",
			wants:  []string{"finds metadata/annotations j"},
		},
		{
			claim:  "a long number keeps its digits",
			app:    annotated(`{"a":12345678901234567890}`),
			config: mergeJSON(`{"b":1}`),
			pod:    `{metadata: {annotations: {j: {"a":12345678901234567890,"b":1}}}, ` + spec + "}",
		},
		{
			claim:  "what is no JSON is refused",
			app:    annotated("text"),
			config: mergeJSON(`{"a":1}`),
			finds: []string{
				"error AnnotationNotJSON metadata.annotations.j: because its value is not one: invalid character",
			},
		},
		{
			claim:  "so is another JSON value",
			app:    annotated("[1]"),
			config: mergeJSON(`{"a":1}`),
			finds: []string{
				"error AnnotationNotJSON metadata.annotations.j: because its value is not one: it is another " +
					"JSON value",
			},
		},
		{
			claim:  "and more than one",
			app:    annotated("{} {}"),
			config: mergeJSON(`{"a":1}`),
			finds:  []string{"error AnnotationNotJSON metadata.annotations.j: there is more text after the JSON value"},
		},
		{
			claim:  "and half a character",
			app:    annotated(`{"b":"\ud800"}`),
			config: mergeJSON(`{"a":1}`),
			finds:  []string{"error AnnotationNotJSON metadata.annotations.j: half of a surrogate pair"},
		},
		{
			claim:  "and what is no text",
			app:    "{metadata: {annotations: {j: 5}}, " + spec + "}",
			config: mergeJSON(`{"a":1}`),
			finds:  []string{"error AnnotationNotJSON metadata.annotations.j: not one: it is the number 5"},
		},
	})
}

// TestDefaultContainer has when the app's first container is named as the one of kubectl logs and exec.
func TestDefaultContainer(t *testing.T) {
	const (
		first = "containers: [{name: logs, image: l, mode: Container, podInjectPolicy: BeforeAppContainer}]"
		both  = "spec: {containers: [{name: logs, image: l}, {name: web}, {name: db}]}"
		app   = "spec: {containers: [{name: web}, {name: db}]}"
		key   = "kubectl.kubernetes.io/default-container"
	)
	checkAll(t, []rule{
		{
			claim:  "if a sidecar is put in front of it",
			app:    "containers: [{name: web}, {name: db}]",
			config: first,
			pod:    "{metadata: {annotations: {" + key + ": web}}, " + both + "}",
			wants:  []string{"puts spec/containers logs", "puts metadata/annotations " + key},
		},
		{
			claim:  "not if it goes behind it",
			app:    "containers: [{name: web}, {name: db}]",
			config: "containers: [{name: logs, image: l, mode: Container, before: db}]",
			pod:    "containers: [{name: web}, {name: logs, image: l}, {name: db}]",
		},
		{
			claim:  "not if the pod names one",
			app:    "{metadata: {annotations: {" + key + ": db}}, " + app + "}",
			config: first,
			pod:    "{metadata: {annotations: {" + key + ": db}}, " + both + "}",
		},
		{
			claim:  "not if it names one by the older key",
			app:    "{metadata: {annotations: {kubectl.kubernetes.io/default-logs-container: db}}, " + app + "}",
			config: first,
			pod:    "{metadata: {annotations: {kubectl.kubernetes.io/default-logs-container: db}}, " + both + "}",
		},
		{
			claim:  "an empty name is none",
			app:    "{metadata: {annotations: {" + key + ": ''}}, " + app + "}",
			config: first,
			pod:    "{metadata: {annotations: {" + key + ": web}}, " + both + "}",
		},
		{
			claim:  "a container without a name is not it",
			app:    "containers: [{image: x}, {name: db}]",
			config: first,
			pod: "{metadata: {annotations: {" + key + ": db}}, spec: {containers: [{name: logs, image: l}, " +
				"{image: x}, {name: db}]}}",
		},
		{
			claim:  "a pod without other containers has none",
			app:    "containers: []",
			config: first,
			pod:    "containers: [{name: logs, image: l}]",
			finds:  []string{"warning NoContainers spec.containers"},
		},
		{
			claim:  "beside a sidecar that another injector put in front",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: o}, {name: web}]",
			config: first,
			pod: "{metadata: {annotations: {" + key + ": web}}, spec: {containers: [{name: o}, {name: logs, " +
				"image: l}, {name: web}]}}",
		},
		{
			claim:  "not because of one that another injector put in front",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: o}, {name: web}]",
			config: "containers: [{name: logs, image: l, mode: Container}]",
			pod:    "containers: [{name: o}, {name: web}, {name: logs, image: l}]",
		},
	})
}
