package admission

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/admission/apiserver"
)

// TestSinglePods compares Pillion and the policies where random pods and cases rarely are: on values that are almost others.
func TestSinglePods(t *testing.T) {
	for _, test := range []struct {
		name string
		spec string // of the injector log
		pods map[string]string
	}{
		{"an empty neverInjectSelector", "{neverInjectSelector: [{}]}", map[string]string{"": "unselected"}},
		{"sources", "{}", map[string]string{
			"annotations: {kubernetes.io/config.source: api}":          "injected",
			"annotations: {kubernetes.io/config.source: file}":         "unselected",
			"annotations: {kubernetes.io/config.mirror: x}":            "unselected",
			"annotations: {config.kubernetes.io/local-config: 'true'}": "unselected",
			"annotations: {config.kubernetes.io/local-config: 'no'}":   "injected",
		}},
		{"patterns", "{namespaces: {include: ['team-*', 'shop-?']}}", map[string]string{
			"namespace: team-": "injected", "namespace: team-a": "injected", "namespace: my-team-a": "unselected",
			"namespace: shop-": "unselected", "namespace: shop-a": "injected", "namespace: shop-ab": "unselected",
		}},
		{"excluded namespaces", "{namespaces: {exclude: ['team-*', shop]}}", map[string]string{
			"namespace: team-a": "unselected", "namespace: shop": "unselected", "namespace: other": "injected",
			"namespace: kube-system": "unselected",
		}},
		{"a reserved namespace that is included", "{namespaces: {include: [kube-system]}}", map[string]string{
			"namespace: kube-system": "injected", "namespace: kube-public": "unselected", "namespace: shop": "unselected",
		}},
		{
			"the namespace as its label", "{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: Exists}]}}",
			map[string]string{"namespace: shop": "injected"},
		},
		{"an empty label", "{selector: {matchLabels: {app: ''}}}", map[string]string{
			"": "unselected", "labels: {app: ''}": "injected", "labels: {app: web}": "unselected",
		}},
		{"NotIn", "{selector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]}}", map[string]string{
			"": "injected", "labels: {app: web}": "unselected", "labels: {app: ''}": "injected",
		}},
		{"DoesNotExist", "{selector: {matchExpressions: [{key: app, operator: DoesNotExist}]}}", map[string]string{
			"": "injected", "labels: {app: ''}": "unselected",
		}},
		{"markers", "{}", map[string]string{
			"annotations: {pillion.dev/inject: 'TRUE'}":                                         "injected",
			"annotations: {pillion.dev/inject: ' true '}":                                       "injected",
			"annotations: {pillion.dev/inject: 'False'}":                                        "unselected",
			"annotations: {pillion.dev/inject: 'other, log'}":                                   "injected",
			"annotations: {pillion.dev/inject: \"a,\\u2003\\u0085log\\n,b\"}":                   "injected",
			"annotations: {pillion.dev/inject: \"a,\\u200blog\"}":                               "unselected",
			"annotations: {pillion.dev/inject: 'a,log b'}":                                      "unselected",
			"annotations: {pillion.dev/inject: 'a,b-log,log.c'}":                                "unselected",
			"annotations: {pillion.dev/inject: 'maybe'}":                                        "unselected",
			"annotations: {pillion.dev/inject: ''}":                                             "unselected",
			"annotations: {pillion.dev/inject: 'true'}, labels: {pillion.dev/inject: 'false'}":  "unselected",
			"annotations: {pillion.dev/inject: 'false'}, labels: {pillion.dev/inject: 'true'}":  "unselected",
			"annotations: {pillion.dev/inject: 'true'}, labels: {pillion.dev/inject: 'maybe'}":  "unselected",
			"labels: {pillion.dev/injectwxyz: 'true'}":                                          "injected",
			"annotations: {initializer.kubernetes.io/log: 'false'}":                             "unselected",
			"annotations: {initializer.kubernetes.io/log: 'true'}":                              "injected",
			"annotations: {initializer.kubernetes.io/log: 'false', pillion.dev/inject: 'true'}": "injected",
		}},
		{"opting in", "{policy: disabled}", map[string]string{
			"": "unselected", "annotations: {pillion.dev/inject: 'true'}": "injected",
			"annotations: {initializer.kubernetes.io/log: 'true'}": "injected",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			subject, err := Compile(injectorOf("log", test.spec), nil)
			if err != nil {
				t.Fatal(err)
			}
			for metadata, want := range test.pods {
				checkSingle(t, subject, metadata, want)
			}
		})
	}
}

// TestManyOperations checks that CEL accepts a policy with more operations than it accepts in one chain.
func TestManyOperations(t *testing.T) {
	var labels strings.Builder
	for i := range 300 {
		fmt.Fprintf(&labels, "label-%d: x, ", i)
	}
	subject, err := Compile(injectorOf("log", "{patchPodMetadata: [{labels: {"+labels.String()+"}}]}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSingle(t, subject, "", "injected")
	checkSingle(t, subject, "labels: {label-7: y}", "injected")
}

// TestNamesThatBeginWithADigit checks that CEL accepts the variables of such an injector.
func TestNamesThatBeginWithADigit(t *testing.T) {
	subject, err := Compile(injectorOf("0-log", "{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSingle(t, subject, "", "injected")
}

// TestContainersInFrontOfTheFirst checks that the app's container stays the default of kubectl.
func TestContainersInFrontOfTheFirst(t *testing.T) {
	for _, place := range []string{"before: web", "podInjectPolicy: BeforeAppContainer"} {
		config := strings.Replace(injectorOf("log", "{}"), "image: 'side:1'", "image: 'side:1', mode: Container, "+place, 1)
		subject, err := Compile(config, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkSingle(t, subject, "", "injected")
	}
}

// TestNamesThatAreBooleans checks that an injector whose name is a word for yes is not chosen by that word.
func TestNamesThatAreBooleans(t *testing.T) {
	subject, err := Compile(injectorOf("yes", "{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSingle(t, subject, "annotations: {pillion.dev/inject: 'yes'}", "unselected")
	checkSingle(t, subject, "annotations: {pillion.dev/inject: 'yes,log'}", "injected")
	checkSingle(t, subject, "", "injected")
}

// TestInjectorsWithTheirOwnMarkers checks that opting out of one injector leaves the other.
func TestInjectorsWithTheirOwnMarkers(t *testing.T) {
	list := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
	for _, name := range []string{"one", "two"} {
		list += "- " + injectorOf(name, "{marker: example.com/"+name+", namespaces: {include: [shop, kube-system]}}")
	}
	subject, err := Compile(list, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkSingle(t, subject, "annotations: {example.com/one: 'false'}", "injected")
	checkSingle(t, subject, "annotations: {example.com/one: 'false', example.com/two: 'false'}", "unselected")
	checkSingle(t, subject, "namespace: kube-system", "injected")
}

// TestMisspeltMarkersAreNone checks that a policy, unlike a run on manifests, takes a pod with a misspelt marker for one without a marker.
func TestMisspeltMarkersAreNone(t *testing.T) {
	subject, err := Compile(injectorOf("log", "{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	manifest, namespace := singlePod(t, "annotations: {pillion.dev/injct: 'false'}")
	pod, err := decode(manifest)
	if err != nil {
		t.Fatal(err)
	}
	mutated, err := subject.policies.Mutate(arrive(pod, false), namespace)
	if err != nil || len(mutated.Pod.Spec.Containers)+len(mutated.Pod.Spec.InitContainers) != 2 {
		t.Error(mutated, err)
	}
}

// TestBrokenPoliciesPassSomePods checks the way out in an emergency: a policy that fails for every pod does not fail for one that opts out,
// for one that the API server mirrors, and in Kubernetes' own namespaces.
func TestBrokenPoliciesPassSomePods(t *testing.T) {
	subject, err := Compile(injectorOf("log", "{}"), func(text []byte) []byte {
		const name = "object.spec.containers.map(c, c.name)"
		return []byte(strings.ReplaceAll(string(text), name, "object.spec.nothing.map(c, c.name)"))
	})
	if err != nil {
		t.Fatal(err)
	}
	for metadata, fails := range map[string]bool{
		"": true, "annotations: {pillion.dev/inject: ' False'}": false, "labels: {pillion.dev/inject: 'false'}": false,
		"annotations: {kubernetes.io/config.mirror: x}": false, "namespace: kube-system": false,
	} {
		manifest, namespace := singlePod(t, metadata)
		pod, err := decode(manifest)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := subject.policies.Mutate(arrive(pod, false), namespace); (err != nil) != fails {
			t.Errorf("%q: mutating gives the error %v", metadata, err)
		}
		verdict, err := subject.policies.Validate(arrive(pod, false), namespace)
		if err != nil || (verdict.Denied != nil) != fails {
			t.Errorf("%q: validating gives %v %v", metadata, err, verdict.Denied)
		}
	}
}

// TestPodsWithoutContainers checks that the answer to such a pod is the API server's own, and no failure of an expression.
func TestPodsWithoutContainers(t *testing.T) {
	subject, err := Compile(injectorOf("log", "{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod, shop := &corev1.Pod{}, apiserver.Namespace{Name: "shop"}
	if _, err := subject.policies.Mutate(arrive(pod, true), shop); err != nil {
		t.Error(err)
	}
	if verdict, err := subject.policies.Validate(arrive(pod, true), shop); err != nil || verdict.Denied != nil {
		t.Error(err, verdict.Denied)
	}
}

// TestLongListsOfThePodSpec checks that the longest list that is exported stays below the cost that the API server allows.
func TestLongListsOfThePodSpec(t *testing.T) {
	var aliases strings.Builder
	for i := range 100 {
		fmt.Fprintf(&aliases, "{ip: 10.0.0.%d, hostnames: [a.example.com, b.example.com]}, ", i)
	}
	subject, err := Compile(injectorOf("log", "{podSpec: {hostAliases: ["+aliases.String()+"]}}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pod, shop := podOf(t, plainPod), apiserver.Namespace{Name: "shop"}
	for i := range 100 {
		own := corev1.HostAlias{IP: fmt.Sprintf("10.1.0.%d", i), Hostnames: []string{"c.example.com"}}
		pod.Spec.HostAliases = append(pod.Spec.HostAliases, own)
	}
	mutated, err := subject.policies.Mutate(arrive(pod, true), shop)
	if err != nil {
		t.Fatalf("%.500v", err)
	}
	if verdict, err := subject.policies.Validate(arrive(mutated.Pod, true), shop); err != nil || verdict.Denied != nil {
		t.Errorf("%.500v %.500v", err, verdict.Denied)
	}
}

// injectorOf returns an injector with one container, and spec in flow style.
func injectorOf(name, spec string) string {
	spec = strings.TrimSuffix(strings.TrimPrefix(spec, "{"), "}")
	if spec != "" {
		spec += ", "
	}
	return fmt.Sprintf("{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: '%s'}, spec: {%s"+
		"containers: [{name: side-%s, image: 'side:1'}]}}\n", name, spec, name)
}

func checkSingle(t *testing.T, subject *Subject, metadata, want string) {
	t.Helper()
	comparison, err := subject.Compare(singlePod(t, metadata))
	if err != nil {
		t.Fatal(err)
	}
	if comparison.Outcome != want {
		t.Errorf("%q: %s, want %s", metadata, comparison.Outcome, want)
	}
	for _, problem := range comparison.Problems {
		t.Errorf("%q: %s", metadata, problem)
	}
}

// singlePod returns a pod with metadata in flow style, and its namespace, which is shop by default.
func singlePod(t *testing.T, metadata string) (map[string]any, apiserver.Namespace) {
	t.Helper()
	var own map[string]any
	if err := yaml.Unmarshal([]byte("{"+metadata+"}"), &own); err != nil {
		t.Fatal(err)
	}
	name, isText := own["namespace"].(string)
	if !isText {
		name = "shop"
	}
	own["name"], own["namespace"] = "web", name
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": own,
		"spec": map[string]any{"containers": []any{map[string]any{"name": "web", "image": "web:1"}}},
	}, apiserver.Namespace{Name: name}
}
