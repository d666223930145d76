package test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
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
		{name: "what is committed is injected", passes: true, says: "1 workload: 1 unchanged"},
		{
			name: "a sidecar is missing", says: "adds init container fluent-bit",
			change: func(t *testing.T, dir string) {
				web := filepath.Join(dir, "k8s", "web.yaml")
				mustRun(t, dir, "", "pillion", "remove", "--config", "injector.yaml", "--filename", web, "--in-place")
			},
		},
		{
			name: "the sidecar is outdated", says: "to fix it, run: pillion inject -c injector.yaml -f k8s -R -i\n",
			change: raiseVersion,
		},
		{
			name: "a name with a space, and with what a shell would run", passes: true, says: "1 unchanged",
			inputs: map[string]string{"manifests": "k8s $(touch run) `touch run`"},
			change: func(t *testing.T, dir string) {
				if err := os.Rename(filepath.Join(dir, "k8s"), filepath.Join(dir, "k8s $(touch run) `touch run`")); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name:   "the report goes into a directory",
			inputs: map[string]string{"report": "out/all/report.html"}, passes: true, says: "1 unchanged",
		},
		{
			name: "the manifests go to a namespace", inputs: map[string]string{"namespace": "shop"}, passes: true, says: "1 unchanged",
			change: func(t *testing.T, dir string) {
				injector := filepath.Join(dir, "injector.yaml")
				writeFile(t, injector, strings.Replace(readFile(t, injector), "spec:", "spec:\n  namespaces: {include: [shop]}\n  expect: {min: 1}", 1))
			},
		},
		{
			name: "an older sidecar is accepted", inputs: map[string]string{"outdated": "warn"}, passes: true, says: "accepts that",
			change: raiseVersion,
		},
		{
			name: "files are excluded", inputs: map[string]string{"exclude": "k8s/old one.yaml\nk8s/n*.yaml"}, passes: true, says: "1 unchanged",
			change: func(t *testing.T, dir string) {
				bare := mustRun(t, dir, "", "pillion", "remove", "--injector", "logs", "--filename", "k8s/web.yaml").stdout
				writeFile(t, filepath.Join(dir, "k8s", "old one.yaml"), bare)
				writeFile(t, filepath.Join(dir, "k8s", "new.yaml"), bare)
			},
		},
		{
			name:   "kustomizations are built",
			inputs: map[string]string{"config": "injector.yaml", "manifests": "", "kustomizations": "."}, passes: true, says: "1 unchanged",
			change: func(t *testing.T, dir string) {
				writeFile(t, filepath.Join(dir, "kustomization.yaml"), "resources: [k8s/web.yaml]\n")
			},
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
				inputs := ciInputs(map[string]string{"config": "injector.yaml", "manifests": "k8s"})
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

// TestCINeedsNoInputsWithAProjectFile runs the steps and the hook in the middle of a rollout: they pass, and fail if a
// workload inside of it loses its sidecar.
func TestCINeedsNoInputsWithAProjectFile(t *testing.T) {
	hook := func(*testing.T, map[string]string) ciJob { return ciJob{script: "pillion verify"} }
	for _, forge := range append(ciForges, struct {
		name string
		job  func(t *testing.T, inputs map[string]string) ciJob
	}{"pre-commit", hook}) {
		t.Run(forge.name, func(t *testing.T) {
			dir := copyPackage(t, filepath.Join(root, "pipelines", "ci", "example"))
			web := filepath.Join(dir, "k8s", "web.yaml")
			bare := mustRun(t, dir, "", "pillion", "remove", "--injector", "logs", "--filename", web).stdout
			writeFile(t, filepath.Join(dir, "k8s", "db.yaml"), strings.ReplaceAll(bare, "web", "db"))
			writeFile(t, filepath.Join(dir, ".pillion.yaml"), "apiVersion: pillion.dev/v1alpha1\nkind: Project\nfiles: [k8s]\n"+
				"rollouts: [{injector: logs, to: [{files: [k8s/web.yaml]}]}]\n")
			job := forge.job(t, ciInputs(nil))
			if r := runJob(t, dir, job); r.exitCode != 0 || !strings.Contains(r.stdout+r.stderr, "not rolled out yet: logs 1") {
				t.Errorf("in a rollout, exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
			writeFile(t, web, bare)
			r := runJob(t, dir, job)
			if r.exitCode != 1 || !strings.Contains(r.stdout+r.stderr, "to fix it, run: pillion inject -i") {
				t.Errorf("without a sidecar, exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
			mustRun(t, dir, "", "pillion", "inject", "-i")
			if r := runJob(t, dir, job); r.exitCode != 0 {
				t.Errorf("after the command that is printed, exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
		})
	}
}

// ciInputs returns the inputs with their defaults.
func ciInputs(inputs map[string]string) map[string]string {
	all := map[string]string{
		"config": "", "manifests": "", "kustomizations": "", "kustomization": "", "exclude": "", "outdated": "error",
		"namespace": "", "report": "report.html", "junit": "junit.xml",
	}
	maps.Copy(all, inputs)
	return all
}

// raiseVersion raises the version of the sidecar in the example's config, so that what is committed is outdated.
func raiseVersion(t *testing.T, dir string) {
	t.Helper()
	injector := filepath.Join(dir, "injector.yaml")
	writeFile(t, injector, strings.Replace(readFile(t, injector), "3.2.4", "5.1.1", 1))
}

// TestCIShowsAFailingPullRequest compares the page with what the action prints. The position is that of the image.
func TestCIShowsAFailingPullRequest(t *testing.T) {
	dir := copyPackage(t, filepath.Join(root, "pipelines", "ci", "example"))
	raiseVersion(t, dir)
	r := runJob(t, dir, githubJob(t, ciInputs(map[string]string{"config": "injector.yaml", "manifests": "k8s"})))
	if r.exitCode == 0 {
		t.Error("the step passes")
	}
	if got := readFile(t, filepath.Join(dir, "summary.md")); !strings.Contains(got, "| `deployment/web` | `outdated` |") {
		t.Errorf("the summary of the job is\n%s", got)
	}
	lines := strings.Split(readFile(t, filepath.Join(dir, "k8s", "web.yaml")), "\n")
	image := 1 + slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "image: fluent/fluent-bit") })
	want := fmt.Sprintf("::error file=k8s/web.yaml,line=%d,col=9,title=Outdated::deployment/web: ", image)
	if !strings.HasPrefix(r.stdout, want) {
		t.Errorf("got %q, want %q at the start", r.stdout, want)
	}
	page := filepath.Join(root, "docs", "get-started", "ci.md")
	before, rest, _ := strings.Cut(readFile(t, page), "```text\n")
	_, after, _ := strings.Cut(rest, "```\n")
	golden.Check(t, page, before+"```text\n"+r.stdout+"```\n"+after)
}

// TestCIKeepsATestReport checks that the test report has the same error as the log.
func TestCIKeepsATestReport(t *testing.T) {
	dir := copyPackage(t, filepath.Join(root, "pipelines", "ci", "example"))
	raiseVersion(t, dir)
	inputs := ciInputs(map[string]string{"config": "injector.yaml", "manifests": "k8s"})
	if r := runJob(t, dir, gitlabJob(t, inputs)); r.exitCode == 0 {
		t.Error("the job passes")
	}
	report := readFile(t, filepath.Join(dir, "junit.xml"))
	if !strings.Contains(report, "Outdated") || !strings.Contains(report, "k8s/web.yaml") {
		t.Errorf("the report does not have the error:\n%s", report)
	}
	var jobs map[string]struct {
		Artifacts struct {
			Reports struct{ JUnit string }
		}
	}
	_, text, _ := strings.Cut(readFile(t, filepath.Join(root, "pipelines", "ci", "gitlab.yml")), "\n---\n")
	parse(t, text, &jobs)
	if junit := jobs["pillion-verify"].Artifacts.Reports.JUnit; junit != "$[[ inputs.junit ]]" {
		t.Errorf("the test report of the GitLab job is %q", junit)
	}
}

// TestPreCommitHook runs the hook as pre-commit does: the entry with the args of the config, and without file names.
func TestPreCommitHook(t *testing.T) {
	type hook struct {
		ID, Entry, Language, Files string
		PassFilenames              *bool `json:"pass_filenames"`
		Args                       []string
	}
	var hooks []hook
	parse(t, readFile(t, filepath.Join(root, ".pre-commit-hooks.yaml")), &hooks)
	var config struct{ Repos []struct{ Hooks []hook } }
	dir := copyPackage(t, filepath.Join(root, "pipelines", "ci", "example"))
	text := readFile(t, filepath.Join(dir, ".pre-commit-config.yaml"))
	parse(t, text, &config)
	if page := readFile(t, filepath.Join(root, "docs", "get-started", "ci.md")); !strings.Contains(page, text) {
		t.Errorf("the page does not show\n%s", text)
	}
	offered, used := hooks[0], config.Repos[0].Hooks[0]
	if len(hooks) != 1 || offered.ID != used.ID || offered.Language != "golang" || offered.PassFilenames == nil || *offered.PassFilenames {
		t.Fatalf("offered is %+v, used is %+v", offered, used)
	}
	files := regexp.MustCompile(offered.Files)
	if !files.MatchString("k8s/web.yaml") || !files.MatchString("a.yml") || !files.MatchString("b.json") || files.MatchString("main.go") {
		t.Errorf("it runs for %s", offered.Files)
	}
	command := append(strings.Fields(offered.Entry), used.Args...)
	mustRun(t, dir, "", command[0], command[1:]...)
	raiseVersion(t, dir)
	if r := run(t, dir, "", command[0], command[1:]...); r.exitCode != 1 || !strings.Contains(r.stderr, "Outdated") {
		t.Errorf("exit code %d:\n%s", r.exitCode, r.stderr)
	}
}

// TestCIStepsBuildKustomizations checks that the output of kustomize is verified, even if kustomize skipped the
// function.
func TestCIStepsBuildKustomizations(t *testing.T) {
	for _, forge := range ciForges {
		t.Run(forge.name, func(t *testing.T) {
			t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
			dir := componentPipeline(t, "exec")
			job := forge.job(t, ciInputs(map[string]string{"config": "injector/injector.yaml", "kustomization": "example/overlay"}))
			if r := runJob(t, dir, job); r.exitCode != 0 {
				t.Errorf("exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
			job.script = strings.Replace(job.script, " --enable-exec", "", 1)
			if r := runJob(t, dir, job); r.exitCode == 0 || !strings.Contains(r.stdout+r.stderr, "Outdated") {
				t.Errorf("the silent skip is not found, exit code %d:\n%s%s", r.exitCode, r.stdout, r.stderr)
			}
		})
	}
}

// TestCIArtifactHasANameOfItsOwn checks that the artifact is not named after the path of the report, because the name
// must not contain a slash.
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
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "summary.md"))
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
