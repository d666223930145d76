package apply

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// addContainer adds an init container or a sidecar, of which the pod decides whether it is a native one.
func (p *Pod) addContainer(op injector.Operation) {
	if op.Native == nil {
		p.addTo(initContainers, op)
		return
	}
	p.checkApp()
	p.noteFinishes()
	before := len(p.findings)
	if p.becomesNative(op) {
		p.addTo(initContainers, op)
	} else if !finding.HasError(p.findings[before:]) {
		p.addTo(containers, op)
	}
}

// checkApp reports a pod without containers, once for all sidecars.
func (p *Pod) checkApp() {
	if len(p.entries(containers)) == 0 && !p.Kind.Partial {
		p.reportOnce(newFinding(finding.Warning, finding.NoContainers, p.At("spec."+containers),
			"the pod has no containers of its own; is something missing, or indented wrongly?"))
	}
}

// addTo adds a container to a list, or settles the conflict with one of its name. No two containers of a pod have the
// same name, whichever lists they are in. All pods share the body, so it is copied before it is changed for this one.
func (p *Pod) addTo(list string, op injector.Operation) {
	op = op.Into(list)
	if pods.IsNative(list, op.Value) {
		p.checkReadiness(op)
	}
	// It is compared with all that are there.
	if !p.Room.Charge(pods.CountContainers(p.Spec()) * meter.PerContainer) {
		return
	}
	if indexOfName(p.entries(ephemeralContainers), op.Key) >= 0 {
		p.report(finding.Error, finding.ContainerConflict, p.containerAt(ephemeralContainers, op.Key),
			"an ephemeral container is already called %q; "+
				"rename one of them, or remove ephemeralContainers from the manifest", op.Key)
		return
	}
	before := len(p.findings)
	wanted := takeFromApp(p, op)
	body, kept := p.settlePorts(op.Key, list, wanted, op.OnPort == injector.Keep)
	other := containers
	if list == containers {
		other = initContainers
	}
	index := indexOfName(p.entries(list), op.Key)
	isElsewhere := indexOfName(p.entries(other), op.Key) >= 0
	switch {
	case op.OnTaken == injector.Keep && (index >= 0 || isElsewhere):
		p.findings = p.findings[:before]
		if index >= 0 && node.Equal(p.entries(list)[index], body) {
			wanted = body
			p.lateWarnings = append(p.lateWarnings, kept...)
		}
		p.lateWarnings = append(p.lateWarnings, func(version, file *stamp.View) []finding.Finding {
			return warnOfContainer(p, version, file, list, other, wanted)
		})
	case isElsewhere || p.isAround(other, op.Key):
		p.findings = p.findings[:before]
		p.reportElsewhere(op, list, other, isElsewhere)
	case finding.HasError(p.findings[before:]):
	case index >= 0:
		p.lateWarnings = append(p.lateWarnings, kept...)
		p.settleContainer(op, list, index, body)
	case p.countAround(containers)+p.countAround(initContainers) >= pods.MaxContainers:
		p.report(finding.Error, finding.LimitExceeded, p.At("spec."+list), "%s",
			meter.TooLarge(fmt.Sprintf("the pod would have more than %d containers", pods.MaxContainers)))
	default:
		p.lateWarnings = append(p.lateWarnings, kept...)
		at := stamp.InSpec(list, op.Key)
		p.Entries.PutEntry(at.Path, body).Position = p.positionOf(op, list)
		p.list(list).add(body)
		p.setHas(op.Key)
		if !p.wasThere(list, op.Key) { // otherwise it is shared, and stays where it is
			p.checkNeighbour(op, list)
		}
	}
}

// reportElsewhere reports a container of the same name in the other list, which the app has there, or else another
// injector.
func (p *Pod) reportElsewhere(op injector.Operation, list, other string, isApps bool) {
	remedy := "rename it"
	if list == initContainers && op.Container.Mode == v1alpha1.ModeNative {
		remedy += ", write mode: Container"
	}
	f := p.report(finding.Error, finding.ContainerConflict, p.containerAt(other, op.Key),
		"container %q is already in %s, and the injector adds one of that name to %s; "+
			"%s, or set spec.onConflict.container to Keep", op.Key, other, list, remedy)
	if !isApps {
		f.Message += p.causedByOthers()
	}
}

// settleContainer settles the conflict with a container of the same name in the same list.
func (p *Pod) settleContainer(op injector.Operation, list string, index int, body *node.Node) {
	at := stamp.InSpec(list, op.Key)
	if op.OnTaken == injector.Merge {
		p.mergeContainer(at, list, index, body)
		return
	}
	app := p.entries(list)[index]
	switch p.settle(at, app, body, op.OnTaken) {
	case equal:
		p.setHas(op.Key)
	case replaces:
		p.setHas(op.Key)
		p.list(list).replace(index, body)
	case refused:
		differing := node.DifferingKeys(app, body)
		first := differing[0]
		f := p.report(finding.Error, finding.ContainerConflict, p.containerAt(list, op.Key)+"."+first,
			"container %q is already there and differs in %s; %s", op.Key, strings.Join(differing, ", "),
			remedy(p.plan.Injector, pods.EqualExceptImage(app, body)))
		f.Field.Current = node.Brief(node.Get(app, first))
		f.Field.Proposed = node.Brief(node.Get(body, first))
	}
}

// warnOfContainer reports a container that stays, in the list that the injector wants it in or in the other one.
func warnOfContainer(pod *Pod, version, file *stamp.View, list, other string, body *node.Node) []finding.Finding {
	name := node.Text(body, "name")
	in := list
	moved := ""
	remedy := "set spec.onConflict.container to Merge or Replace"
	present := version.At(pods.InSpec(list).Path, name)
	if present == nil {
		if present = version.At(pods.InSpec(other).Path, name); present == nil {
			return nil
		}
		in = other
		remedy = "rename one of them"
		moved = fmt.Sprintf("it is in %s instead of %s, ", other, list)
	}
	path := pod.At(file.FieldOf(stamp.InSpec(in, name), ""))
	var fields []differingField
	differing := node.DifferingKeys(present, body)
	for _, field := range differing {
		if wanted := node.Get(body, field); !node.IsNull(wanted) {
			fields = append(fields, differingField{path + "." + field, node.Get(present, field), wanted})
		}
	}
	switch {
	case len(fields) > 0 || moved != "":
		first := differingField{path: path, present: node.String(other), wanted: node.String(list)}
		if len(fields) > 0 {
			first = fields[0]
		}
		return []finding.Finding{newWarning(finding.ContainerConflict, first.path, first.present, first.wanted,
			"container %q of the app stays as it is and differs from the injector's: %s "+
				"(spec.onConflict.container: Keep), %s; make them equal, or %s",
			name, strings.TrimSuffix(moved+describeFields(fields, path), ", "), mayNotWork, remedy)}
	case len(differing) > 0:
		return []finding.Finding{newFinding(finding.Info, finding.ContainerConflict, path,
			"container %q of the app has more than the injector's (%s) and stays as it is "+
				"(spec.onConflict.container: Keep)",
			name, strings.Join(differing, ", "))}
	}
	return nil
}

// remedy returns what to do about a container that is there already and differs.
func remedy(in *injector.Injector, adoptable bool) string {
	const settle = "rename it, or set spec.onConflict.container to Keep, Merge or Replace"
	switch {
	case in.Spec.Adopt && adoptable:
		return "it is the only container of the pod, so spec.adopt treats it as the app's; " + settle
	case in.Spec.Adopt:
		return "spec.adopt accepts only differences in image and order; make it equal to the payload, " + settle
	case adoptable:
		return settle + "; if it was injected before, without a stamp, set spec.adopt to true"
	default:
		return settle
	}
}
