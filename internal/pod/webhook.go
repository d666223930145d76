package pod

import "slices"

// WebhookContainers are the names of the containers that well-known admission webhooks add to pods, for each webhook.
// They are not the app's, unless something tells that they were in the manifest.
var WebhookContainers = [][]string{
	{"istio-proxy", "istio-init", "istio-validation"},              // Istio
	{"linkerd-proxy", "linkerd-init", "linkerd-network-validator"}, // Linkerd
	{"daprd"},                           // Dapr
	{"vault-agent", "vault-agent-init"}, // Vault
}

// IsOfWebhook reports whether a container has the name of one that a well-known admission webhook adds.
func IsOfWebhook(name string) bool {
	return slices.ContainsFunc(WebhookContainers, func(names []string) bool { return slices.Contains(names, name) })
}
