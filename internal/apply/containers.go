package apply

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// addSidecars adds the payload's sidecars, as plain containers or as native ones.
func addSidecars(pod *Pod) []finding.Finding {
	var findings []finding.Finding
	if len(pod.payload.Containers) > 0 && len(pod.entries(containers)) == 0 && !pod.Partial {
		findings = append(findings, newFinding(finding.Warning, finding.NoContainers, pod.At("spec."+containers),
			"the pod has no containers of its own; is something missing, or indented wrongly?"))
	}
	for _, sidecar := range pod.payload.Containers {
		native, found := becomesNative(pod, sidecar)
		findings = append(findings, found...)
		if finding.HasError(found) {
			continue
		}
		list, body := containers, sidecar.Body
		if native {
			list, body = initContainers, sidecar.NativeBody
		}
		findings = append(findings, addContainer(pod, sidecar, list, body)...)
	}
	return findings
}

// addInitContainers adds the payload's init containers.
func addInitContainers(pod *Pod) []finding.Finding {
	var findings []finding.Finding
	for _, container := range pod.payload.InitContainers {
		if node.Text(container.Body, "restartPolicy") == "Always" {
			findings = append(findings, checkReadiness(pod, container)...)
		}
		findings = append(findings, addContainer(pod, container, initContainers, container.Body)...)
	}
	return findings
}

// addContainer adds a container to a list, or settles the conflict with one of its name. No two containers of a pod have the
// same name, whichever lists they are in. All pods share the body, so it is copied before it is changed for this one.
func addContainer(pod *Pod, c injector.Container, list string, body *yaml.Node) []finding.Finding {
	if at := indexOfName(pod.entries(ephemeralContainers), c.Name); at >= 0 {
		return []finding.Finding{newFinding(finding.Error, finding.ContainerConflict, pod.entryAt(ephemeralContainers, at),
			"an ephemeral container is already called %q; rename one of them, or remove ephemeralContainers from the manifest", c.Name)}
	}
	body, findings := takeFromApp(pod, c, list, body)
	body = withoutPodResources(pod, body)
	wanted := body
	body, kept, found := settlePorts(pod, c.Name, list, body)
	findings = append(findings, found...)
	other := containers
	if list == containers {
		other = initContainers
	}
	index, elsewhere := indexOfName(pod.entries(list), c.Name), indexOfName(pod.entries(other), c.Name)
	thing := thingIn(list, c.Name)
	app, isOthers := pod.inApp(thing, entryOrNil(pod.entries(list), index))
	if !isOthers && pod.Owners.IsEntered(thing) {
		app = pod.Owners.View().At(thing.Path, thing.Key)
	}
	switch {
	case app == nil && elsewhere < 0:
		if finding.HasError(findings) {
			return findings
		}
		pod.kept = append(pod.kept, kept...)
		pod.wishes.addEntry(thing.Path, body)
		if index >= 0 {
			pod.setHas(c.Name)
			return findings
		}
		place, found := position(pod, c, list, body)
		pod.insert(list, place, body)
		return append(findings, found...)
	case pod.payload.Spec.OnConflict.Container == v1alpha1.ContainerKeep:
		if index >= 0 && node.Equal(pod.entries(list)[index], body) {
			wanted = body
			pod.kept = append(pod.kept, kept...)
		}
		pod.kept = append(pod.kept, func(version *stamp.View) []finding.Finding { return keepContainer(pod, version, list, other, wanted) })
		return nil
	case elsewhere >= 0:
		remedy := "rename it"
		if list == initContainers && c.Mode == v1alpha1.ModeNative {
			remedy += ", write mode: Container"
		}
		f := newFinding(finding.Error, finding.ContainerConflict, pod.entryAt(other, elsewhere),
			"container %q is already in %s, and the injector adds one of that name to %s; "+
				"%s, or set spec.onConflict.container to Keep", c.Name, other, list, remedy)
		if there := thingIn(other, c.Name); pod.Owners.IsOthers(there) {
			f.Message += CausedByOthers(pod.Owners.Names())
		}
		return []finding.Finding{f}
	case finding.HasError(findings):
		return findings
	default:
		pod.kept = append(pod.kept, kept...)
		return append(findings, settleContainer(pod, taken{list, index, app, isOthers}, c, body)...)
	}
}

// keepContainer reports a container that stays, in the list that the injector wants it in or in the other one.
func keepContainer(pod *Pod, version *stamp.View, list, other string, body *yaml.Node) []finding.Finding {
	name, in, moved, remedy := node.Text(body, "name"), list, "", "set spec.onConflict.container to Merge or Replace"
	present := version.At("spec/"+list, name)
	if present == nil {
		if present = version.At("spec/"+other, name); present == nil {
			return nil
		}
		in, remedy = other, "rename one of them"
		moved = fmt.Sprintf("it is in %s instead of %s, ", other, list)
	}
	path := pod.At(version.FieldOf(thingIn(in, name), ""))
	var fields []keptField
	differing := differences(present, body)
	for _, field := range differing {
		if wanted := node.Get(body, field); !node.IsNull(wanted) {
			fields = append(fields, keptField{path + "." + field, node.Get(present, field), wanted})
		}
	}
	switch {
	case len(fields) > 0 || moved != "":
		first := keptField{path: path, present: node.String(other), wanted: node.String(list)}
		if len(fields) > 0 {
			first = fields[0]
		}
		return []finding.Finding{newKept(finding.ContainerConflict, first.path, first.present, first.wanted,
			"container %q of the app stays as it is and differs from the injector's: %s (spec.onConflict.container: Keep), %s; "+
				"make them equal, or %s", name, strings.TrimSuffix(moved+describeFields(fields, path), ", "), mayNotWork, remedy)}
	case len(differing) > 0:
		return []finding.Finding{newFinding(finding.Info, finding.ContainerConflict, path,
			"container %q of the app has more than the injector's (%s) and stays as it is (spec.onConflict.container: Keep)",
			name, strings.Join(differing, ", "))}
	}
	return nil
}

// taken is a container of the app that has the name of one of the payload's.
type taken struct {
	list     string
	index    int
	app      *yaml.Node // as the app has it
	isOthers bool       // whether another injector has replaced it
}

// settleContainer settles the conflict with a container of the same name in the same list.
func settleContainer(pod *Pod, t taken, c injector.Container, body *yaml.Node) []finding.Finding {
	if node.Equal(t.app, body) && pod.payload.Spec.OnConflict.Container != v1alpha1.ContainerMerge {
		pod.setHas(c.Name)
		pod.wishes.addApps(thingIn(t.list, c.Name), body)
		return nil
	}
	switch pod.payload.Spec.OnConflict.Container {
	case v1alpha1.ContainerMerge:
		return mergeContainer(pod, t, body)
	case v1alpha1.ContainerReplace:
		pod.wishes.addEntry("spec/"+t.list, body)
		pod.setHas(c.Name)
		if !t.isOthers {
			pod.replace(t.list, t.index, body)
		}
		return nil
	default:
		differing := differences(t.app, body)
		f := newFinding(finding.Error, finding.ContainerConflict, pod.entryAt(t.list, t.index),
			"container %q is already there and differs in %s; %s", c.Name, strings.Join(differing, ", "),
			remedy(pod.payload, podtemplate.EqualExceptImage(t.app, body)))
		f.Field.Path += "." + differing[0]
		f.Field.Current, f.Field.Proposed = node.Brief(node.Get(t.app, differing[0])), node.Brief(node.Get(body, differing[0]))
		return []finding.Finding{pod.blameOthers(t.isOthers, f)}
	}
}

// remedy returns what to do about a container that is there already and differs.
func remedy(in *injector.Injector, adoptable bool) string {
	const settle = "rename it, or set spec.onConflict.container to Keep, Merge or Replace"
	switch {
	case in.Spec.Adopt && adoptable:
		return "it is the only container of the pod, so spec.adopt treats it as the app's; " + settle
	case in.Spec.Adopt:
		return "spec.adopt accepts only differences in image and order; make it equal to the payload, " + settle
	case adoptable && in.Kind == "":
		return settle + "; if it was injected before, without a stamp, set spec.adopt to true"
	default:
		return settle
	}
}

// differences returns the names of the fields in which two containers differ.
func differences(a, b *yaml.Node) []string {
	keys := append(node.Keys(a), node.Keys(b)...)
	slices.Sort(keys)
	inA, inB := node.Values(a), node.Values(b)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		return node.Equal(inA.Get(key), inB.Get(key))
	})
}
