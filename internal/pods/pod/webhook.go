package pod

import "slices"

// webhookContainers are the names of the containers that well-known admission webhooks add to pods. They are not the
// app's, unless something tells that they were in the manifest.
var webhookContainers = []string{
	"istio-proxy", "istio-init", "istio-validation",
	"linkerd-proxy", "linkerd-init", "linkerd-network-validator",
	"daprd", // of Dapr
	"vault-agent", "vault-agent-init",
}

// WebhookContainers returns the names of the containers that well-known admission webhooks add to pods.
func WebhookContainers() []string { return slices.Clone(webhookContainers) }

// IsOfWebhook reports whether a container has the name of one that a well-known admission webhook adds.
func IsOfWebhook(name string) bool { return slices.Contains(webhookContainers, name) }
