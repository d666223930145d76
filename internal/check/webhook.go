package check

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Webhook is an admission webhook that puts in a sidecar of its own where a marker asks.
type Webhook struct {
	Owner   string
	sidecar []string // what the name or the image of its sidecar contains
	markers []marker
}

// marker is a label or an annotation, and the value that asks.
type marker struct{ key, value string }

var webhooks = []Webhook{
	{"Istio", []string{"istio-proxy", "proxyv2", "envoy"}, []marker{{"sidecar.istio.io/inject", "true"}, {"istio-injection", "enabled"}}},
	{"Dapr", []string{"daprd"}, []marker{{"dapr.io/enabled", "true"}}},
	{"Vault", []string{"vault"}, []marker{{"vault.hashicorp.com/agent-inject", "true"}}},
	{"Linkerd", []string{"linkerd-proxy"}, []marker{{"linkerd.io/inject", "enabled"}}},
}

// Asked is a webhook's sidecar that a payload brings itself, and the container that it is.
type Asked struct {
	Webhook
	Container string
}

// WebhooksOf are the webhooks whose sidecar a container with this name and image is.
func WebhooksOf(name, image string) []Asked {
	var asked []Asked
	for _, w := range webhooks {
		if slices.ContainsFunc(w.sidecar, func(word string) bool { return strings.Contains(name, word) || strings.Contains(image, word) }) {
			asked = append(asked, Asked{w, name})
		}
	}
	return asked
}

// Twice finds the marker by which the pod, or its namespace, asks the webhook for a sidecar that
// is in already. What the pod says goes before what its namespace's labels and annotations say.
func (a Asked) Twice(template podtemplate.Template, namespace ...map[string]string) []finding.Finding {
	for _, m := range a.markers {
		for _, list := range []string{"annotations", "labels"} {
			path := []string{"metadata", list, m.key}
			switch said := node.Text(template.Node, path...); {
			case said == m.value:
				return a.say(m, "the pod", template.At("metadata."+list))
			case said != "":
				return nil
			}
		}
	}
	for _, m := range a.markers {
		for _, said := range namespace {
			if said[m.key] == m.value {
				return a.say(m, "its namespace", template.At("metadata"))
			}
		}
	}
	return nil
}

func (a Asked) say(m marker, who, path string) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Warning,
		Code:     finding.WebhookMarker,
		Field:    &finding.Field{Path: path},
		Message: fmt.Sprintf("%s asks %s's webhook for a sidecar (%s: %q), and container %q is one already; remove the marker, or keep this pod out",
			who, a.Owner, m.key, m.value, a.Container),
	}}
}
