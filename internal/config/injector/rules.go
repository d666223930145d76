package injector

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/text/glob"
)

// checkValid reports a text that breaks one of Kubernetes' rules for such texts.
func (p *problems) checkValid(at path, text, what string, rule func(string) []string) {
	found := problem{at: at, current: text, message: faultOf(text, what, rule)}
	if found.message == "" {
		return
	}
	if near := asName(text); !p.isOfPod && len(text) <= maxShown && near != text && len(rule(near)) == 0 {
		found.proposed = near
		found.message += "; did you mean " + near + "?"
	}
	p.refuse(found)
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
	return fmt.Sprintf("%q is not a valid %s: %s", clip(text, maxShown), what, strings.Join(faults, "; "))
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

// isAnnotationKey is Kubernetes' rule for the keys of annotations, which may be in any case.
func isAnnotationKey(key string) []string { return validation.IsQualifiedName(strings.ToLower(key)) }

// checkUnique reports a name that an earlier entry of a list has.
func (p *problems) checkUnique(at path, name string, names firstUses) {
	p.checkOnce(names, name, at, at.key("name"), "%[1]s has the name %[2]q already; rename one of them")
}

// checkSelector reports a selector that is not valid.
func (p *problems) checkSelector(at path, selector *metav1.LabelSelector) {
	if selector == nil {
		return
	}
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		p.refusef(at, "", "this is not a valid label selector: %s", err)
	}
}

// maxGlobs bounds the globs of a list, because each is compared with each workload.
const maxGlobs = 100

// checkGlobs checks a list of names and globs, and reports whether it is short enough. The field excluding is the one
// for exceptions.
func (p *problems) checkGlobs(
	at path, entries []string, noun, excluding string, isValid func(name string) []string,
) bool {
	count := 0
	for i, entry := range entries {
		at := at.index(i)
		switch err := glob.Check(clip(entry, maxShown)); {
		case strings.HasPrefix(entry, "!"):
			p.refusef(at, entry,
				"%q: \"!\" negates nothing here; %s lists what to leave alone", clip(entry, maxShown), excluding)
		case err != nil:
			p.refusef(at, entry, "%s", err)
		case glob.HasWildcard(entry):
			count++
			letters := strings.NewReplacer("*", "a", "?", "a")
			p.checkValid(at, entry, "glob for a "+noun,
				func(glob string) []string { return isValid(letters.Replace(glob)) })
		default:
			p.checkValid(at, entry, noun, isValid)
		}
	}
	if count > maxGlobs {
		p.refusef(at, "", "there are %d globs; the most is %d, so select by labels instead", count, maxGlobs)
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
