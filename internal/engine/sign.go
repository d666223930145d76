package engine

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/transformers"
)

// sign writes an injector's stamp, unless a later run would not accept it.
func (p *pod) sign(target *transformers.Pod, key string, made *stamp.Stamp) {
	text := made.String()
	if err := made.Validate(text); err != nil {
		p.stampTooLong(key, err)
		return
	}
	for _, f := range target.Annotate(key, stamp.AsWritten(p.Template.Node, key, text)) {
		p.say(f)
	}
}

// stampTooLong refuses an injection whose stamp a later run would not accept.
func (p *pod) stampTooLong(key string, why error) {
	p.say(Finding{
		Severity: Error, Code: finding.StampTooLong, Field: annotation(p.Candidate, key), Injector: p.injectorOf(key).Name,
		Message: "the stamp, which keeps what is replaced, could not be read again: " + why.Error() +
			"; replace less (spec.onConflict), or set spec.stamp to None",
	})
}

// checkAnnotations refuses annotations that are too long together, for a later run or for Kubernetes.
func (p *pod) checkAnnotations(after podtemplate.Template, stamps []stamp.Owner) {
	if total := stamp.Bytes(after.Node); total > podtemplate.MaxAnnotationBytes && len(stamps) > 0 {
		p.stampTooLong(stamps[len(stamps)-1].Key,
			fmt.Errorf("with those of other injectors it has %d bytes, and Kubernetes takes %d for all annotations together", total, podtemplate.MaxAnnotationBytes))
		return
	}
	for _, f := range check.Annotations(p.Template, after) {
		if last := len(p.made) - 1; last >= 0 {
			f.Injector = p.injectors[p.made[last].which].Name
		}
		p.say(f)
	}
}
