package apiserver

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"

	admissionregistration "k8s.io/api/admissionregistration/v1"
)

// Namespace is the namespace in which a pod is created. Every namespace also has the label kubernetes.io/metadata.name.
type Namespace struct {
	Name                string
	Labels, Annotations map[string]string
}

// Pod decodes the manifest of a pod. Unknown fields are an error.
func Pod(manifest []byte) (*corev1.Pod, error) {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(manifest, pod, yaml.DisallowUnknownFields); err != nil {
		return nil, err
	}
	return pod, nil
}

// Mutated is a pod as the mutating policies leave it.
type Mutated struct {
	Pod *corev1.Pod
	// Cost is that of all evaluated expressions of mutations, including the variables that they use.
	Cost int64
}

// Mutate creates a pod: it runs the mutating policies in order, and again where the API server reinvokes them. It
// returns the API server's answer as an error if a policy fails and its failurePolicy is Fail. It does not change the
// given pod.
func (p *Policies) Mutate(pod *corev1.Pod, namespace Namespace) (Mutated, error) {
	var mutated Mutated
	ctx := context.WithValue(context.Background(), costKey{}, &mutated.Cost)
	request := newRequest(pod, namespace)
	dispatcher := mutating.NewDispatcher(nil, request.matcher, noSchemas{})
	if err := dispatcher.Dispatch(ctx, request, request.interfaces, p.mutating); err != nil {
		return mutated, err
	}
	if again := request.GetReinvocationContext(); again.ShouldReinvoke() {
		again.SetIsReinvoke()
		if err := dispatcher.Dispatch(ctx, request, request.interfaces, p.mutating); err != nil {
			return mutated, err
		}
	}
	mutated.Pod = request.pod
	return mutated, nil
}

// Verdict is the answer of the validating policies.
type Verdict struct {
	// Denied is the API server's answer, which has the first of the denials. It is nil if the pod is accepted.
	Denied error
	// Denials are the messages of all failed validations, in order, whatever the actions of the bindings are.
	Denials []string
	// Warnings are the messages that kubectl prints, if an action is Warn.
	Warnings []string
	// Annotations are those of the audit event, if an action is Audit.
	Annotations map[string]string
}

// Validate runs the validating policies on a pod that is created.
func (p *Policies) Validate(pod *corev1.Pod, namespace Namespace) (Verdict, error) {
	var verdict Verdict
	request := newRequest(pod, namespace)
	verdict.Warnings, verdict.Denied = request.validate(p.validating)
	verdict.Annotations = maps.Clone(request.annotations)

	// The API server's answer has the first denial only, while Warn reports each.
	warned, err := newRequest(pod, namespace).validate(warningOnly(p.validating))
	if err != nil {
		return verdict, err
	}
	for _, message := range warned {
		_, message, found := strings.Cut(message, "': ")
		if !found {
			return verdict, errors.New("the API server's warnings have another form: " + message)
		}
		verdict.Denials = append(verdict.Denials, message)
	}
	return verdict, nil
}

// warningOnly returns the hooks with Warn as the only action of their bindings.
func warningOnly(hooks []validating.PolicyHook) []validating.PolicyHook {
	warn := make([]validating.PolicyHook, len(hooks))
	for i, hook := range hooks {
		warn[i] = hook
		warn[i].Bindings = nil
		for _, binding := range hook.Bindings {
			binding = binding.DeepCopy()
			binding.Spec.ValidationActions = []admissionregistration.ValidationAction{admissionregistration.Warn}
			warn[i].Bindings = append(warn[i].Bindings, binding)
		}
	}
	return warn
}

// request is the creation of a pod.
type request struct {
	admission.Attributes
	pod         *corev1.Pod
	matcher     *matching.Matcher
	interfaces  admission.ObjectInterfaces
	annotations map[string]string
}

// AddAnnotation keeps the annotations of the audit event.
func (r *request) AddAnnotation(key, value string) error {
	r.annotations[key] = value
	return nil
}

func newRequest(pod *corev1.Pod, namespace Namespace) *request {
	pod = pod.DeepCopy()
	pod.TypeMeta = metav1.TypeMeta{} // the decoder of the API server clears it
	pod.Namespace = namespace.Name   // before admission, the API server sets it to the namespace of the request
	attributes := admission.NewAttributesRecord(pod, nil, podKind, namespace.Name, pod.Name, podResource, "", admission.Create,
		&metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "somebody"})
	return &request{
		Attributes:  attributes,
		pod:         pod,
		matcher:     matching.NewMatcher(listerOf(namespace), nil),
		interfaces:  admission.NewObjectInterfacesFromScheme(scheme),
		annotations: map[string]string{},
	}
}

func (r *request) validate(hooks []validating.PolicyHook) (warnings []string, err error) {
	recorder := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), recorder)
	err = validating.NewDispatcher(nil, generic.NewPolicyMatcher(r.matcher)).Dispatch(ctx, r, r.interfaces, hooks)
	return recorder.warnings, err
}

type recorder struct{ warnings []string }

func (r *recorder) AddWarning(_, text string) { r.warnings = append(r.warnings, text) }

var (
	podKind     = corev1.SchemeGroupVersion.WithKind("Pod")
	podResource = corev1.SchemeGroupVersion.WithResource("pods")
	scheme      = newScheme()
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := corev1.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
}

// listerOf returns a lister of a single namespace.
func listerOf(namespace Namespace) corelisters.NamespaceLister {
	labels := map[string]string{}
	maps.Copy(labels, namespace.Labels)
	labels[corev1.LabelMetadataName] = namespace.Name
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	if err := indexer.Add(&corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: namespace.Name, Labels: labels, Annotations: namespace.Annotations},
	}); err != nil {
		panic(err)
	}
	return corelisters.NewNamespaceLister(indexer)
}

// noSchemas is for the dispatcher, which needs a converter although JSON patches do not use it.
type noSchemas struct{}

func (noSchemas) Run(context.Context) {}

func (noSchemas) GetTypeConverter(schema.GroupVersionKind) managedfields.TypeConverter {
	return managedfields.NewDeducedTypeConverter()
}
