package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
)

// The program runs in the directory of its module.
const (
	root     = "../.."
	compiler = "internal/admission"
	chooser  = "MUTANT"         // the variable with the index of the mistake
	skipper  = "SKIP_UNCHANGED" // the variable that leaves out policies without the mistake
)

// overlay has the files that replace others or do not exist, by their absolute paths.
type overlay map[string]string

// add writes a file into a directory, as the one at a path of the repository.
func (o overlay) add(dir, path string, text []byte) error {
	at, err := filepath.Abs(filepath.Join(root, path))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
	o[at] = file
	return os.WriteFile(file, text, 0o600)
}

func (o overlay) write(file string) (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": o})
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(file, text, 0o600)
}

// changed returns the file with the mistake.
func (m mutation) changed() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, compiler, m.file))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return nil, fmt.Errorf("%s: %s has the text %d times, want once: %s", m.name, m.file, n, m.old)
	}
	return bytes.Replace(text, []byte(m.old), []byte(m.replacement), 1), nil
}

// writeOverlay writes the overlay that makes the mistake in the package itself, for its own tests.
func (m mutation) writeOverlay(dir string) (string, error) {
	text, err := m.changed()
	if err != nil {
		return "", err
	}
	o := overlay{}
	if err := o.add(dir, filepath.Join(compiler, m.file), text); err != nil {
		return "", err
	}
	return o.write(filepath.Join(dir, "one.json"))
}

// build returns the program with the tests and a copy of the compiler for each mutation.
func build(dir string, chosen []mutation) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, compiler, "*.go"))
	if err != nil {
		return "", err
	}
	o := overlay{}
	var errs []error
	for i, m := range chosen {
		changed, err := m.changed()
		errs = append(errs, err)
		for _, file := range files {
			name := filepath.Base(file)
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if name == m.file {
				text = changed
			}
			errs = append(errs, err, o.add(dir, fmt.Sprintf("%s/mutant%d/%s", compiler, i, name), text))
		}
	}
	var registry bytes.Buffer
	errs = append(errs, registryTemplate.Execute(&registry, chosen), o.add(dir, "test/admission/mutants_test.go", registry.Bytes()))
	all, err := o.write(filepath.Join(dir, "all.json"))
	if err := errors.Join(append(errs, err)...); err != nil {
		return "", err
	}
	program := filepath.Join(dir, "admission.test")
	command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", all, "-o", program, ".")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tests do not compile: %w\n%s", err, output)
	}
	return program, nil
}

// registryTemplate is a file of the tests. In tests of many configs, those whose policies are the same without the mistake are left out, as
// if they were not exportable.
var registryTemplate = template.Must(template.New("").Parse(`package admission

import (
	"bytes"
	"os"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/injector"
{{- range $i, $_ := .}}
	mutant{{$i}} "pillion.dev/pillion/internal/admission/mutant{{$i}}"
{{- end}}
)

func mutate(injectors []*injector.Injector, options admission.Options) (policies, []finding.Finding) {
	switch os.Getenv("` + chooser + `") {
{{- range $i, $_ := .}}
	case "{{$i}}":
		return mutant{{$i}}.New(injectors, mutant{{$i}}.Options(options))
{{- end}}
	}
	panic("no mutant")
}

func init() {
	original := newPolicies
	newPolicies = func(injectors []*injector.Injector, options admission.Options) (policies, []finding.Finding) {
		want, findings := original(injectors, options)
		got, _ := mutate(injectors, options)
		if finding.HasError(findings) || os.Getenv("` + skipper + `") == "" {
			return got, findings
		}
		if bytes.Equal(got.YAML(), want.YAML()) {
			return got, []finding.Finding{{"{{"}}Severity: finding.Error, Code: finding.NotExportable{{"}}"}}
		}
		return got, findings
	}
}
`))
