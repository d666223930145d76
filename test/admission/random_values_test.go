package admission

import "slices"

// addValues adds labels and annotations that variables and overrides of the configs use: valid ones and others.
func (r maker) addValues(metadata map[string]any) {
	r.addSome(metadata, "labels", map[string][]any{"version": {"1", "2.0", ""}, "conf": {"web", "log"}})
	r.addSome(metadata, "annotations", map[string][]any{
		"odd": {
			`"quotes" and 'quotes'`, `back\slash`, "é😀\u2028", "$(OWN)", "$(A) $(B) $(C)", "$$(A)", "$(A", "$${HOME} ${HOME}", "two\nlines", "",
			"%s {{ }}",
		},
		"cpu":            {"1", "0.5", "100m", "0.0001", " 2 ", "lots", "", "1\n", "1.5", "1e3", "\u00a01", "1e100", "1E", "+1", "1e99"},
		"probe":          {"8080", "http", "+9", "007", "99999999999999999999", "3000000000", "", "80"},
		"pull":           {"Always", "IfNotPresent", "sometimes", ""},
		"config":         {"app-conf", "App_Conf", "", "a.b"},
		"image":          {"log:2", "log:latest", "log"},
		defaultContainer: {"web", "helper", "missing", "log", ""},
		"kubectl.kubernetes.io/default-logs-container":        {"web"},
		"pillion.dev/log.image":                               {"log:2", "log:latest", "${container.name}", `a"b\c`, " ", ""},
		"pillion.dev/log.workingDir":                          {"/mine", ""},
		"pillion.dev/log.imagePullPolicy":                     {"Always", "Never", "never"},
		"pillion.dev/log.tty":                                 {"true", "false", "yes"},
		"pillion.dev/log.resources.limits.cpu":                {"1", "1000m", "0.0001", "lots"},
		"pillion.dev/log.resources.requests.memory":           {"1Gi", " 64Mi", ""},
		"pillion.dev/log.securityContext.runAsUser":           {"0", "1000", "+5", "007", "me"},
		"pillion.dev/log.securityContext.privileged":          {"true", "false", "1"},
		"pillion.dev/log.livenessProbe.httpGet.port":          {"8080", "http", "3000000000", "010"},
		"pillion.dev/log.livenessProbe.initialDelaySeconds":   {"0", "5", "3000000000", "1.5"},
		"pillion.dev/log.securityContext.seccompProfile.type": {"RuntimeDefault", "Unconfined"},
		"pillion.dev/log.stdin":                               {"true"}, // not allowed
		"pillion.dev/sidecar.image":                           {"sidecar:2"},
		"pillion.dev/sidecar.terminationMessagePolicy":        {"File", "FallbackToLogsOnError", ""},
		"pillion.dev/sidecar.lifecycle.preStop.sleep.seconds": {"1", "x"},
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
