// Package kustomization builds kustomizations in process, without plugins and without network.
package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"pillion.dev/pillion/internal/edge/files"
)

// Build returns the manifests of a kustomization, as kustomize build prints them. There may be none. Builds can run at
// the same time. An error is for the person who has to act; see CausesOf.
func (d *Disk) Build(dir string) ([]byte, error) {
	built, err := d.build(dir, nil)
	if err != nil {
		err = d.explain(dir, err)
	}
	return built, err
}

// BuildWithin is Build for a kustomization that is not trusted: it reads nothing outside of the directory root.
func BuildWithin(root, dir string) ([]byte, error) {
	d := NewDisk(nil)
	d.Within = files.RealPath(root)
	return d.Build(dir)
}

// within returns a view of the disk that has no more than the disk may read.
func (d *Disk) within(disk filesys.FileSystem) filesys.FileSystem {
	if d.Within == "" {
		return disk
	}
	return bounded{disk, d.Within}
}

// schema is held by all builds, because kustomize has one schema for the whole program: for writing by one that changes
// it.
var schema sync.RWMutex

// errNotAlone ends a build that would change the schema of others.
var errNotAlone = errors.New("this build has to run alone")

// build builds a kustomization with a part of its steps.
func (d *Disk) build(dir string, c cut) ([]byte, error) {
	built, err := d.buildBeside(dir, c)
	if !errors.Is(err, errNotAlone) {
		return built, err
	}
	schema.Lock()
	defer schema.Unlock()
	defer openapi.ResetOpenAPI()
	return d.buildOnce(dir, &view{Disk: d, cut: c, isAlone: true})
}

// buildBeside builds a kustomization while others are built.
func (d *Disk) buildBeside(dir string, c cut) ([]byte, error) {
	schema.RLock()
	defer schema.RUnlock()
	return d.buildOnce(dir, &view{Disk: d, cut: c})
}

// limitCopies bounds what the operations of JSON patches copy: each may double a value.
var limitCopies = sync.OnceFunc(func() { jsonpatch.AccumulatedCopySizeLimit = maxCopied })

const maxCopied = 1 << 20

func (d *Disk) buildOnce(dir string, v *view) (text []byte, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the kustomization in %s cannot be built: kustomize failed: %v", dir, problem)
		}
	}()
	limitCopies()
	disk := d.within(v)
	if !disk.IsDir(dir) {
		remedy := cmp.Or(files.DidYouMean(dir), "; -k takes a directory with a kustomization, and -f takes files")
		return nil, fmt.Errorf("there is no directory %s to build%s", dir, remedy)
	}
	defer outside.close()()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy // as kustomize build does
	if d.AnyFile {
		options.LoadRestrictions = types.LoadRestrictionsNone
	}
	built, err := krusty.MakeKustomizer(options).Run(disk, dir)
	switch {
	case v.refused != nil:
		return nil, v.refused
	case err != nil:
		return nil, kustomizeError{err}
	}
	return built.AsYaml()
}

// changesSchema reports whether a kustomization has a schema of its own.
func changesSchema(text []byte) (bool, error) {
	var fields struct {
		OpenAPI any `json:"openapi"`
	}
	err := files.DecodeKustomization(text, &fields)
	return fields.OpenAPI != nil, err
}
