package engine_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// amounts returns requests, limits or both of some resources that are valid together, or nothing.
func (s source) amounts(most int, names ...string) string {
	var requests, limits []string
	for _, name := range names {
		request, limit := 1+s.IntN(most), 1+s.IntN(most)
		if s.chance(30) {
			limit = request
		}
		request, limit = min(request, limit), max(request, limit)
		which := s.IntN(4)
		if which&1 != 0 {
			requests = append(requests, name+": "+s.quantity(name, request))
		}
		if which&2 != 0 {
			limits = append(limits, name+": "+s.quantity(name, limit))
		}
	}
	var lists []string
	if len(requests) > 0 {
		lists = append(lists, "requests: {"+strings.Join(requests, ", ")+"}")
	}
	if len(limits) > 0 {
		lists = append(lists, "limits: {"+strings.Join(limits, ", ")+"}")
	}
	if len(lists) == 0 {
		return ""
	}
	return "resources: {" + strings.Join(lists, ", ") + "}"
}

// quantity writes tenths of a core, or multiples of 16Mi, in one of the ways that mean the same.
func (s source) quantity(name string, n int) string {
	if name == "cpu" {
		return s.of(fmt.Sprintf("%d00m", n), fmt.Sprintf(`"%d00m"`, n), fmt.Sprintf("%d.%d", n/10, n%10), fmt.Sprintf("%d00000u", n))
	}
	return s.of(fmt.Sprintf("%dMi", 16*n), fmt.Sprintf("%d", n<<24), fmt.Sprintf("'%dKi'", n<<14))
}

// podWithResources returns a pod with resources of its own and containers of several kinds.
func (s source) podWithResources() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n")
	own := s.amounts(40, "cpu", "memory")
	if s.chance(40) { // Guaranteed
		cpu, memory := 10+s.IntN(30), 10+s.IntN(30)
		limits := "{cpu: " + s.quantity("cpu", cpu) + ", memory: " + s.quantity("memory", memory) + "}"
		requests := "{cpu: " + s.quantity("cpu", cpu) + ", memory: " + s.quantity("memory", memory) + "}"
		own = s.of("resources: {limits: "+limits+"}", "resources: {limits: "+limits+", requests: "+requests+"}")
	}
	if own != "" {
		b.WriteString("  " + own + " # for all\n")
	}
	for _, list := range []string{"initContainers", "containers"} {
		count := s.IntN(3)
		if list == "containers" {
			count++
		} else if count == 0 {
			continue
		}
		b.WriteString("  " + list + ":\n")
		for i := range count {
			fmt.Fprintf(&b, "  - name: %s%d\n    image: app:1\n", list[:3], i)
			if own := s.amounts(10, "cpu", "memory"); own != "" {
				b.WriteString("    " + own + "\n")
			}
			if list == "initContainers" && s.chance(40) {
				b.WriteString("    restartPolicy: Always\n")
			}
		}
	}
	return b.String()
}

// growing returns the spec of an injector with a sidecar that has resources, and perhaps an init container.
func (s source) growing(name string) string {
	spec := "{containers: [{name: " + name + ", image: 'a:1', mode: " + s.of("Native", "Container")
	if own := s.amounts(10, "cpu", "memory"); own != "" {
		spec += ", " + own
	}
	spec += "}]"
	if s.chance(30) {
		spec += ", initContainers: [{name: setup-" + name + ", image: 'a:1'"
		if own := s.amounts(20, "cpu", "memory"); own != "" {
			spec += ", " + own
		}
		spec += "}]"
	}
	return spec + "}"
}

func growingInjector(name, action, spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: " + name + "}\n" +
		"spec: {action: " + action + ", " + spec[1:] + "\n"
}

// TestPodsGrowAndShrink injects two injectors into random pods with resources of their own, in separate runs. The
// result keeps the rules of the API server if the pod did, a second run of either changes nothing, and removing both,
// in either order, gives the bytes back.
func TestPodsGrowAndShrink(t *testing.T) {
	const pods = 200
	grown := 0
	for seed := range uint64(pods) {
		s := newSource(seed)
		first := s.podWithResources()
		if problem := podProblem(t, first); problem != "" {
			continue
		}
		specs := map[string]string{"a": s.growing("a"), "b": s.growing("b")}
		items := first
		for _, name := range []string{"a", "b", "a", "b"} {
			next, said, failed := step(t, growingInjector(name, "Inject", specs[name]), items)
			if failed {
				t.Fatalf("seed %d: %s is refused: %s\n%s\n%s", seed, name, said, specs[name], items)
			}
			if problem := podProblem(t, next); problem != "" {
				t.Fatalf("seed %d: after %s, %s\n%s\n%s", seed, name, problem, specs[name], next)
			}
			if isSecond := strings.Contains(items, "injected-a") && strings.Contains(items, "injected-b"); isSecond && next != items {
				t.Fatalf("seed %d: a second run of %s changes\n%s\ninto\n%s", seed, name, items, next)
			}
			items = next
		}
		if was, is := qosOf(t, first), qosOf(t, items); was == corev1.PodQOSGuaranteed && strings.Contains(first, "\n  resources:") && was != is {
			t.Fatalf("seed %d: the QoS class was %s, and is %s\n%s", seed, was, is, items)
		}
		if strings.Contains(items, ":+") {
			grown++
		}
		for _, order := range []string{"ab", "ba"} {
			left := items
			for _, name := range strings.Split(order, "") {
				next, said, failed := step(t, growingInjector(name, "Remove", specs[name]), left)
				if failed {
					t.Fatalf("seed %d: %s cannot be removed: %s\n%s", seed, name, said, left)
				}
				left = next
			}
			if left != first {
				t.Fatalf("seed %d: removing %s gives\n%s\ninstead of\n%s", seed, order, left, first)
			}
		}
	}
	if grown < pods/4 {
		t.Errorf("only %d pods have grown", grown)
	}
}

// podOf reads a pod with the requests that the API server sets: those of containers are their limits, and those of the
// pod are what its containers request together, or else its limits.
func podOf(t *testing.T, text string) *corev1.PodSpec {
	t.Helper()
	pod := &corev1.Pod{}
	if err := yaml.Unmarshal([]byte(text), pod); err != nil {
		t.Fatal(err)
	}
	spec := &pod.Spec
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			complete(&list[i].Resources, list[i].Resources.Limits)
		}
	}
	if spec.Resources != nil && len(spec.Resources.Limits) > 0 {
		complete(spec.Resources, requestedBy(spec))
		complete(spec.Resources, spec.Resources.Limits)
	}
	return spec
}

func complete(to *corev1.ResourceRequirements, from corev1.ResourceList) {
	for name, amount := range from {
		if _, has := to.Requests[name]; !has {
			if to.Requests == nil {
				to.Requests = corev1.ResourceList{}
			}
			to.Requests[name] = amount.DeepCopy()
		}
	}
}

// requestedBy returns the most that the containers of a pod request at one time.
func requestedBy(spec *corev1.PodSpec) corev1.ResourceList {
	sum := corev1.ResourceList{}
	add := func(to, amounts corev1.ResourceList) corev1.ResourceList {
		all := to.DeepCopy()
		for name, amount := range amounts {
			total := all[name]
			total.Add(amount)
			all[name] = total
		}
		return all
	}
	var most []corev1.ResourceList
	for _, c := range spec.InitContainers {
		with := add(sum, c.Resources.Requests)
		if c.RestartPolicy != nil {
			sum = with
		} else {
			most = append(most, with)
		}
	}
	for _, c := range spec.Containers {
		sum = add(sum, c.Resources.Requests)
	}
	for _, amounts := range most {
		for name, amount := range amounts {
			if total, has := sum[name]; !has || amount.Cmp(total) > 0 {
				sum[name] = amount
			}
		}
	}
	return sum
}

// podProblem returns why the API server would refuse the resources of a pod, or "".
func podProblem(t *testing.T, text string) string {
	t.Helper()
	spec := podOf(t, text)
	if spec.Resources == nil {
		return ""
	}
	above := func(a corev1.ResourceList, b corev1.ResourceList) string {
		for name, amount := range a {
			if bound, has := b[name]; has && amount.Cmp(bound) > 0 {
				return fmt.Sprintf("%s of %s is above %s", amount.String(), name, bound.String())
			}
		}
		return ""
	}
	if problem := above(spec.Resources.Requests, spec.Resources.Limits); problem != "" {
		return "a request: " + problem
	}
	if problem := above(requestedBy(spec), spec.Resources.Requests); problem != "" {
		return "the containers together: " + problem
	}
	for _, c := range spec.Containers {
		if problem := above(c.Resources.Limits, spec.Resources.Limits); problem != "" {
			return "a container's limit: " + problem
		}
	}
	return ""
}

// qosOf returns the QoS class of a pod with resources of its own: it is Guaranteed if all limits are there and equal
// the requests.
func qosOf(t *testing.T, text string) corev1.PodQOSClass {
	t.Helper()
	spec := podOf(t, text)
	if spec.Resources == nil {
		return ""
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, limit := spec.Resources.Requests[name], spec.Resources.Limits[name]
		if (limit == resource.Quantity{}) || request.Cmp(limit) != 0 {
			return corev1.PodQOSBurstable
		}
	}
	return corev1.PodQOSGuaranteed
}
