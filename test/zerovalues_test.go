package test

import (
	"context"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/kptdev/krm-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn/kptfn"
	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/kiofilter"
	"pillion.dev/pillion/transformers/resmap"
)

// zeroValues has pointers to the zero value of each type of the Go API that has methods.
var zeroValues = []any{
	new(decision.Change), new(decision.Counts), new(decision.Decision), new(decision.Report),
	new(transformers.Func), new(transformers.Pod), new(transformers.Result), new(transformers.Sidecars),
	new(kiofilter.Filter), new(kptfn.Processor), new(resmap.Plugin),
	new(finding.Code), new(finding.File), new(finding.Finding), new(finding.Object), new(finding.Severity),
	new(v1alpha1.AppContainers), new(v1alpha1.Checks), new(v1alpha1.Container), new(v1alpha1.FromApp), new(v1alpha1.InitContainer),
	new(v1alpha1.Namespaces), new(v1alpha1.OnConflict), new(v1alpha1.PodMetadataPatch), new(v1alpha1.ResourcesPolicy),
	new(v1alpha1.ShareVolumePolicy), new(v1alpha1.SidecarInjectorSpec),
}

// TestZeroValuesDoNotPanic calls each method of each type of the Go API on its zero value.
func TestZeroValuesDoNotPanic(t *testing.T) {
	values := map[string]reflect.Value{}
	for _, zero := range zeroValues {
		value := reflect.ValueOf(zero)
		values[value.Type().Elem().PkgPath()+"."+value.Type().Elem().Name()] = value
	}
	called := 0
	for _, object := range publicNames(t) {
		named, isNamed := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !isType || !isNamed {
			continue
		}
		for method := range named.Methods() {
			if !method.Exported() || strings.HasPrefix(method.Name(), "DeepCopy") { // those are generated
				continue
			}
			name := object.Pkg().Path() + "." + object.Name()
			value, isListed := values[name]
			if !isListed {
				t.Errorf("%s is not among the zero values", name)
				break
			}
			t.Run(name+"."+method.Name(), func(t *testing.T) { call(t, value.MethodByName(method.Name())) })
			called++
		}
	}
	t.Logf("%d methods", called)
}

// call calls a method with arguments that are empty.
func call(t *testing.T, method reflect.Value) {
	t.Helper()
	defer func() {
		if reason := recover(); reason != nil {
			t.Errorf("it panics: %v", reason)
		}
	}()
	var arguments []reflect.Value
	for i := range method.Type().NumIn() {
		switch in := method.Type().In(i); {
		case in == reflect.TypeFor[io.Writer]():
			arguments = append(arguments, reflect.ValueOf(io.Discard))
		case in == reflect.TypeFor[context.Context]():
			arguments = append(arguments, reflect.ValueOf(context.Background()))
		case in.Kind() == reflect.Pointer:
			arguments = append(arguments, reflect.New(in.Elem()))
		case method.Type().IsVariadic() && i == method.Type().NumIn()-1: // may be left out
		default:
			arguments = append(arguments, reflect.Zero(in))
		}
	}
	method.Call(arguments)
}

const emptyPod = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: x}]}}"

// TestZeroConfigsAreErrors runs what a program has if it forgets the config.
func TestZeroConfigsAreErrors(t *testing.T) {
	var none transformers.Transformer
	config := new(transformers.Sidecars).Before(none).After(none).Removing().InNamespace("")
	for _, sources := range [][]transformers.Source{nil, {{}}, {{Text: []byte(emptyPod)}}} {
		if result, err := config.Apply(context.Background(), sources...); err != nil || result.Err() == nil {
			t.Error(err, result.Findings)
		}
	}
	if _, err := new(kiofilter.Filter).Filter([]*yaml.RNode{yaml.MustParse(emptyPod)}); err == nil {
		t.Error("a filter without a config has run")
	}
	list := &sdk.ResourceList{}
	if ok, err := new(kptfn.Processor).Process(list); ok || err != nil || len(list.Results) == 0 {
		t.Error(ok, err, list.Results)
	}
}

func TestANilTransformerDoesNothing(t *testing.T) {
	config, _ := transformers.Read(transformers.Source{Text: []byte("{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, " +
		"metadata: {name: logs}, spec: {containers: [{name: logs, image: x}]}}")})
	var none transformers.Transformer
	result, err := config.Before(none).After(none).Apply(context.Background(), transformers.Source{Text: []byte(emptyPod)})
	if got := fmt.Sprint(err, result.Counts); got != "<nil> 1 workload: 1 injected" {
		t.Error(got)
	}
}
