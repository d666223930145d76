package schema

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

// Limits in bytes for what findings show of a config: of a value, of a path, and of a message.
const (
	MaxShown        = 60
	maxPathShown    = 300
	MaxMessageShown = 1000
)

// Problems collects findings about a config, in the order in which they are found.
type Problems struct {
	Findings []finding.Finding

	// What the findings that follow are about: the config, the injector in it, and where its values were written.
	Object    finding.Object
	Injector  string
	Positions Positions
	IsOfPod   bool // they are about values of one pod, which nobody corrects in the config

	// Malformed is where values are that could not be decoded. Further problems with these are not reported.
	Malformed []Path

	leftOut int           // findings beyond maxFindings
	varying map[Path]bool // where texts are that depend on the pod
}

// Problem is what a finding is made from: where, the value found there, the value proposed for it, and the message.
type Problem struct {
	At       Path
	Current  string
	Proposed string
	Message  string
	Code     finding.Code // InvalidConfig if it is empty
}

// Propose adds the known word that is spelt most like a wrong one, and reports whether there is one.
func (p *Problem) Propose(word string, known []string) bool {
	near := spelling.Nearest(word, known)
	if long := longNames[word]; slices.Contains(known, long) {
		near = long
	}
	if near != "" {
		p.Proposed = near
		p.Message += "; did you mean " + near + "?"
	}
	return near != ""
}

// longNames are the names of fields that people shorten.
var longNames = map[string]string{"img": "image", "cmd": "command", "pullPolicy": "imagePullPolicy"}

// Malform reports a value that cannot be decoded. Other problems with the same value are not reported.
func (p *Problems) Malform(found Problem) {
	found.At = p.Positions.Of(found.At)
	if !p.IsFull() {
		p.Malformed = append(p.Malformed, found.At)
	}
	p.add(finding.Error, found)
}

// Malformf is like Malform, with a message in parts.
func (p *Problems) Malformf(at Path, current, format string, args ...any) {
	p.Malform(Problem{At: at, Current: current, Message: fmt.Sprintf(format, args...)})
}

// Refuse reports a value that was decoded and is not allowed.
func (p *Problems) Refuse(found Problem) { p.addDecided(finding.Error, found) }

// Refusef is like Refuse, with a message in parts.
func (p *Problems) Refusef(at Path, current, format string, args ...any) {
	p.Refuse(Problem{At: at, Current: current, Message: fmt.Sprintf(format, args...)})
}

// Warn reports a value that is allowed and probably a mistake.
func (p *Problems) Warn(found Problem) { p.addDecided(finding.Warning, found) }

// Warnf is like Warn, with a message in parts.
func (p *Problems) Warnf(at Path, current, format string, args ...any) {
	p.Warn(Problem{At: at, Current: current, Message: fmt.Sprintf(format, args...)})
}

// Ignoref reports a field that has no effect.
func (p *Problems) Ignoref(at Path, current, format string, args ...any) {
	p.Warn(Problem{At: at, Current: current, Code: finding.FieldIgnored, Message: fmt.Sprintf(format, args...)})
}

// Require reports a missing field of a mapping unless the mapping has it, and returns whether it does.
func (p *Problems) Require(has bool, mapping Path, field, message string) bool {
	if !has {
		p.Missing(mapping.Key(field), message)
	}
	return has
}

// Missing reports a missing field, unless another field of the mapping is malformed: that is probably the missing one,
// misspelt.
func (p *Problems) Missing(at Path, message string) {
	mapping := p.Positions.Of(at).parent()
	if !slices.ContainsFunc(p.Malformed, func(bad Path) bool { return bad.parent() == mapping }) {
		p.Refusef(at, "", "%s", message)
	}
}

// NotBoth reports two fields of a mapping that exclude each other if both are set, and returns whether they are.
func (p *Problems) NotBoth(bothSet bool, mapping Path, first, second string) bool {
	if bothSet {
		p.Refusef(mapping.Key(second), "", "%s and %s cannot both be given; keep one", first, second)
	}
	return bothSet
}

// FirstUses maps each name to where it is used first.
type FirstUses map[string]Path

// CheckOnce reports a name that is not empty and was used before. The message is a format of the first use, %[1]s, and
// the name, %[2]q.
func (p *Problems) CheckOnce(uses FirstUses, name string, use, at Path, format string) {
	first, again := uses[name]
	switch {
	case again:
		p.Refuse(Problem{At: at, Current: name, Message: fmt.Sprintf(format, first, name)})
	case name != "":
		uses[name] = p.Positions.Of(use)
	}
}

// addDecided adds a finding about a value, unless that cannot be checked.
func (p *Problems) addDecided(severity finding.Severity, found Problem) {
	if !p.IsUndecided(found.At) {
		found.At = p.Positions.Of(found.At)
		p.add(severity, found)
	}
}

// IsUndecided reports whether a value is malformed or depends on the pod, so that it cannot be checked.
func (p *Problems) IsUndecided(at Path) bool {
	place := p.Positions.Of(at)
	return p.varying[place] || slices.ContainsFunc(p.Malformed, place.Within)
}

// IsFull reports whether further findings are only counted.
func (p *Problems) IsFull() bool { return len(p.Findings) >= maxFindings }

func (p *Problems) add(severity finding.Severity, found Problem) {
	if p.IsFull() {
		p.leftOut++
		return
	}
	f := finding.Finding{
		Severity: severity,
		Code:     cmp.Or(found.Code, finding.InvalidConfig),
		Message:  Clip(found.Message, MaxMessageShown),
		Injector: p.Injector,
		Object:   p.config(),
	}
	if at := found.At.String(); at != "" {
		at = Clip(at, maxPathShown)
		f.Message = at + ": " + f.Message
		f.Field = &finding.Field{Path: at, Current: Shown(found.Current), Proposed: found.Proposed}
	}
	p.Findings = append(p.Findings, f)
}

// config returns the config as the object of a finding, or nil if it does not name itself.
func (p *Problems) config() *finding.Object {
	if p.Object == (finding.Object{}) {
		return nil
	}
	object := p.Object
	return &object
}

// All returns the findings, with the number of those left out at the end.
func (p *Problems) All() []finding.Finding {
	if p.leftOut == 0 {
		return p.Findings
	}
	return append(p.Findings, finding.Finding{
		Severity: finding.Error,
		Code:     finding.InvalidConfig,
		Message:  fmt.Sprintf("%d more problems are not shown; fix these first", p.leftOut),
		Object:   p.config(),
	})
}

// Clip shortens a long text.
func Clip(text string, most int) string { return escape.Clip(text, most) }

// Shown returns a value of a config as messages show it.
func Shown(text string) string { return Clip(text, MaxShown) }
