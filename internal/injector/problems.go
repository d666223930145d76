package injector

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
)

// maxFindings bounds what is said about one config: who has to mend a hundred
// problems does not miss the hundred and first.
const maxFindings = 100

// What is shown of a text that somebody pasted in the wrong place.
const (
	maxShown        = 60
	maxPathShown    = 300
	maxMessageShown = 1000
)

// problems collects what is wrong with a config, in the order in which it is met.
type problems struct {
	object    finding.Object
	injector  string
	findings  []finding.Finding
	leftOut   int
	malformed []path // places that could not be read as their type
	varying   []path // places whose value is known only when a pod is at hand
	patterns  patterns
}

// problem is a finding in the making: where, what stands there, what should, and
// the words for it.
type problem struct {
	at       path
	current  string
	proposed string
	message  string
}

// malform notes a problem with the form of the config: what stands there has no
// meaning, so that nothing more is said about it.
func (p *problems) malform(found problem) {
	if !p.full() {
		p.malformed = append(p.malformed, found.at)
	}
	p.add(finding.Error, found)
}

// refuse notes a problem with the meaning of what is well formed.
func (p *problems) refuse(found problem) {
	if !p.isMoot(found.at) {
		p.add(finding.Error, found)
	}
}

// refusef is refuse where the message is all there is to say.
func (p *problems) refusef(at path, current, format string, args ...any) {
	p.refuse(problem{at: at, current: current, message: fmt.Sprintf(format, args...)})
}

// warn notes what is allowed but hardly meant.
func (p *problems) warn(found problem) {
	if !p.isMoot(found.at) {
		p.add(finding.Warning, found)
	}
}

// require notes that something is missing, unless something beside it could not be
// read: then that is most likely the missing thing, misspelt.
func (p *problems) require(at path, message string) {
	for _, bad := range p.malformed {
		if bad.parent() == at.parent() {
			return
		}
	}
	p.refuse(problem{at: at, message: message})
}

// isMoot tells that what stands at a place could not be read, or is not known yet, so that
// its meaning cannot be judged.
func (p *problems) isMoot(at path) bool {
	within := func(place path) bool { return at.within(place) }
	return slices.ContainsFunc(p.malformed, within) || slices.ContainsFunc(p.varying, within)
}

// full tells that nothing more will be said, so that looking further is of no use.
func (p *problems) full() bool {
	return len(p.findings) >= maxFindings
}

func (p *problems) add(severity finding.Severity, found problem) {
	if p.full() {
		p.leftOut++
		return
	}
	f := finding.Finding{
		Severity: severity,
		Code:     finding.InvalidConfig,
		Message:  clip(found.message, maxMessageShown),
		Injector: p.injector,
		Object:   p.about(),
	}
	if at := found.at.String(); at != "" {
		at = clip(at, maxPathShown)
		f.Message = at + ": " + f.Message
		f.Field = &finding.Field{Path: at, Current: clip(found.current, maxShown), Proposed: found.proposed}
	}
	p.findings = append(p.findings, f)
}

// about is the config as a finding's object; nothing where it says nothing about itself.
func (p *problems) about() *finding.Object {
	if p.object == (finding.Object{}) {
		return nil
	}
	object := p.object
	return &object
}

// all is the findings, closed by a line about those left out.
func (p *problems) all() []finding.Finding {
	if p.leftOut == 0 {
		return p.findings
	}
	return append(p.findings, finding.Finding{
		Severity: finding.Error,
		Code:     finding.InvalidConfig,
		Message:  fmt.Sprintf("%d more problems are not shown; mend these first", p.leftOut),
		Object:   p.about(),
	})
}

// clip keeps a long text from filling the screen.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
