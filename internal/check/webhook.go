package check

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Webhook is an admission webhook that injects its own sidecar into pods with a marker.
type Webhook struct {
	Owner   string
	sidecar []string // words in the name or the image of its sidecar
	markers []marker
}

// marker is a label or an annotation, with the value that requests the sidecar.
type marker struct{ key, value string }

var webhooks = []Webhook{
	{"Istio", []string{"istio-proxy", "proxyv2", "envoy"}, []marker{{"sidecar.istio.io/inject", "true"}, {"istio-injection", "enabled"}}},
	{"Dapr", []string{"daprd"}, []marker{{"dapr.io/enabled", "true"}}},
	{"Vault", []string{"vault"}, []marker{{"vault.hashicorp.com/agent-inject", "true"}}},
	{"Linkerd", []string{"linkerd-proxy"}, []marker{{"linkerd.io/inject", "enabled"}}},
}

// Asked is a webhook whose sidecar is in the payload already, as a container.
type Asked struct {
	Webhook
	Container string
}

// WebhooksOf returns the webhooks whose sidecar is a container with this name and image.
func WebhooksOf(name, image string) []Asked {
	var asked []Asked
	for _, w := range webhooks {
		if slices.ContainsFunc(w.sidecar, func(word string) bool { return strings.Contains(name, word) || strings.Contains(image, word) }) {
			asked = append(asked, Asked{w, name})
		}
	}
	return asked
}

// Twice reports a marker of the pod, or of its namespace, that requests the sidecar from the webhook, too. The pod's
// own markers come before the labels and annotations of its namespace.
func (a Asked) Twice(template podtemplate.Template, namespace ...map[string]string) []finding.Finding {
	for _, m := range a.markers {
		for _, list := range []string{"annotations", "labels"} {
			switch value := node.Text(template.Node, "metadata", list, m.key); {
			case value == m.value:
				return a.warn(m, "the pod", template.At("metadata."+list))
			case value != "":
				return nil
			}
		}
	}
	for _, m := range a.markers {
		for _, markers := range namespace {
			if markers[m.key] == m.value {
				return a.warn(m, "its namespace", template.At("metadata"))
			}
		}
	}
	return nil
}

func (a Asked) warn(m marker, who, path string) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Warning,
		Code:     finding.WebhookMarker,
		Field:    &finding.Field{Path: path},
		Message: fmt.Sprintf("%s asks %s's webhook for a sidecar (%s: %q), and container %q is one already; "+
			"remove the marker, or keep this pod out", who, a.Owner, m.key, m.value, a.Container),
	}}
}
