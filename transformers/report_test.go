package transformers_test

import (
	"context"
	"testing"

	"pillion.dev/pillion/transformers"
)

// A program may keep the fields of a change, and make the words later.
func TestAChangeHasTheWordsOfItsFields(t *testing.T) {
	for want, change := range map[string]transformers.Change{
		"adds container logs":                {Verb: "adds", Path: "spec/containers", Key: "logs"},
		"container logs: image a:1 -> a:2":   {Verb: "updates", Path: "spec/containers", Key: "logs", Field: "image", Old: "a:1", New: "a:2"},
		"shares volume data with mesh, otel": {Verb: "shares", Path: "spec/volumes", Key: "data", Others: "mesh, otel"},
	} {
		if got := change.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestInjectorsThatShareAChangeAreNamed(t *testing.T) {
	withVolume := func(name string) transformers.Sidecars {
		config, findings := transformers.Read(transformers.Source{Text: []byte("{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, " +
			"metadata: {name: " + name + "}, spec: {volumes: [{name: shared, emptyDir: {}}]}}")})
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		return config
	}
	once := applyTo(t, withVolume("logs"), app)
	result, err := withVolume("mesh").Apply(context.Background(), transformers.Source{Text: []byte(once)})
	if err != nil || len(result.Outcomes) != 1 {
		t.Fatal(err, result.Findings)
	}
	changes := result.Outcomes[0].Changes
	if len(changes) != 1 || changes[0].Others != "logs" || changes[0].String() != "shares volume shared with logs" {
		t.Errorf("%+v", changes)
	}
}
