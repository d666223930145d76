package pod

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// table has a row for each list and field that needs one. What is in spec/containers/* is the same in the other lists
// of containers. A list of a new version of Kubernetes needs a row here, and nothing else.
var table = []Row{
	{Path: "metadata/labels", Noun: "label"},
	{Path: "metadata/annotations", Noun: "annotation"},

	{
		Path: "spec/containers", Keys: name, Noun: "container", Taken: container, Short: "c",
		Move: "sidecars belong in spec.containers, and what the app's containers get in spec.appContainers; move it there",
	},
	{Path: "spec/initContainers", Keys: name, Noun: "init container", Taken: container, Short: "i", Move: ownField("initContainers")},
	{
		Path: "spec/ephemeralContainers", Keys: name,
		Move: "ephemeral containers can only be added to running pods, not to a manifest; remove them",
	},
	{
		Path: "spec/volumes", Keys: name, AnyOrder: true, Noun: "volume", Taken: Taken{"volume", finding.VolumeConflict, true}, Short: "v",
		Move: ownField("volumes"),
	},
	{Path: "spec/volumes/*/configMap/name", Refers: configMap},
	{Path: "spec/volumes/*/secret/secretName", Refers: secret},
	{Path: "spec/volumes/*/projected/sources/*/configMap/name", Refers: configMap},
	{Path: "spec/volumes/*/projected/sources/*/secret/name", Refers: secret},
	{Path: "spec/volumes/*/persistentVolumeClaim/claimName", Refers: "PersistentVolumeClaim"},
	{
		Path: "spec/imagePullSecrets", Keys: name, nameInKey: 1, AnyOrder: true, Noun: "imagePullSecret",
		Move: ownField("imagePullSecrets"),
	},
	{Path: "spec/imagePullSecrets/*/name", Refers: secret},

	{Path: "spec/containers/*/env", Keys: name, Noun: "env variable", Taken: Taken{"env", finding.EnvConflict, true}, Expands: true},
	{Path: "spec/containers/*/env/*/valueFrom/configMapKeyRef/name", Refers: configMap},
	{Path: "spec/containers/*/env/*/valueFrom/secretKeyRef/name", Refers: secret},
	{
		Path: "spec/containers/*/envFrom", Keys: []string{"configMapRef", "secretRef", "prefix"}, key: source, nameInKey: 2,
		Noun: "envFrom source", Taken: Taken{Code: finding.EnvConflict},
	},
	{Path: "spec/containers/*/envFrom/*/configMapRef/name", Refers: configMap},
	{Path: "spec/containers/*/envFrom/*/secretRef/name", Refers: secret},
	{
		Path: "spec/containers/*/ports", Keys: []string{"containerPort", "protocol"}, key: PortKey, Noun: "port",
		same: func(a, b *node.Node) bool { return PortsClash(a, b) != "" }, Taken: Taken{"port", finding.PortConflict, false},
	},
	{Path: "spec/containers/*/volumeMounts", Keys: []string{"mountPath"}, key: mountPath, Noun: "mount", keyNoun: "mount path", Taken: mount},
	{Path: "spec/containers/*/volumeDevices", Keys: []string{"devicePath"}, Noun: "device", keyNoun: "device path", Taken: mount},
	{Path: "spec/containers/*/livenessProbe", Whole: true},
	{Path: "spec/containers/*/readinessProbe", Whole: true},
	{Path: "spec/containers/*/startupProbe", Whole: true},
	{Path: "spec/containers/*/lifecycle", Whole: true},
	{Path: "spec/containers/*/securityContext/seccompProfile", Whole: true},
	{Path: "spec/containers/*/securityContext/appArmorProfile", Whole: true},

	{Path: "spec/securityContext/seccompProfile", Whole: true},
	{Path: "spec/securityContext/appArmorProfile", Whole: true},
	{Path: "spec/securityContext/sysctls", Keys: name, Noun: "sysctl"},
	{Path: "spec/dnsConfig/options", Keys: name, Noun: "DNS option"},
	{Path: "spec/hostAliases", Keys: []string{"ip"}, Noun: "host alias", Grows: true},
	{Path: "spec/resourceClaims", Keys: name, Noun: "resource claim"},
	{Path: "spec/schedulingGates", Keys: name, Noun: "scheduling gate"},
	{Path: "spec/evictionResponders", Keys: name, Noun: "eviction responder"},
	{
		Path: "spec/topologySpreadConstraints", Keys: []string{"topologyKey", "whenUnsatisfiable"}, key: spread,
		Noun: "topology spread constraint",
	},
	// Its terms are alternatives, so that one more requires less.
	{Path: "spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution", Whole: true},

	{Path: "spec/" + PostRenderers, Keys: []string{"kustomize", "patches"}, key: stampedName, Noun: "post-renderer"}, // of a Release

	{Path: "spec/tolerations", Adds: true},
	{Path: "spec/restartPolicy", Early: true, Default: "Always"},
	{Path: "spec/dnsPolicy", Early: true, Default: "ClusterFirst"},
	{Path: "spec/schedulerName", Early: true, Default: "default-scheduler"},
	{Path: "spec/terminationGracePeriodSeconds", Early: true, Default: "30"},
	{Path: "spec/enableServiceLinks", Early: true, Default: "true"},
	{Path: "spec/preemptionPolicy", Early: true, Default: "PreemptLowerPriority"},
	{Path: "spec/priority", Early: true, Default: "0"},
	{Path: "spec/priorityClassName", Early: true, Refers: "PriorityClass"}, // one that comes later contradicts the priority
	{Path: "spec/serviceAccountName", Early: true, Default: "default", Synonym: "serviceAccount", Refers: "ServiceAccount"},
	{Path: "spec/serviceAccount", Early: true, Default: "default", Synonym: "serviceAccountName"},
	{Path: "spec/automountServiceAccountToken", Early: true}, // the token is mounted already
	{Path: "spec/resources", Early: true},                    // computed from those of the containers
}

const configMap, secret = "ConfigMap", "Secret"

var (
	name      = []string{"name"}
	container = Taken{"container", finding.ContainerConflict, true}
	mount     = Taken{"mountPath", finding.MountConflict, true}
)

func ownField(field string) string {
	return field + " have a field of their own, spec." + field + "; move them there"
}
