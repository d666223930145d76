package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/resourcelist"
)

// corpusDir has workloads of all kinds in all layouts. The benchmark runs in the root of the module.
const corpusDir = "internal/yaml/splice/testdata/corpus"

// leftOut are parts of names in the corpus. Most are of files that cannot be items of a list: with a byte order mark, a directive,
// several documents, or line ends that a list would mix, and files that are items already. kyaml has no schema for a Rollout, and
// would replace its containers.
var leftOut = []string{"-bom.", "-directive.", "-markers.", "-crlf.", "item-", "rollout"}

// variedWorkloads returns the YAML files of the corpus, each with a Service and a ConfigMap.
func variedWorkloads() ([]string, error) {
	return fromCorpus("*.yaml", resourcelist.Documents(workload)[1:])
}

// jsonWorkloads returns the JSON files of the corpus, each with a Service and a ConfigMap in JSON.
func jsonWorkloads() ([]string, error) {
	others := resourcelist.Documents(workload)[1:]
	for i, document := range others {
		json, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, err
		}
		others[i] = string(json) + "\n"
	}
	return fromCorpus("*.json", others)
}

func fromCorpus(pattern string, others []string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(corpusDir, pattern))
	if err != nil {
		return nil, err
	}
	var workloads []string
	for _, path := range paths {
		if slices.ContainsFunc(leftOut, func(part string) bool { return strings.Contains(filepath.Base(path), part) }) {
			continue
		}
		file, err := readWorkload(path)
		if err != nil {
			return nil, err
		}
		workloads = append(workloads, resourcelist.Join(append([]string{file}, others...)))
	}
	return workloads, nil
}

// ownName finds the name in the metadata of a workload.
var ownName = regexp.MustCompile(`(?s)("?metadata"?:.*?"?name"?:\s*(?:!!str )?"?web)\b`)

// readWorkload returns a file with a name that is different in each copy.
func readWorkload(path string) (string, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	place := ownName.FindSubmatchIndex(file)
	if place == nil {
		return "", fmt.Errorf("%s: no name to change", path)
	}
	named := string(file[:place[3]]) + "-NUMBER" + string(file[place[3]:])
	return strings.TrimSuffix(named, "\n") + "\n", nil
}
