package engine

import (
	"errors"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/project"
	"pillion.dev/pillion/internal/text/manifest"
)

// Project is a project file, with the positions of its fields.
type Project struct {
	v1alpha1.Project
	item *manifest.Item
}

const emptyProject = "the project file is empty; pillion init --kind project writes one to start with"

// ReadProject reads a project file. All problems are reported at once.
func ReadProject(source finding.Source) (Project, []finding.Finding) {
	items, findings := readItems([]finding.Source{source}, emptyProject)
	if len(findings) > 0 {
		return Project{}, findings
	}
	p := Project{item: items[0]}
	_, object, err := p.item.Parse()
	if len(items) > 1 {
		err = errors.New("the project file has several documents; merge them into one")
	}
	if err != nil {
		return Project{}, []finding.Finding{unreadable(source, finding.InvalidConfig, err)}
	}
	p.Project, findings = project.Read(object)
	p.locate(findings)
	return p, findings
}

// Problem returns an error about a field of the project file.
func (p *Project) Problem(path, message string) finding.Finding {
	field := &finding.Field{Path: path}
	findings := []finding.Finding{newFinding(finding.Error, finding.InvalidConfig, field, "%s: %s", path, message)}
	p.locate(findings)
	return findings[0]
}

func (p *Project) locate(findings []finding.Finding) {
	newLocator(visits([]*manifest.Item{p.item})).locateIn(findings, fileOf(p.item, nil))
}
