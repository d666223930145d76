package sample

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
)

// Varied returns a page of workloads that all differ: names, 40 namespaces, images by digest, a checksum and ten
// variables each, as in generated manifests. Every third has a warning as well.
func Varied(n int) report.Page {
	p := Fleet(n)
	for i, w := range p.Run.Workloads {
		old := w.Object.Name
		name := "service-" + digest(i, "name")[:10]
		w.Object.Name, w.Object.Namespace = name, fmt.Sprintf("team-%d", i%40)
		w.File = &finding.File{Path: "clusters/production/" + w.Object.Namespace + "/" + name + ".yaml", Line: 1}
		vary := strings.NewReplacer(
			"\n        app: "+old, "\n        app: "+name+"\n        checksum: "+digest(i, "checksum"),
			"image: example/", "image: registry.example.com/"+digest(i, "image")+"/",
			"\n        resources:\n          requests: {cpu: 250m", "\n"+variables(i)+"        resources:\n          requests: {cpu: 250m",
			"/healthz", "/healthz?key="+digest(i, "probe"),
			"/"+old, "/"+digest(i, "path"), old, name,
		)
		after := edit.Apply(w.Before, w.Edits)
		w.Before = []byte(vary.Replace(string(w.Before)))
		if w.IsWritten {
			w.Edits = edit.Whole(w.Before, []byte(vary.Replace(string(after))))
		}
		o := w.Outcomes[0]
		for j := range o.Findings {
			o.Findings[j].Message = strings.ReplaceAll(o.Findings[j].Message, old, name)
		}
		if i%3 == 0 {
			o.Findings = append(o.Findings, finding.Finding{
				Severity: finding.Warning, Code: finding.NoDigest, Injector: "envoy",
				Message: `the image of container "envoy" is not pinned by digest; write envoyproxy/envoy@sha256:...`,
			})
		}
	}
	return p
}

func variables(i int) string {
	var b strings.Builder
	for v := range 10 {
		sum := digest(i, fmt.Sprint(v))
		fmt.Fprintf(&b, "        - {name: V%d_%s, value: %q}\n", v, sum[:8], sum)
	}
	return b.String()
}

func digest(i int, of string) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d %s", i, of)))
}
