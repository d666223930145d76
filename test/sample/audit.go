package sample

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/pods/live"
)

// Audit returns an audit of the pods of n workloads, always the same for each n.
func Audit(n int) auditreport.Page {
	p := auditreport.Page{Title: "Envoy in the production cluster", Injectors: []string{"envoy"}, Audit: audit.Audit{
		Findings: []finding.Finding{{
			Severity: finding.Warning, Code: finding.InvalidItem, Message: "the object at index 7 has no kind; it is left out",
		}},
	}}
	for i := range n {
		o := workload(i).Object
		owner := live.Creator{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
		if i%17 == 16 {
			owner = live.Creator{APIVersion: "v1", Kind: "Pod", Namespace: o.Namespace, Name: o.Name + "-0"}
		}
		group := audit.Group{Injector: "envoy", Creator: owner, Counts: map[audit.State]int{}}
		for k := range 1 + i%5 {
			row := auditRow(i, k, &group)
			group.Counts[row.State]++
			p.Audit.Rows = append(p.Audit.Rows, row)
		}
		p.Audit.Groups = append(p.Audit.Groups, group)
	}
	return p
}

// auditRow returns the state of pod k of workload i, and explains it in the group.
func auditRow(i, k int, group *audit.Group) audit.Row {
	row := audit.Row{
		Injector: "envoy", Namespace: group.Creator.Namespace, Pod: fmt.Sprintf("%s-%s-%s", group.Creator.Name, suffix(i), suffix(100*i+k)),
		Creator: group.Creator, Revision: group.Creator.Name + "-" + suffix(i), State: audit.Current,
	}
	image := audit.Field{Path: "spec.containers[1].image", Declared: "envoyproxy/envoy:v1.34.1", Live: "envoyproxy/envoy:v1.31.0"}
	switch {
	case i%11 == 3:
		row.State, row.Fields = audit.Missing, []audit.Field{
			{Path: "spec.containers[1]", Declared: "{name: envoy, image: envoyproxy/envoy:v1.34.1}", IsMissing: true},
			{Path: "spec.volumes[0]", Declared: "{name: envoy-config, configMap: {name: envoy-bootstrap}}", IsMissing: true},
		}
		group.Template, group.Cause = audit.Missing, audit.NotApplied
		group.Explanation = fmt.Sprintf("its workload is not as declared: deployment/%s does not have what is declared", group.Creator.Name)
	case i%7 == 2 && k%2 == 0:
		row.State, row.Fields = audit.Stale, []audit.Field{image}
		group.Template, group.Cause = audit.Current, audit.RollingOut
		group.Explanation = fmt.Sprintf("rolling out: the template of %s is current, and pods are from before", group.Creator.Name)
	case i%13 == 5:
		row.State, row.Fields = audit.Stale, []audit.Field{
			image,
			{Path: "spec.containers[1].resources.limits.memory", Declared: "256Mi", Live: "128Mi"},
			{Path: "spec.containers[1].env[2].value", Declared: "info", IsMissing: true},
		}
	case i%19 == 8:
		row.State, row.Reason, row.Message = audit.Unexpected, finding.OptedOut, "the annotation pillion.dev/inject is \"false\""
	case i%23 == 11:
		row.State, row.Reason, row.Message = audit.Refused, finding.PortConflict, "port 15001 is taken by container web"
	case i%5 == 4 && k == 3:
		row.State, row.Reason = audit.Skipped, "Terminating"
	case i%9 == 6:
		row.State, row.Reason, row.Message = audit.Skipped, finding.SelectorMismatch, "label mesh is off, want on"
	case i%12 == 1:
		row.Infos = []audit.Info{{Code: finding.ImageFromMirror, Message: "the image is from mirror.example.com, with the declared path and tag"}}
	}
	return row
}

// suffix returns a text as in the names of pods.
func suffix(n int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	var b strings.Builder
	for seed := uint32(n)*2654435761 + 97; b.Len() < 5; seed = seed*1664525 + 1013904223 {
		b.WriteByte(letters[int(seed>>16)%len(letters)])
	}
	return b.String()
}

// HostileAudit returns an audit of pods with texts that attack its readers, one of 256 KB among them.
func HostileAudit() auditreport.Page {
	long := strings.Repeat("\x1b]0;a\a <b>", 256<<10/10)
	texts := slices.Concat(hostile, []string{long, "a\"} 1\npillion_pods{x=\"", `a\`, "\n# EOF\n", "\xff"})
	p := auditreport.Page{Title: hostile[0], Injectors: texts}
	for i, s := range texts {
		owner := live.Creator{APIVersion: s, Kind: s, Namespace: s, Name: s}
		state := audit.States[i%len(audit.States)]
		p.Audit.Rows = append(p.Audit.Rows, audit.Row{
			Injector: s, Namespace: s, Pod: s, Creator: owner, Revision: s, State: state, Reason: finding.Code(s), Message: s,
			Fields: []audit.Field{{Path: s, Declared: s, Live: s}, {Path: s, Declared: s, IsMissing: true}},
			Infos:  []audit.Info{{Code: finding.Code(s), Message: s}},
		}, audit.Row{Injector: s, Namespace: s, Pod: s, Creator: owner, State: state, Reason: finding.Code(s), Message: s})
		p.Audit.Groups = append(p.Audit.Groups, audit.Group{
			Injector: s, Creator: owner, Counts: map[audit.State]int{state: 2}, Template: state, Cause: audit.Cause(s), Explanation: s,
		})
		p.Audit.Findings = append(p.Audit.Findings, finding.Finding{Severity: finding.Error, Code: finding.Code(s), Message: s, Injector: s})
	}
	return p
}
