package schema

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/text/glob"
)

// CheckValid reports a text that breaks one of Kubernetes' rules for such texts.
func (p *Problems) CheckValid(at Path, text, what string, rule func(string) []string) {
	found := Problem{At: at, Current: text, Message: faultOf(text, what, rule)}
	if found.Message == "" {
		return
	}
	if near := asName(text); !p.IsOfPod && len(text) <= MaxShown && near != text && len(rule(near)) == 0 {
		found.Proposed = near
		found.Message += "; did you mean " + near + "?"
	}
	p.Refuse(found)
}

// faultOf returns how a text breaks one of Kubernetes' rules, or "".
func faultOf(text, what string, rule func(string) []string) string {
	faults := rule(text)
	if len(faults) == 0 {
		return ""
	}
	for i, fault := range faults {
		faults[i] = inWords(fault)
	}
	return fmt.Sprintf("%q is not a valid %s: %s", Shown(text), what, strings.Join(faults, "; "))
}

// inWords returns a message of Kubernetes about a name without its regular expression and the number of the standard.
func inWords(fault string) string {
	fault, _, _ = strings.Cut(fault, " (e.g.")
	fault, _, _ = strings.Cut(fault, " (regex")
	if name, must, found := strings.Cut(fault, " must "); found && strings.Contains(name, "RFC") {
		return "it must " + must
	}
	return fault
}

// asName returns a text in lower case with hyphens instead of underscores and spaces.
func asName(text string) string {
	return strings.Trim(strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(text)), "-")
}

// IsAnnotationKey is Kubernetes' rule for the keys of annotations, which may be in any case.
func IsAnnotationKey(key string) []string { return validation.IsQualifiedName(strings.ToLower(key)) }

// CheckUnique reports a name that an earlier entry of a list has.
func (p *Problems) CheckUnique(at Path, name string, names FirstUses) {
	p.CheckOnce(names, name, at, at.Key("name"), "%[1]s has the name %[2]q already; rename one of them")
}

// CheckSelector reports a selector that is not valid.
func (p *Problems) CheckSelector(at Path, selector *metav1.LabelSelector) {
	if selector == nil {
		return
	}
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		p.Refusef(at, "", "this is not a valid label selector: %s", err)
	}
}

// maxGlobs bounds the globs of a list, because each is compared with each workload.
const maxGlobs = 100

// CheckGlobs checks a list of names and globs, and reports whether it is short enough. The field excluding is the one
// for exceptions.
func (p *Problems) CheckGlobs(
	at Path, entries []string, noun, excluding string, isValid func(name string) []string,
) bool {
	count := 0
	for i, entry := range entries {
		at := at.Index(i)
		switch err := glob.Check(Shown(entry)); {
		case strings.HasPrefix(entry, "!"):
			p.Refusef(at, entry,
				"%q: \"!\" negates nothing here; %s lists what to leave alone", Shown(entry), excluding)
		case err != nil:
			p.Refusef(at, entry, "%s", err)
		case glob.HasWildcard(entry):
			count++
			letters := strings.NewReplacer("*", "a", "?", "a")
			p.CheckValid(at, entry, "glob for a "+noun,
				func(glob string) []string { return isValid(letters.Replace(glob)) })
		default:
			p.CheckValid(at, entry, noun, isValid)
		}
	}
	if count > maxGlobs {
		p.Refusef(at, "", "there are %d globs; the most is %d, so select by labels instead", count, maxGlobs)
	}
	return count <= maxGlobs
}

// MetadataKey splits a fieldPath of the form metadata.labels['x'] or metadata.annotations['x']
// into the mapping and the key.
func MetadataKey(fieldPath string) (mapping, key string, ok bool) {
	for _, mapping := range []string{"labels", "annotations"} {
		rest, found := strings.CutPrefix(fieldPath, "metadata."+mapping+"['")
		key, closed := strings.CutSuffix(rest, "']")
		if found && closed && key != "" && !strings.Contains(key, "'") {
			return mapping, key, true
		}
	}
	return "", "", false
}
