package manifest

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
)

// resourceList is a ResourceList with n Deployments of about 80 lines, each with a Service and
// a ConfigMap: the input of the budget table in the design.
func resourceList(n int) []byte {
	var b bytes.Buffer
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: app-%d\n    labels: {app: app-%d}\n  spec:\n"+
			"    replicas: 3\n    template:\n      metadata:\n        labels:\n          app: app-%d # its name\n      spec:\n"+
			"        containers:\n        - name: app\n          image: \"registry.example.com/team/app:v%d\"\n          env:\n",
			i, i, i, i)
		for j := range 30 {
			fmt.Fprintf(&b, "          - name: VARIABLE_%d\n            value: 'value number %d'\n", j, j)
		}
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Service\n  metadata:\n    name: app-%d\n  spec:\n    ports:\n    - port: 80\n", i)
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: app-%d\n  data:\n    run.sh: |\n      #!/bin/sh\n", i)
		for range 20 {
			b.WriteString("      echo \"it's a script\" # { with [ everything\n")
		}
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	text := resourceList(5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	s, err := Read(resourceList(1))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(s.Items[0].Text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Items[0].Parse(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	text := resourceList(5000)
	s, err := Read(text)
	if err != nil {
		b.Fatal(err)
	}
	var edits []edit.Edit
	for _, item := range s.Items {
		if item.Kind == "Deployment" {
			edits = append(edits, edit.Edit{Start: item.start, End: item.start + len(item.Text), Text: item.Text})
		}
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Write(io.Discard, edits); err != nil {
			b.Fatal(err)
		}
	}
}
