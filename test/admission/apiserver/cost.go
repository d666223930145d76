package apiserver

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

type costKey struct{}

// metered adds the cost of each evaluation to the counter in the context.
type metered struct{ plugincel.MutatingEvaluator }

func (m metered) ForInput(ctx context.Context, attributes *admission.VersionedAttributes, request *admissionv1.AdmissionRequest,
	variables plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64,
) (plugincel.EvaluationResult, int64, error) {
	result, left, err := m.MutatingEvaluator.ForInput(ctx, attributes, request, variables, namespace, budget)
	if cost, ok := ctx.Value(costKey{}).(*int64); ok && left >= 0 {
		*cost += budget - left
	}
	return result, left, err
}
