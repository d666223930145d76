package injector

import (
	"cmp"
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// maxFindings bounds the findings about one config. The rest is only counted.
const maxFindings = 100

// Limits in bytes for what findings show of a config.
const (
	maxShown        = 60
	maxPathShown    = 300
	maxMessageShown = 1000
)

// problems collects findings about a config, in the order in which they are found.
type problems struct {
	object    finding.Object
	injector  string
	positions positions // of the injector
	findings  []finding.Finding
	leftOut   int           // findings beyond maxFindings
	malformed []path        // where values are that could not be decoded
	varying   map[path]bool // where texts are that depend on the pod
	isOfPod   bool          // values of one pod are checked, which nobody corrects in the config
}

// problem is what a finding is made from: where, the value found there, the value proposed for it, and the message.
type problem struct {
	at       path
	current  string
	proposed string
	message  string
	code     finding.Code // InvalidConfig if it is empty
}

// propose adds the known word that is spelt most like a wrong one, and reports whether there is one.
func (p *problem) propose(word string, known []string) bool {
	near := spelling.Nearest(word, known)
	if long := longNames[word]; slices.Contains(known, long) {
		near = long
	}
	if near != "" {
		p.proposed = near
		p.message += "; did you mean " + near + "?"
	}
	return near != ""
}

// longNames are the names of fields that people shorten.
var longNames = map[string]string{"img": "image", "cmd": "command", "pullPolicy": "imagePullPolicy"}

// malform reports a value that cannot be decoded. Other problems with the same value are not reported.
func (p *problems) malform(found problem) {
	found.at = p.positions.of(found.at)
	if !p.isFull() {
		p.malformed = append(p.malformed, found.at)
	}
	p.add(finding.Error, found)
}

func (p *problems) malformf(at path, current, format string, args ...any) {
	p.malform(problem{at: at, current: current, message: fmt.Sprintf(format, args...)})
}

// refuse reports a value that was decoded and is not allowed.
func (p *problems) refuse(found problem) { p.addDecided(finding.Error, found) }

func (p *problems) refusef(at path, current, format string, args ...any) {
	p.refuse(problem{at: at, current: current, message: fmt.Sprintf(format, args...)})
}

// warn reports a value that is allowed and probably a mistake.
func (p *problems) warn(found problem) { p.addDecided(finding.Warning, found) }

func (p *problems) warnf(at path, current, format string, args ...any) {
	p.warn(problem{at: at, current: current, message: fmt.Sprintf(format, args...)})
}

// ignoref reports a field that has no effect.
func (p *problems) ignoref(at path, current, format string, args ...any) {
	p.warn(problem{at: at, current: current, code: finding.FieldIgnored, message: fmt.Sprintf(format, args...)})
}

// require reports a missing field of a mapping unless the mapping has it, and returns whether it does.
func (p *problems) require(has bool, mapping path, field, message string) bool {
	if !has {
		p.missing(mapping.key(field), message)
	}
	return has
}

// missing reports a missing field, unless another field of the mapping is malformed: that is probably the missing one,
// misspelt.
func (p *problems) missing(at path, message string) {
	mapping := p.positions.of(at).parent()
	if !slices.ContainsFunc(p.malformed, func(bad path) bool { return bad.parent() == mapping }) {
		p.refusef(at, "", "%s", message)
	}
}

// notBoth reports two fields of a mapping that exclude each other if both are set, and returns whether they are.
func (p *problems) notBoth(bothSet bool, mapping path, first, second string) bool {
	if bothSet {
		p.refusef(mapping.key(second), "", "%s and %s cannot both be given; keep one", first, second)
	}
	return bothSet
}

// firstUses maps each name to where it is used first.
type firstUses map[string]path

// checkOnce reports a name that is not empty and was used before. The message is a format of the first use, %[1]s, and
// the name, %[2]q.
func (p *problems) checkOnce(uses firstUses, name string, use, at path, format string) {
	first, again := uses[name]
	switch {
	case again:
		p.refuse(problem{at: at, current: name, message: fmt.Sprintf(format, first, name)})
	case name != "":
		uses[name] = p.positions.of(use)
	}
}

// addDecided adds a finding about a value, unless that cannot be checked.
func (p *problems) addDecided(severity finding.Severity, found problem) {
	if !p.isUndecided(found.at) {
		found.at = p.positions.of(found.at)
		p.add(severity, found)
	}
}

// isUndecided reports whether a value is malformed or depends on the pod, so that it cannot be checked.
func (p *problems) isUndecided(at path) bool {
	place := p.positions.of(at)
	return p.varying[place] || slices.ContainsFunc(p.malformed, place.within)
}

// isFull reports whether further findings are only counted.
func (p *problems) isFull() bool { return len(p.findings) >= maxFindings }

func (p *problems) add(severity finding.Severity, found problem) {
	if p.isFull() {
		p.leftOut++
		return
	}
	f := finding.Finding{
		Severity: severity,
		Code:     cmp.Or(found.code, finding.InvalidConfig),
		Message:  clip(found.message, maxMessageShown),
		Injector: p.injector,
		Object:   p.config(),
	}
	if at := found.at.String(); at != "" {
		at = clip(at, maxPathShown)
		f.Message = at + ": " + f.Message
		f.Field = &finding.Field{Path: at, Current: clip(found.current, maxShown), Proposed: found.proposed}
	}
	p.findings = append(p.findings, f)
}

// config returns the config as the object of a finding, or nil if it does not name itself.
func (p *problems) config() *finding.Object {
	if p.object == (finding.Object{}) {
		return nil
	}
	object := p.object
	return &object
}

// all returns the findings, with the number of those left out at the end.
func (p *problems) all() []finding.Finding {
	if p.leftOut == 0 {
		return p.findings
	}
	return append(p.findings, finding.Finding{
		Severity: finding.Error,
		Code:     finding.InvalidConfig,
		Message:  fmt.Sprintf("%d more problems are not shown; fix these first", p.leftOut),
		Object:   p.config(),
	})
}

// clip shortens a long text.
func clip(text string, most int) string { return escape.Clip(text, most) }
