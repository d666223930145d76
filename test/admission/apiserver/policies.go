package apiserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

// Policies are compiled policies with their bindings, in the order of their manifests. They can be used by several
// goroutines.
type Policies struct {
	mutating   []mutating.PolicyHook
	validating []validating.PolicyHook
}

// Load reads and compiles the policies and bindings in a stream of YAML documents, as an API server of the given
// version of Kubernetes ("1.36") does when they are created.
//
// It returns an error for everything that the API server would refuse and that this package knows: unknown fields, API
// versions that the version does not have, expressions that do not compile with the CEL environment of that version,
// and messages with line breaks. A policy without a binding is an error as well, because it would do nothing.
func Load(manifests []byte, kubernetes string) (*Policies, error) {
	served, err := version.ParseMajorMinor(kubernetes)
	if err != nil {
		return nil, fmt.Errorf("version of Kubernetes: %w", err)
	}
	objects, err := read(manifests, served)
	if err != nil {
		return nil, err
	}
	// A new expression may only use what the previous version has as well, so that the cluster can be rolled back.
	env := environment.MustBaseEnvSet(version.MajorMinor(served.Major(), served.Minor()-1))
	return objects.compile(env)
}

// objects are those of a stream of YAML documents.
type objects struct {
	mutating           []*admissionregistration.MutatingAdmissionPolicy
	mutatingBindings   []*admissionregistration.MutatingAdmissionPolicyBinding
	validating         []*admissionregistration.ValidatingAdmissionPolicy
	validatingBindings []*admissionregistration.ValidatingAdmissionPolicyBinding
}

func read(manifests []byte, served *version.Version) (*objects, error) {
	all := &objects{}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(manifests)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if err := all.add(document, served); err != nil {
			return nil, err
		}
	}
}

// The fields of v1beta1 are those of v1, and the JSON of both decodes into the types of v1.
func (all *objects) add(document []byte, served *version.Version) error {
	var kind metav1.PartialObjectMetadata
	if err := yaml.Unmarshal(document, &kind); err != nil {
		return err
	}
	if kind.Kind == "" && kind.APIVersion == "" {
		return nil // a document with nothing except comments
	}
	if err := available(kind.TypeMeta, served); err != nil {
		return err
	}
	var err error
	switch kind.Kind {
	case "MutatingAdmissionPolicy":
		all.mutating, err = decoded(all.mutating, document)
	case "MutatingAdmissionPolicyBinding":
		all.mutatingBindings, err = decoded(all.mutatingBindings, document)
	case "ValidatingAdmissionPolicy":
		all.validating, err = decoded(all.validating, document)
	case "ValidatingAdmissionPolicyBinding":
		all.validatingBindings, err = decoded(all.validatingBindings, document)
	default:
		err = errors.New("not a policy or a binding")
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", kind.Kind, kind.Name, err)
	}
	return nil
}

func decoded[T any](list []*T, document []byte) ([]*T, error) {
	object := new(T)
	if err := yaml.UnmarshalStrict(document, object, yaml.DisallowUnknownFields); err != nil {
		return nil, err
	}
	return append(list, object), nil
}

// since has the first version of Kubernetes with each API version of a policy.
var since = map[metav1.TypeMeta]*version.Version{
	{Kind: "MutatingAdmissionPolicy", APIVersion: "admissionregistration.k8s.io/v1beta1"}:   version.MajorMinor(1, 34),
	{Kind: "MutatingAdmissionPolicy", APIVersion: "admissionregistration.k8s.io/v1"}:        version.MajorMinor(1, 36),
	{Kind: "ValidatingAdmissionPolicy", APIVersion: "admissionregistration.k8s.io/v1beta1"}: version.MajorMinor(1, 28),
	{Kind: "ValidatingAdmissionPolicy", APIVersion: "admissionregistration.k8s.io/v1"}:      version.MajorMinor(1, 30),
}

func available(kind metav1.TypeMeta, served *version.Version) error {
	policy := metav1.TypeMeta{Kind: policyKind(kind.Kind), APIVersion: kind.APIVersion}
	first, known := since[policy]
	if !known {
		return fmt.Errorf("%s %s: not a policy or a binding", kind.APIVersion, kind.Kind)
	}
	if !served.AtLeast(first) {
		return fmt.Errorf("%s %s: Kubernetes %s does not have it, %s is the first", kind.APIVersion, kind.Kind, served, first)
	}
	return nil
}
