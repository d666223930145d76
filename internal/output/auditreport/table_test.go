package auditreport_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/pods/live"
)

var deployment = live.Creator{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

// page returns a page of one workload with pods in states.
func page(group audit.Group, states ...audit.State) auditreport.Page {
	group.Injector, group.Counts = "envoy", map[audit.State]int{}
	if group.Creator == (live.Creator{}) {
		group.Creator = deployment
	}
	p := auditreport.Page{Injectors: []string{"envoy"}}
	for i, state := range states {
		group.Counts[state]++
		p.Audit.Rows = append(p.Audit.Rows, audit.Row{
			Injector: "envoy", Namespace: group.Creator.Namespace, Pod: fmt.Sprintf("web-%d", i), Creator: group.Creator, State: state,
		})
	}
	p.Audit.Groups = []audit.Group{group}
	return p
}

func TestAdviceIsForTheCause(t *testing.T) {
	job := live.Creator{APIVersion: "batch/v1", Kind: "CronJob", Namespace: "shop", Name: "backup"}
	evil := live.Creator{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "$(reboot)"}
	for name, c := range map[string]struct {
		group audit.Group
		state audit.State
		want  string
	}{
		"rolling out":         {audit.Group{Cause: audit.RollingOut}, audit.Stale, "kubectl rollout status deployment/web -n shop\n"},
		"paused":              {audit.Group{Cause: audit.Paused}, audit.Stale, "kubectl rollout resume deployment/web -n shop\n"},
		"not added":           {audit.Group{Cause: audit.NotAdded}, audit.Missing, "kubectl rollout restart deployment/web -n shop\n"},
		"not added, job":      {audit.Group{Cause: audit.NotAdded, Creator: job}, audit.Missing, "when these pods were created\n"},
		"not added, evil":     {audit.Group{Cause: audit.NotAdded, Creator: evil}, audit.Missing, "when these pods were created\n"},
		"not applied":         {audit.Group{Cause: audit.NotApplied}, audit.Missing, "run pillion inject on their manifests and apply them\n"},
		"dropped":             {audit.Group{Cause: audit.Dropped}, audit.Stale, "kubectl get mutatingwebhookconfigurations\n"},
		"removed":             {audit.Group{Cause: audit.Removed}, audit.Missing, "kubectl get mutatingwebhookconfigurations\n"},
		"unmanaged":           {audit.Group{Cause: audit.Unmanaged}, audit.Missing, "delete them and apply their injected manifests\n"},
		"not in the input":    {audit.Group{}, audit.Missing, "kubectl get deploy,rs,sts,ds,job,cronjob,ns,pods -A -o json\n"},
		"not known":           {audit.Group{Template: audit.Refused}, audit.Missing, "and apply the injected ones\n"},
		"unexpected":          {audit.Group{Cause: audit.NotApplied}, audit.Unexpected, "run pillion remove on their manifests and apply them\n"},
		"unexpected, alone":   {audit.Group{Cause: audit.Unmanaged}, audit.Unexpected, "run pillion remove on their manifests and apply them\n"},
		"unexpected, rolling": {audit.Group{Cause: audit.RollingOut}, audit.Unexpected, "kubectl rollout status deployment/web -n shop\n"},
		"refused":             {audit.Group{Cause: audit.NotApplied}, audit.Refused, "or opt them out\n"},
		"partition":           {audit.Group{Cause: audit.Partition}, audit.Stale, "lower it in the manifests and apply them\n"},
		"on delete":           {audit.Group{Cause: audit.OnDelete}, audit.Stale, "replace only pods that somebody deletes\n"},
		"next run":            {audit.Group{Cause: audit.NextRun, Creator: job}, audit.Stale, "the next run is as declared\n"},
		"current":             {audit.Group{}, audit.Current, "\n2 current\n"},
		"skipped":             {audit.Group{}, audit.Skipped, "2 skipped (2 )\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := write(t, "table", page(c.group, c.state, c.state)); !strings.HasSuffix(got, c.want) {
				t.Errorf("got\n%s\nwant %s at the end", got, c.want)
			}
		})
	}
}

func TestAdviceIsForEachCauseOfAState(t *testing.T) {
	p := auditreport.Page{}
	for i := range 6 {
		owner, cause := deployment, audit.RollingOut
		owner.Name = fmt.Sprintf("web-%d", i)
		if i == 2 {
			cause = audit.Paused
		}
		one := page(audit.Group{Cause: cause, Creator: owner}, audit.Stale)
		p.Audit.Rows, p.Audit.Groups = append(p.Audit.Rows, one.Audit.Rows...), append(p.Audit.Groups, one.Audit.Groups...)
	}
	want := "\nstale: deployment/web-0 (shop), deployment/web-1 (shop), deployment/web-3 (shop), and 2 more: new pods are as declared, and " +
		"replace these; to follow a rollout: kubectl rollout status deployment/web-0 -n shop\n" +
		"stale: deployment/web-2 (shop): new pods are as declared, and the rollout is paused; " +
		"to go on: kubectl rollout resume deployment/web-2 -n shop\n"
	if got := write(t, "table", p); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant at the end%s", got, want)
	}
}

func TestReasonsAreComplete(t *testing.T) {
	p := page(audit.Group{}, audit.Refused)
	p.Audit.Rows[0].Message = strings.Repeat("long ", 50) + "end"
	if got := write(t, "table", p); !strings.Contains(got, "long end\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestATableFoldsLinesThatAreAlike(t *testing.T) {
	p := cluster(40, 1)
	for i := range p.Audit.Rows {
		p.Audit.Rows[i].Namespace, p.Audit.Rows[i].Creator.Namespace = "shop", "shop"
	}
	got := write(t, "table", p)
	if !strings.Contains(got, "... and 37 more with missing pods; -o wide shows all\n") || strings.Count(got, "\nshop ") != 3 {
		t.Errorf("got\n%s", got)
	}
	for i := range p.Audit.Rows {
		p.Audit.Rows[i].Fields[0].Declared = fmt.Sprintf("{name: envoy-%d}", i) // all differ
	}
	got = write(t, "table", p)
	if !strings.Contains(got, "... and 10 more with missing pods; -o wide shows all\n") || strings.Count(got, "\nshop ") != 30 {
		t.Errorf("got\n%s", got)
	}
}

func TestReasonsInShort(t *testing.T) {
	for want, field := range map[string]audit.Field{
		"image proxy:2.0, declared proxy:2.1": {
			Path: "spec.containers[1].image", Live: "example.com/a/proxy:2.0", Declared: "example.com/a/proxy:2.1",
		},
		"image a/proxy:2.0, declared b/proxy:2.0": {Path: "spec.containers[1].image", Live: "a/proxy:2.0", Declared: "b/proxy:2.0"},
		"init container setup is not there":       {Path: "spec.initContainers[0]", Declared: "{name: setup, image: a}", IsMissing: true},
		"init container a is in containers instead": {
			Path: "spec.initContainers[0]", Declared: "{name: a, image: a}", Live: "is in containers instead",
		},
		"volume logs is not there":              {Path: "spec.volumes[3]", Declared: "{name: logs}", IsMissing: true},
		"env[2].value is not there, declared a": {Path: "spec.containers[0].env[2].value", Declared: "a", IsMissing: true},
		"metadata.labels.a b, declared c":       {Path: "metadata.labels.a", Live: "b", Declared: "c"},
	} {
		p := page(audit.Group{}, audit.Stale)
		p.Audit.Rows[0].Fields = []audit.Field{field}
		if got := write(t, "table", p); !strings.Contains(got, "   "+want+"\n") {
			t.Errorf("want %s in\n%s", want, got)
		}
	}
}

func TestTheInjectorHasAColumnIfThereAreSeveral(t *testing.T) {
	p := page(audit.Group{}, audit.Missing)
	p.Injectors = append(p.Injectors, "fluent-bit")
	if got := write(t, "table", p); !strings.Contains(got, "OWNER            INJECTOR   STATE") {
		t.Errorf("got\n%s", got)
	}
}
