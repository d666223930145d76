package pod

import (
	"iter"
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// The lists of containers. The last one is only in running pods, and never changed.
const (
	Main      = "containers"
	Init      = "initContainers"
	Ephemeral = "ephemeralContainers"
)

// ContainerLists are the lists of containers of a pod template.
var ContainerLists = [...]string{Main, Init}

// MountLists returns the lists by which a container uses volumes: its mounts and its devices.
func MountLists() [2]*Row { return [2]*Row{InContainer("volumeMounts"), InContainer("volumeDevices")} }

// TokenVolume begins the name of the volume that the API server adds for the token of the ServiceAccount.
const TokenVolume = "kube-api-access-"

// DefaultContainer is the annotation that names the container that kubectl takes if none is named. An injection may set
// it; it has no effect in the pod.
const DefaultContainer = "kubectl.kubernetes.io/default-container"

// OlderDefaultContainer is the annotation that kubectl logs used before DefaultContainer, and still reads.
const OlderDefaultContainer = "kubectl.kubernetes.io/default-logs-container"

// Position is where a container is in one of the lists of a pod spec.
type Position struct {
	List  string
	Index int
}

// String returns the path of the container in the pod spec: containers[0].
func (p Position) String() string { return p.List + "[" + strconv.Itoa(p.Index) + "]" }

// Containers returns the containers of a pod spec, those that run beside each other first.
func Containers(spec *node.Node) iter.Seq2[Position, *node.Node] {
	return func(yield func(Position, *node.Node) bool) {
		for _, list := range ContainerLists {
			for i, container := range node.List(spec, list) {
				if !yield(Position{list, i}, container) {
					return
				}
			}
		}
	}
}

// CountContainers returns how many containers a pod spec has in all of its lists.
func CountContainers(spec *node.Node) int {
	return len(node.List(spec, Main)) + len(node.List(spec, Init)) + len(node.List(spec, Ephemeral))
}

// Mounted returns the mounts and the devices of a container.
func Mounted(container *node.Node) []*node.Node {
	lists := MountLists()
	return slices.Concat(node.List(container, lists[0].Name()), node.List(container, lists[1].Name()))
}

// IsNative reports whether a container of a list is a native sidecar.
func IsNative(list string, container *node.Node) bool {
	return list == Init && node.Text(container, "restartPolicy") == "Always"
}

// Runs reports whether a container of a list runs beside the others, and does not end before them as init containers
// do.
func Runs(list string, container *node.Node) bool { return list == Main || IsNative(list, container) }
