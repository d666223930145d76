package check

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// webhook is an admission webhook that injects its own sidecar into pods with a marker.
type webhook struct {
	Product string
	sidecar []string // words in the name or the image of its sidecar
	markers []marker
}

// marker is a label or an annotation, with the value that requests the sidecar.
type marker struct{ key, value string }

var webhooks = []webhook{
	{"Istio", []string{"istio-proxy", "proxyv2", "envoy"}, []marker{{"sidecar.istio.io/inject", "true"}, {"istio-injection", "enabled"}}},
	{"Dapr", []string{"daprd"}, []marker{{"dapr.io/enabled", "true"}}},
	{"Vault", []string{"vault"}, []marker{{"vault.hashicorp.com/agent-inject", "true"}}},
	{"Linkerd", []string{"linkerd-proxy"}, []marker{{"linkerd.io/inject", "enabled"}}},
}

// WebhookSidecar is a container of the payload that a webhook injects, too.
type WebhookSidecar struct {
	webhook
	Container string
}

// FindWebhookSidecars returns the container with this name and image for each webhook that injects it, too.
func FindWebhookSidecars(name, image string) []WebhookSidecar {
	var found []WebhookSidecar
	for _, w := range webhooks {
		if slices.ContainsFunc(w.sidecar, func(word string) bool { return strings.Contains(name, word) || strings.Contains(image, word) }) {
			found = append(found, WebhookSidecar{w, name})
		}
	}
	return found
}

// CheckMarkers reports a marker of the pod, or of its namespace, that makes the webhook inject the sidecar a second
// time. The pod's own markers come before the labels and annotations of its namespace.
func (s WebhookSidecar) CheckMarkers(template pod.Template, namespace ...map[string]string) []finding.Finding {
	for _, m := range s.markers {
		for _, list := range []string{"annotations", "labels"} {
			switch value := node.Text(template.Node, "metadata", list, m.key); {
			case value == m.value:
				return s.warn(m, "the pod", template.At("metadata."+list))
			case value != "":
				return nil
			}
		}
	}
	for _, m := range s.markers {
		for _, markers := range namespace {
			if markers[m.key] == m.value {
				return s.warn(m, "the pod's namespace", template.At("metadata"))
			}
		}
	}
	return nil
}

func (s WebhookSidecar) warn(m marker, object, path string) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Warning,
		Code:     finding.WebhookMarker,
		Field:    &finding.Field{Path: path},
		Message: fmt.Sprintf("%s has the marker %s: %q, so %s's webhook injects a sidecar, too, and container %q is one already; "+
			"remove the marker, or keep this pod out", object, m.key, m.value, s.Product, s.Container),
	}}
}
