package main

import (
	"context"
	"os"
	"time"

	"github.com/argoproj/argo-cd/v3/commitserver/apiclient"
	"github.com/argoproj/argo-cd/v3/commitserver/commit"
	commitmetrics "github.com/argoproj/argo-cd/v3/commitserver/metrics"
	"github.com/argoproj/argo-cd/v3/controller/hydrator"
	"github.com/argoproj/argo-cd/v3/controller/hydrator/types"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	repoclient "github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	repocache "github.com/argoproj/argo-cd/v3/reposerver/cache"
	repometrics "github.com/argoproj/argo-cd/v3/reposerver/metrics"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/app/path"
	"github.com/argoproj/argo-cd/v3/util/cache"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// hydrate runs Argo CD's source hydrator on an Application, as its controller does when it sees the Application, and
// returns the Application with its new status. The hydrator, the repo server and the commit server are Argo CD's. What
// they know of a cluster is the Application and the ConfigMap argocd-cm, which are files.
func hydrate(file, settingsFile string) (*v1alpha1.Application, error) {
	c := &controller{project: &v1alpha1.AppProject{Spec: v1alpha1.AppProjectSpec{SourceRepos: []string{"*"}}}}
	var argocdCM struct{ Data map[string]string }
	if err := readYAML(file, &c.app); err != nil {
		return nil, err
	}
	if err := readYAML(settingsFile, &argocdCM); err != nil {
		return nil, err
	}
	c.readme = argocdCM.Data["sourceHydrator.readmeMessageTemplate"]
	dir, err := os.MkdirTemp("", "argocd-render")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	expires := time.Hour
	c.repoServer = repository.NewService(repometrics.NewMetricsServer(),
		repocache.NewCache(cache.NewCache(cache.NewInMemoryCache(expires)), expires, expires, expires),
		repository.RepoServerInitConstants{ParallelismLimit: 1, MaxCombinedDirectoryManifestsSize: resource.MustParse("10M")},
		git.NoopCredsStore{}, dir)
	if err := c.repoServer.Init(); err != nil {
		return nil, err
	}
	h := hydrator.NewHydrator(c, time.Hour, commitServer{commit.NewService(git.NoopCredsStore{}, commitmetrics.NewMetricsServer())}, c, c)
	h.ProcessAppHydrateQueueItem(&c.app)
	for _, key := range c.queue {
		h.ProcessHydrationQueueItem(key)
	}
	return &c.app, nil
}

func readYAML(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// controller is what the hydrator needs of the application controller, without a cluster.
type controller struct {
	app        v1alpha1.Application
	project    *v1alpha1.AppProject
	readme     string
	queue      []types.HydrationQueueKey
	repoServer *repository.Service
}

func (c *controller) GetProcessableAppProj(*v1alpha1.Application) (*v1alpha1.AppProject, error) {
	return c.project, nil
}

func (c *controller) GetProcessableApps() (*v1alpha1.ApplicationList, error) {
	return &v1alpha1.ApplicationList{Items: []v1alpha1.Application{*c.app.DeepCopy()}}, nil
}

// EvaluateAppRevisionsChanges asks the repo server what the controller asks it about a dry source.
func (c *controller) EvaluateAppRevisionsChanges(
	ctx context.Context, app *v1alpha1.Application, source v1alpha1.ApplicationSource, revision string, _ *v1alpha1.AppProject, noCache bool,
) (bool, string, error) {
	compared := app.Status.SourceHydrator.LastComparedDryRevision
	if compared != "" && app.Annotations[v1alpha1.AnnotationKeyManifestGeneratePaths] != "" {
		answer, err := c.repoServer.UpdateRevisionForPaths(ctx, &repoclient.UpdateRevisionForPathsRequest{
			Repo: &v1alpha1.Repository{Repo: source.RepoURL}, Revision: revision, SyncedRevision: compared, NoRevisionCache: noCache,
			Paths: path.GetSourceRefreshPaths(app, source), AppName: app.Name, Namespace: app.Spec.Destination.Namespace, ApplicationSource: &source,
		})
		return answer.GetChanges(), answer.GetRevision(), err
	}
	answer, err := c.repoServer.ResolveRevision(ctx, &repoclient.ResolveRevisionRequest{
		Repo: &v1alpha1.Repository{Repo: source.RepoURL}, App: app, AmbiguousRevision: revision, SourceIndex: -1, NoRevisionCache: noCache,
	})
	return answer.GetRevision() != compared, answer.GetRevision(), err
}

func (c *controller) GetRepoObjs(
	ctx context.Context, app *v1alpha1.Application, source v1alpha1.ApplicationSource, revision string, project *v1alpha1.AppProject,
) ([]*unstructured.Unstructured, *repoclient.ManifestResponse, error) {
	request := requestFor(app, source)
	request.Revision = revision
	request.NoCache = true
	request.NoRevisionCache = true
	request.ProjectSourceRepos = project.Spec.SourceRepos
	answer, err := c.repoServer.GenerateManifest(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	var objects []*unstructured.Unstructured
	for _, manifest := range answer.Manifests {
		object, err := v1alpha1.UnmarshalToUnstructured(manifest)
		if err != nil {
			return nil, nil, err
		}
		objects = append(objects, object)
	}
	return objects, answer, nil
}

func (c *controller) GetRepository(_ context.Context, url, _ string) (*v1alpha1.Repository, error) {
	return &v1alpha1.Repository{Repo: url}, nil
}

func (c *controller) GetWriteCredentials(ctx context.Context, url, project string) (*v1alpha1.Repository, error) {
	return c.GetRepository(ctx, url, project)
}

func (c *controller) RequestAppRefresh(string, string) error { return nil }

func (c *controller) PersistHydrationStatus(_ *v1alpha1.Application, status *v1alpha1.SourceHydratorStatus) {
	c.app.Status.SourceHydrator = *status.DeepCopy()
	delete(c.app.Annotations, v1alpha1.AnnotationKeyHydrate)
}

func (c *controller) AddHydrationQueueItem(key types.HydrationQueueKey) {
	c.queue = append(c.queue, key)
}

func (c *controller) GetHydratorCommitMessageTemplate() (string, error) {
	return settings.CommitMessageTemplate, nil
}

func (c *controller) GetHydratorReadmeMessageTemplate() (string, error) {
	if c.readme == "" {
		return settings.DefaultManifestHydrationReadmeTemplate, nil
	}
	return c.readme, nil
}

func (c *controller) GetCommitAuthorName() (string, error)  { return "", nil }
func (c *controller) GetCommitAuthorEmail() (string, error) { return "", nil }

// NewRepoServerClient returns the repo server for metadata of commits.
func (c *controller) NewRepoServerClient() (utilio.Closer, repoclient.RepoServerServiceClient, error) {
	return utilio.NopCloser, metadataClient{server: c.repoServer}, nil
}

type metadataClient struct {
	repoclient.RepoServerServiceClient
	server *repository.Service
}

func (m metadataClient) GetRevisionMetadata(
	ctx context.Context, request *repoclient.RepoServerRevisionMetadataRequest, _ ...grpc.CallOption,
) (*v1alpha1.RevisionMetadata, error) {
	return m.server.GetRevisionMetadata(ctx, request)
}

type commitServer struct{ service *commit.Service }

func (c commitServer) NewCommitServerClient() (utilio.Closer, apiclient.CommitServiceClient, error) {
	return utilio.NopCloser, c, nil
}

func (c commitServer) CommitHydratedManifests(
	ctx context.Context, request *apiclient.CommitHydratedManifestsRequest, _ ...grpc.CallOption,
) (*apiclient.CommitHydratedManifestsResponse, error) {
	return c.service.CommitHydratedManifests(ctx, request)
}
