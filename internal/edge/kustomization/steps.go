package kustomization

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	k8syaml "sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/edge/files"
)

// stepFields are the fields of a kustomization that may change containers or stamps, in about the order in which kustomize
// works through them. What sets namespaces, names and labels is not among them: it may decide which injectors select a
// pod, and is no patch. Of labels, only the fields to write them to are a step, because these may be anywhere.
var stepFields = []string{
	"configurations", "patchesStrategicMerge", "patches", labels, "commonAnnotations", "patchesJson6902", "images", "imageTags",
	"replacements", "vars", "transformers",
}

const labels = "labels"

// Step is something that a kustomization does to its resources: an entry of one of its fields, or an operation of a
// JSON patch.
type Step struct {
	// File is the path of the kustomization, with the real path of its directory.
	File string
	// Field and Index say which entry of the kustomization it is.
	Field string
	Index int
	// Patch is the path of the file of the patch; empty for one that is written into the kustomization.
	Patch string
	// Text is the patch, or a path or a text in the list of transformers; empty for entries without a patch.
	Text []byte
	// Operation is its index in a JSON patch; negative for anything else.
	Operation int
	// Name is the operation in words, such as replace /spec/replicas, or the image of an entry of images.
	Name string
}

// Contents are what a kustomization builds on, with everything that it uses.
type Contents struct {
	// Steps are in the order in which kustomize takes them.
	Steps []Step
	// Files are the real paths of the resources that are files.
	Files []string
	// Directories are the real paths of the directories with kustomizations.
	Directories map[string]bool
	// Renames is whether one of the kustomizations has a prefix or a suffix for names.
	Renames bool
}

// Contents returns the contents of a kustomization, as far as they can be read.
func (d *Disk) Contents(dir string) Contents {
	c := Contents{Directories: map[string]bool{}}
	d.addContents(&c, files.RealPath(dir))
	return c
}

func (d *Disk) addContents(c *Contents, dir string) {
	if c.Directories[dir] || len(c.Directories) > maxNested {
		return
	}
	c.Directories[dir] = true
	for _, name := range files.Kustomizations() {
		path := filepath.Join(dir, name)
		text, err := d.ReadFile(path)
		if err != nil {
			continue
		}
		fields, err := decode(text)
		if err != nil {
			return
		}
		c.Renames = c.Renames || fields["namePrefix"] != nil || fields["nameSuffix"] != nil
		for _, list := range []string{"resources", "bases", "components"} {
			for _, entry := range listOf(fields[list]) {
				used, isText := entry.(string)
				if !isText {
					continue
				}
				if used = files.RealPath(joined(dir, used)); d.IsDir(used) {
					d.addContents(c, used)
				} else {
					c.Files = append(c.Files, used)
				}
			}
		}
		for _, field := range stepFields {
			for i, entry := range listOf(fields[field]) {
				if label, isMapping := entry.(map[string]any); field == labels && isMapping && label["fields"] == nil {
					continue
				}
				c.Steps = append(c.Steps, d.stepsOf(Step{File: path, Field: field, Index: i, Operation: -1}, entry)...)
			}
		}
	}
}

// joined returns a path in a kustomization, as seen from elsewhere.
func joined(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// stepsOf returns the steps of an entry: one for each operation of a JSON patch.
func (d *Disk) stepsOf(s Step, entry any) []Step {
	switch entry := entry.(type) {
	case string: // a path, or the text itself
		d.readPatch(&s, entry)
		if s.Patch == "" {
			s.Text = []byte(entry)
		}
	case map[string]any:
		text, _ := entry["patch"].(string)
		path, _ := entry["path"].(string)
		s.Name, _ = entry["name"].(string)
		s.Text = []byte(text)
		if path != "" {
			d.readPatch(&s, path)
		}
	}
	var operations []map[string]any
	if s.Field == "patches" || s.Field == "patchesJson6902" {
		_ = files.DecodeKustomization(s.Text, &operations) // a strategic merge patch is no list
	}
	if len(operations) == 0 {
		return []Step{s}
	}
	steps := make([]Step, len(operations))
	for i, operation := range operations {
		steps[i] = s
		steps[i].Operation = i
		verb, _ := operation["op"].(string)
		path, _ := operation["path"].(string)
		steps[i].Name = verb + " " + path
	}
	return steps
}

// readPatch reads the file of a patch, if there is one.
func (d *Disk) readPatch(s *Step, path string) {
	path = joined(filepath.Dir(s.File), path)
	if text, err := d.ReadFile(path); err == nil {
		s.Patch = path
		s.Text = text
	}
}

// BuildUpTo builds a kustomization with only the first of its steps.
func (d *Disk) BuildUpTo(dir string, steps []Step, count int) ([]byte, error) {
	return d.build(dir, newCut(steps, count))
}

// cut says how much of the steps of kustomizations a build takes, by the real paths of their files and by field.
type cut map[string]map[string]part

// part is how many entries of a list are taken, and the operations of the last one; none if it is taken as it is.
type part struct {
	entries    int
	operations []map[string]any
}

func newCut(steps []Step, count int) cut {
	c := cut{}
	for _, step := range steps {
		if c[step.File] == nil {
			c[step.File] = map[string]part{}
		}
		if _, isThere := c[step.File][step.Field]; !isThere {
			c[step.File][step.Field] = part{}
		}
	}
	for _, step := range steps[:count] {
		c[step.File][step.Field] = part{entries: step.Index + 1}
	}
	if count > 0 && steps[count-1].Operation >= 0 {
		last := steps[count-1]
		p := c[last.File][last.Field]
		_ = files.DecodeKustomization(last.Text, &p.operations) // it was read before
		p.operations = p.operations[:last.Operation+1]
		c[last.File][last.Field] = p
	}
	return c
}

// apply returns the text of a kustomization without what is cut.
func (c cut) apply(path string, text []byte) ([]byte, error) {
	parts := c[path]
	if parts == nil {
		return text, nil
	}
	fields, err := decode(text)
	if err != nil {
		return nil, err
	}
	for field, part := range parts {
		entries := listOf(fields[field])
		if _, isMapping := fields[field].(map[string]any); isMapping && part.entries > 0 {
			continue
		}
		entries = entries[:min(part.entries, len(entries))]
		if last := len(entries) - 1; last >= 0 && part.operations != nil {
			patch, err := json.Marshal(part.operations)
			if err != nil {
				return nil, err
			}
			if entry, isMapping := entries[last].(map[string]any); isMapping {
				delete(entry, "path")
				entry["patch"] = string(patch)
			}
		}
		fields[field] = entries
		if len(entries) == 0 {
			delete(fields, field)
		}
	}
	if fields["generatorOptions"] == nil { // kustomize refuses a kustomization without any field
		fields["generatorOptions"] = map[string]any{}
	}
	return k8syaml.Marshal(fields)
}

// decode returns the fields of a kustomization as kustomize reads them, by the names that kustomize has for those that
// matter here.
func decode(text []byte) (map[string]any, error) {
	fields := map[string]any{}
	if err := files.DecodeKustomization(text, &fields); err != nil {
		return nil, err
	}
	others := []string{"resources", "bases", "components", "generatorOptions", "namePrefix", "nameSuffix"}
	for _, name := range slices.Concat(stepFields, others) {
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if key == name || !strings.EqualFold(key, name) {
				continue
			}
			if _, isThere := fields[name]; !isThere {
				fields[name] = fields[key]
			}
			delete(fields, key)
		}
	}
	return fields, nil
}

// listOf returns the entries of a list, or a mapping such as that of commonAnnotations as the only one.
func listOf(value any) []any {
	if mapping, isMapping := value.(map[string]any); isMapping {
		return []any{mapping}
	}
	list, _ := value.([]any)
	return list
}
