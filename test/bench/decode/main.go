// Decode reads a list of pods into the types of Kubernetes and counts those without the container of its argument,
// which is the least that a Go program for this purpose does.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(container string) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var list corev1.PodList
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	lacking := 0
	for _, pod := range list.Items {
		if !slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == container }) {
			lacking++
		}
	}
	_, err = fmt.Printf("%d pods, %d without %s\n", len(list.Items), lacking, container)
	return err
}
