package test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// ciJob is the script that a CI system runs to verify manifests, and the variables that it sets.
type ciJob struct {
	script    string
	variables map[string]string
}

// ciForges are the ready-made steps in pipelines/ci.
var ciForges = []struct {
	name string
	job  func(t *testing.T, inputs map[string]string) ciJob
}{
	{"GitHub", githubJob},
	{"GitLab", gitlabJob},
}

func TestCISteps(t *testing.T) {
	cases := []struct {
		name   string
		inputs map[string]string
		change func(t *testing.T, dir string)
		passes bool
		says   string
	}{
		{name: "what is committed is injected", passes: true, says: "Every workload is as injector.yaml says."},
		{
			name: "a sidecar is missing", says: "+      - name: fluent-bit\n",
			change: func(t *testing.T, dir string) {
				web := filepath.Join(dir, "k8s", "web.yaml")
				mustRun(t, dir, "", "pillion", "remove", "--config", "injector.yaml", "--filename", web, "--in-place")
			},
		},
		{
			name: "the sidecar is out of date", says: "fluent-bit:3.2.5\n",
			change: func(t *testing.T, dir string) {
				injector := filepath.Join(dir, "injector.yaml")
				writeFile(t, injector, strings.Replace(readFile(t, injector), "3.2.4", "3.2.5", 1))
			},
		},
		{
			name: "a name with a space, and with what a shell would run", passes: true, says: "Every workload is as",
			inputs: map[string]string{"manifests": "k8s $(touch run) `touch run`"},
			change: func(t *testing.T, dir string) {
				if err := os.Rename(filepath.Join(dir, "k8s"), filepath.Join(dir, "k8s $(touch run) `touch run`")); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name:   "the report goes into a directory",
			inputs: map[string]string{"report": "out/all/report.html"}, passes: true, says: "Every workload is as",
		},
		{name: "there is no config", inputs: map[string]string{"config": "missing.yaml"}, says: "missing.yaml"},
	}
	for _, forge := range ciForges {
		for _, test := range cases {
			t.Run(forge.name+"/"+test.name, func(t *testing.T) {
				dir := copyPackage(t, filepath.Join(root, "pipelines", "ci", "example"))
				if test.change != nil {
					test.change(t, dir)
				}
				inputs := map[string]string{"config": "injector.yaml", "manifests": "k8s", "kustomization": "", "report": "report.html"}
				maps.Copy(inputs, test.inputs)
				r := runJob(t, dir, forge.job(t, inputs))
				if (r.exitCode == 0) != test.passes || !strings.Contains(r.stdout+r.stderr, test.says) {
					t.Errorf("exit code %d, want passed: %v and %q in\n%s%s", r.exitCode, test.passes, test.says, r.stdout, r.stderr)
				}
				if _, err := os.Stat(filepath.Join(dir, "run")); err == nil {
					t.Error("an input was run")
				}
				if test.inputs["config"] == "" && !strings.Contains(readFile(t, filepath.Join(dir, inputs["report"])), ">web<") {
					t.Error("the report does not show the workload")
				}
			})
		}
	}
}

// TestCIStepsBuildKustomizations checks that the output of kustomize is verified, even if kustomize skipped the function.
func TestCIStepsBuildKustomizations(t *testing.T) {
	for _, forge := range ciForges {
		t.Run(forge.name, func(t *testing.T) {
			t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
			dir := componentPipeline(t, "exec")
			job := forge.job(t, map[string]string{
				"config": "injector/injector.yaml", "manifests": ".", "kustomization": "example/overlay", "report": "report.html",
			})
			if r := runJob(t, dir, job); r.exitCode != 0 {
				t.Errorf("exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
			job.script = strings.Replace(job.script, " --enable-exec", "", 1)
			if r := runJob(t, dir, job); r.exitCode == 0 || !strings.Contains(r.stdout, "+      - name: fluent-bit\n") {
				t.Errorf("the silent skip is not found, exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
		})
	}
}

// TestCIArtifactHasANameOfItsOwn checks that the artifact is not named after the path of the report, because the name must not
// contain a slash.
func TestCIArtifactHasANameOfItsOwn(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct{ With map[string]string }
		}
	}
	parse(t, readFile(t, filepath.Join(root, "pipelines", "ci", "github", "action.yml")), &action)
	post := action.Runs.Steps[2].With
	if post["name"] != "${{ inputs.artifact }}" || post["path"] != "${{ inputs.report }}" {
		t.Errorf("posted are %v", post)
	}
	if name := action.Inputs["artifact"].Default; name == "" || strings.ContainsAny(name, `/\":<>|*?`) {
		t.Errorf("an artifact cannot be named %q", name)
	}
}

// TestCITakesTheProgramFromTheImage runs the step of the GitHub action that needs a Docker engine.
func TestCITakesTheProgramFromTheImage(t *testing.T) {
	temp, path := t.TempDir(), filepath.Join(t.TempDir(), "path")
	t.Setenv("RUNNER_TEMP", temp)
	t.Setenv("GITHUB_PATH", path)
	runStep := githubStep(t, 0, map[string]string{"image": image(t)})
	if r := runJob(t, temp, runStep); r.exitCode != 0 {
		t.Fatalf("exit code %d:\n%s", r.exitCode, r.stderr)
	}
	mustRun(t, "", "", filepath.Join(strings.TrimSpace(readFile(t, path)), "pillion"), "version")
}

// runJob runs a script as both CI systems do: it ends at the first command that fails.
func runJob(t *testing.T, dir string, job ciJob) result {
	t.Helper()
	bash := tool(t, "bash")
	for _, name := range slices.Sorted(maps.Keys(job.variables)) {
		t.Setenv(name, job.variables[name])
	}
	return run(t, dir, "", bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", job.script)
}

func githubJob(t *testing.T, inputs map[string]string) ciJob { return githubStep(t, 1, inputs) }

// githubStep is a step of the composite action.
func githubStep(t *testing.T, which int, inputs map[string]string) ciJob {
	t.Helper()
	var action struct {
		Runs struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	parse(t, readFile(t, filepath.Join(root, "pipelines", "ci", "github", "action.yml")), &action)
	step := action.Runs.Steps[which]
	if strings.Contains(step.Run, "${{") {
		t.Errorf("an expression in a script is run as part of it; give it as a variable:\n%s", step.Run)
	}
	for name, value := range step.Env {
		step.Env[name] = inputOf(t, value, "${{ inputs.", " }}", inputs)
	}
	return ciJob{step.Run, step.Env}
}

func gitlabJob(t *testing.T, inputs map[string]string) ciJob {
	t.Helper()
	_, jobs, _ := strings.Cut(readFile(t, filepath.Join(root, "pipelines", "ci", "gitlab.yml")), "\n---\n")
	var template map[string]struct {
		Script    []string
		Variables map[string]string
	}
	parse(t, jobs, &template)
	job := template["pillion-verify"]
	script := strings.Join(job.Script, "\n")
	if strings.Contains(script, "$[[") {
		t.Errorf("an input in a script is run as part of it; give it as a variable:\n%s", script)
	}
	for name, value := range job.Variables {
		job.Variables[name] = inputOf(t, value, "$[[ inputs.", " ]]", inputs)
	}
	return ciJob{script, job.Variables}
}

// inputOf returns the input that a value refers to.
func inputOf(t *testing.T, value, open, end string, inputs map[string]string) string {
	t.Helper()
	input, known := inputs[strings.TrimSuffix(strings.TrimPrefix(value, open), end)]
	if !known {
		t.Errorf("%q is no input", value)
	}
	return input
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// TestWorkflowsArePinned checks that no action is referred to by a tag, which the owner of the action can move.
func TestWorkflowsArePinned(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	files = append(files,
		filepath.Join(root, "pipelines", "ci", "github", "action.yml"),
		filepath.Join(root, "pipelines", "flux", "artifact", "render.yaml"))
	for _, file := range files {
		if text := readFile(t, file); strings.Contains(text, "-latest\n") || strings.Contains(text, ": stable\n") {
			t.Errorf("%s names a runner or a version that moves", filepath.Base(file))
		}
		for line := range strings.Lines(readFile(t, file)) {
			_, action, uses := strings.Cut(line, "uses: ")
			if !uses || strings.HasPrefix(action, "./") {
				continue
			}
			_, commit, _ := strings.Cut(action, "@")
			commit, version, _ := strings.Cut(strings.TrimSpace(commit), " # v")
			if len(commit) != 40 || version == "" {
				t.Errorf("%s: %s is not pinned to a commit with its version behind it", filepath.Base(file), strings.TrimSpace(line))
			}
		}
	}
}
