// Package apiserver runs admission policies as the Kubernetes API server does, in process: it matches, evaluates,
// patches and decodes with the API server's own code.
//
// Three things differ from a real API server. Pods have no defaults, because the code for them is in no module of its
// own: a test that needs a default writes it into the pod. No other admission plugin runs, such as the one that adds
// kube-api-access volumes. And what the API server checks when a policy is created is checked only in part, see Load.
package apiserver
