// Argocd-render renders an Application as Argo CD's repo server does, with the repo server's own code: it runs the
// kustomize or the helm in PATH, or finds the plugin server for the Application and sends the repository to it, and
// prints the manifests as JSON.
//
// It is a separate module, so that the dependencies of Argo CD are not dependencies of Pillion. The plugin server
// itself is built from the same module, from Argo CD's cmd.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/app/discovery"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ARGOCD_PLUGINSOCKFILEPATH=DIR argocd-render REPOSITORY APPLICATION.yaml")
		os.Exit(2)
	}
	rendered, err := render(context.Background(), os.Args[1], os.Args[2])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(rendered)
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

func manifests(ctx context.Context, root string, app *v1alpha1.Application) (*apiclient.ManifestResponse, error) {
	source := app.Spec.GetSource()
	request := &apiclient.ManifestRequest{
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
	_, part := app.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths]
	return repository.GenerateManifests(ctx, filepath.Join(root, source.Path), root, source.TargetRevision, request, false, nil,
		resource.MustParse("10M"), nil, repository.WithCMPUseManifestGeneratePaths(part))
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
