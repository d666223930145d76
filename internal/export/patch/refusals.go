package patch

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/pods/pod"
)

// Refusals returns all that patches cannot express. It is the table with a finder for rules, because only this package
// knows which kinds patches change. Docs print it.
func Refusals() []refusal.Entry {
	all := slices.Clone(refusal.Table)
	for i := range all {
		if all[i].Field == "rules" {
			all[i].Find = findOtherRules
		}
	}
	return all
}

// findOtherRules finds rules that name a kind which patches do not change, or none that they change. The group
// extensions does not count: it no longer exists, and rules list it as a precaution.
func findOtherRules(p *injector.Plan) []string {
	for _, known := range pod.NewKinds() {
		isNamed := slices.ContainsFunc(p.Spec.Rules, func(r v1alpha1.Rule) bool {
			return slices.Contains(r.APIGroups, known.Group) && slices.Contains(r.Resources, known.Resource)
		})
		if isNamed && known.Group != "extensions" && !isPatched(known) {
			return []string{""}
		}
	}
	if !slices.ContainsFunc(targetsOf(p.Injector), func(t target) bool { return t.kind != "" }) {
		return []string{""}
	}
	return nil
}

// findRefused returns an error finding for each field of an injector that patches cannot express.
func findRefused(in *injector.Injector) []finding.Finding {
	refused := Refusals()
	if len(in.AppContainers) > 0 { // its way out is also that of all others
		isOther := func(r refusal.Entry) bool { return r.Field != "appContainers" }
		refused = slices.DeleteFunc(refused, isOther)
	}
	return refusal.Find(in.Plan(), refused, refusal.Entry.InPatch)
}
