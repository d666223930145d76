package admission

import "slices"

// addValues adds labels and annotations that variables of the configs use: valid ones and others.
func (r maker) addValues(metadata map[string]any) {
	r.addSome(metadata, "labels", map[string][]any{"version": {"1", "2.0", ""}, "conf": {"web", "log"}})
	r.addSome(metadata, "annotations", map[string][]any{
		"odd": {
			`"quotes" and 'quotes'`, `back\slash`, "é😀\u2028", "$${HOME} ${HOME}", "two\nlines", "",
			"%s {{ }}",
		},
		"cpu":            {"1", "0.5", "100m", "0.0001", " 2 ", "lots", "", "1\n", "1.5", "1e3", "\u00a01", "1e100", "1E", "+1", "1e99"},
		"probe":          {"8080", "http", "99999999999999999999", "3000000000", "", "80"},
		"pull":           {"Always", "IfNotPresent", "sometimes", ""},
		"config":         {"app-conf", "App_Conf", "", "a.b"},
		"image":          {"log:2", "log:latest", "log"},
		defaultContainer: {"web", "helper", "missing", "log"},
		"kubectl.kubernetes.io/default-logs-container": {"web"},
		"pillion.dev/log.stdin":                        {"true"}, // no override: Pillion warns, and ignores it
	})
}

const defaultContainer = "kubectl.kubernetes.io/default-container"

// addSome adds some of the values to a mapping, which may be absent.
func (r maker) addSome(object map[string]any, field string, choices map[string][]any) {
	mapping, isMapping := object[field].(map[string]any)
	if !isMapping {
		mapping = map[string]any{}
	}
	for _, key := range sortedKeys(choices) {
		// The first ones are valid: more of them than of the others.
		if r.Intn(5) == 0 {
			mapping[key] = pick(r, slices.Concat(choices[key], choices[key][:min(2, len(choices[key]))])...)
		}
	}
	if isMapping || len(mapping) > 0 {
		object[field] = mapping
	}
}
