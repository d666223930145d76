package pod

import (
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// defaults are what the API server sets in containers and volumes. Those of the pod spec are in the table of rows.
var defaults = sync.OnceValue(func() map[field]string {
	return map[field]string{
		{"Container", "terminationMessagePath"}:   "/dev/termination-log",
		{"Container", "terminationMessagePolicy"}: "File",
		{"ContainerPort", "protocol"}:             "TCP",

		{"Probe", "timeoutSeconds"}:   "1",
		{"Probe", "periodSeconds"}:    "10",
		{"Probe", "successThreshold"}: "1",
		{"Probe", "failureThreshold"}: "3",
		{"HTTPGetAction", "path"}:     "/",
		{"HTTPGetAction", "scheme"}:   "HTTP",
		{"GRPCAction", "service"}:     "",

		{"ObjectFieldSelector", "apiVersion"}: "v1",
		{"ResourceFieldSelector", "divisor"}:  "0",

		{"SecretVolumeSource", "defaultMode"}:                  "420",
		{"ConfigMapVolumeSource", "defaultMode"}:               "420",
		{"DownwardAPIVolumeSource", "defaultMode"}:             "420",
		{"ProjectedVolumeSource", "defaultMode"}:               "420",
		{"ServiceAccountTokenProjection", "expirationSeconds"}: "3600",
		{"HostPathVolumeSource", "type"}:                       "",
		{"PersistentVolumeClaimSpec", "volumeMode"}:            "Filesystem",
		{"ISCSIVolumeSource", "iscsiInterface"}:                "default",
		{"RBDVolumeSource", "pool"}:                            "rbd",
		{"RBDVolumeSource", "user"}:                            "admin",
		{"RBDVolumeSource", "keyring"}:                         "/etc/ceph/keyring",
		{"ScaleIOVolumeSource", "storageMode"}:                 "ThinProvisioned",
		{"ScaleIOVolumeSource", "fsType"}:                      "xfs",

		// These are empty mappings.
		{"Container", "securityContext"}: "",
		{"PodSpec", "securityContext"}:   "",
		{"Container", "resources"}:       "",
	}
})

// Default returns what the API server sets in a field of a type if there is nothing. It is empty for an empty string or
// mapping.
func Default(t reflect.Type, name string) (value string, hasDefault bool) {
	value, hasDefault = defaults()[field{t.Name(), name}]
	if !hasDefault && t == reflect.TypeFor[corev1.PodSpec]() {
		value = InSpec(name).Default
		hasDefault = value != ""
	}
	return value, hasDefault
}

// IsDefaulted reports whether a field of a container or a volume gets a default in place of its zero value, so that the
// zero value is no declaration, unless the field is a pointer.
func IsDefaulted(name string) bool { return defaulted()[name] }

var defaulted = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"imagePullPolicy": true, "hostPort": true} // which depend on other fields
	for of, value := range defaults() {
		names[of.name] = names[of.name] || value != ""
	}
	return names
})
