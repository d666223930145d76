package main

import (
	"io"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"
)

// podSpecs are the paths of the pod spec in workloads.
var podSpecs = map[string][]string{
	"Pod":         {"spec"},
	"ReplicaSet":  {"spec", "template", "spec"},
	"Deployment":  {"spec", "template", "spec"},
	"StatefulSet": {"spec", "template", "spec"},
	"DaemonSet":   {"spec", "template", "spec"},
	"Job":         {"spec", "template", "spec"},
	"CronJob":     {"spec", "jobTemplate", "spec", "template", "spec"},
}

// payload lists the fields of the config's spec that can be merged into a pod spec unchanged.
var payload = []string{"containers", "initContainers", "volumes"}

func inject(in io.Reader, out io.Writer) error {
	processor := framework.ResourceListProcessorFunc(func(list *framework.ResourceList) error {
		for _, item := range list.Items {
			if err := mergeInto(item, list.FunctionConfig); err != nil {
				return err
			}
		}
		return nil
	})
	return framework.Execute(processor, &kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true})
}

func mergeInto(item, config *yaml.RNode) error {
	path, isWorkload := podSpecs[item.GetKind()]
	if !isWorkload {
		return nil
	}
	patch, err := patchFor(item, path, config)
	if err != nil {
		return err
	}
	_, err = merge2.Merge(patch, item, yaml.MergeOptions{ListIncreaseDirection: yaml.MergeOptionsListAppend})
	return err
}

// patchFor returns a patch with the type of the item, by which merge2 finds the schema with the merge keys.
func patchFor(item *yaml.RNode, path []string, config *yaml.RNode) (*yaml.RNode, error) {
	patch := yaml.NewMapRNode(&map[string]string{"apiVersion": item.GetApiVersion(), "kind": item.GetKind()})
	podSpec, err := patch.Pipe(yaml.LookupCreate(yaml.MappingNode, path...))
	if err != nil {
		return nil, err
	}
	for _, name := range payload {
		list, err := config.Pipe(yaml.Lookup("spec", name))
		if err != nil {
			return nil, err
		}
		if list == nil {
			continue
		}
		if err := podSpec.PipeE(yaml.SetField(name, list.Copy())); err != nil {
			return nil, err
		}
	}
	return patch, nil
}
