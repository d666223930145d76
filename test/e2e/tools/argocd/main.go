// Argocd-render renders an Application as Argo CD's repo server does, with the repo server's own code: it runs the
// kustomize or the helm in PATH, or finds the plugin server for the Application and sends the repository to it, and
// prints the manifests as JSON. With the word sent, it first sends the repository as argocd app diff --local does. With
// the word hydrate, it runs the source hydrator instead, and prints the Application with its status.
//
// It is a separate module, so that the dependencies of Argo CD are not dependencies of Pillion. The plugin server
// itself is built from the same module, from Argo CD's cmd.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"github.com/argoproj/argo-cd/v3/util/io/files"
	"github.com/argoproj/argo-cd/v3/util/tgzstream"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

func main() {
	var answer any
	var err error
	switch {
	case len(os.Args) == 3:
		answer, err = render(context.Background(), os.Args[1], os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "sent":
		answer, err = renderSent(context.Background(), os.Args[2], os.Args[3])
	case len(os.Args) == 4 && os.Args[1] == "hydrate":
		answer, err = hydrate(os.Args[2], os.Args[3])
	default:
		fmt.Fprintln(os.Stderr, "usage: ARGOCD_PLUGINSOCKFILEPATH=DIR argocd-render [sent] REPOSITORY APPLICATION.yaml\n"+
			"       argocd-render hydrate APPLICATION.yaml ARGOCD-CM.yaml")
		os.Exit(2)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rendered is the reply of the repo server, with the manifests as objects.
type rendered struct {
	SourceType string                             `json:"sourceType"`
	Parameters []*apiclient.ParameterAnnouncement `json:"parameters"`
	Manifests  []json.RawMessage                  `json:"manifests"`
}

func render(ctx context.Context, repository, file string) (*rendered, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var app v1alpha1.Application
	if err := yaml.UnmarshalStrict(text, &app); err != nil {
		return nil, err
	}
	answer, err := manifests(ctx, repository, &app)
	if err != nil {
		return nil, err
	}
	result := &rendered{SourceType: answer.SourceType}
	for _, manifest := range answer.Manifests {
		result.Manifests = append(result.Manifests, json.RawMessage(manifest))
	}
	if answer.SourceType == string(v1alpha1.ApplicationSourceTypePlugin) {
		result.Parameters, err = parameters(ctx, repository, &app)
	}
	return result, err
}

// renderSent renders what argocd app diff --local --server-side-generate sends to the repo server by default.
func renderSent(ctx context.Context, repository, file string) (*rendered, error) {
	sent, _, _, err := tgzstream.CompressFiles(repository, []string{"*.yaml", "*.yml", "*.json"}, nil)
	if err != nil {
		return nil, err
	}
	defer tgzstream.CloseAndDelete(sent)
	dir, err := os.MkdirTemp("", "argocd-render")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := files.Untgz(dir, sent, math.MaxInt64, false); err != nil {
		return nil, err
	}
	return render(ctx, dir, file)
}

func manifests(ctx context.Context, root string, app *v1alpha1.Application) (*apiclient.ManifestResponse, error) {
	source := app.Spec.GetSource()
	_, part := app.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths]
	return repository.GenerateManifests(ctx, filepath.Join(root, source.Path), root, source.TargetRevision, requestFor(app, source), false,
		nil, resource.MustParse("10M"), nil, repository.WithCMPUseManifestGeneratePaths(part))
}

// requestFor returns what the controller asks the repo server for.
func requestFor(app *v1alpha1.Application, source v1alpha1.ApplicationSource) *apiclient.ManifestRequest {
	return &apiclient.ManifestRequest{
		Repo:                            &v1alpha1.Repository{Repo: source.RepoURL},
		AppName:                         app.Name,
		Namespace:                       app.Spec.Destination.Namespace,
		ApplicationSource:               &source,
		KubeVersion:                     "1.33.0",
		ApiVersions:                     []string{"v1", "apps/v1", "batch/v1"},
		ProjectName:                     app.Spec.Project,
		AnnotationManifestGeneratePaths: app.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths],
		KustomizeOptions: &v1alpha1.KustomizeOptions{ // as they are in argocd-cm
			BuildOptions: os.Getenv("KUSTOMIZE_BUILD_OPTIONS"),
			Versions:     []v1alpha1.KustomizeVersion{{Name: "pillion", Path: os.Getenv("KUSTOMIZE_PATH_PILLION")}},
		},
	}
}

// parameters gets the announced parameters, which the repo server's code gets only through its cache.
func parameters(ctx context.Context, root string, app *v1alpha1.Application) ([]*apiclient.ParameterAnnouncement, error) {
	source := app.Spec.GetSource()
	path, name, env := filepath.Join(root, source.Path), "", []string{"ARGOCD_APP_NAME=" + app.Name, "ARGOCD_APP_SOURCE_PATH=" + source.Path}
	if source.Plugin != nil {
		set, err := source.Plugin.Parameters.Environ()
		if err != nil {
			return nil, err
		}
		name, env = source.Plugin.Name, append(env, set...)
	}
	connection, client, err := discovery.DetectConfigManagementPlugin(ctx, path, root, name, env, nil)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		return nil, err
	}
	if err := cmp.SendRepoStream(ctx, path, root, stream, env, nil); err != nil {
		return nil, err
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return nil, err
	}
	return answer.ParameterAnnouncements, nil
}
