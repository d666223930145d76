package auditreport

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
)

// The metric of audits, which Prometheus and the watcher write.
const (
	MetricName = "pillion_pods"
	MetricHelp = "Number of pods by injector, namespace and state of the declared sidecar."
)

// series identifies the pods of a namespace under one injector.
type series struct{ injector, namespace string }

// LabelValue returns a text as the value of a label, without control characters. It is UTF-8, because Prometheus
// refuses others.
func LabelValue(text string) string { return escape.Line(text) }

// Prometheus writes the numbers of pods in Prometheus' text format, for the textfile collector of node-exporter. The
// time is not part of it: the collector has node_textfile_mtime_seconds.
func Prometheus(w io.Writer, p Page) error {
	var out strings.Builder
	out.WriteString("# HELP " + MetricName + " " + MetricHelp + "\n# TYPE " + MetricName + " gauge\n")
	all := page.By(p.Audit.Rows, func(r *audit.Row) series { return series{LabelValue(r.Injector), LabelValue(r.Namespace)} })
	slices.SortFunc(all, func(a, b page.Set[series, audit.Row]) int {
		return cmp.Or(cmp.Compare(a.Key.injector, b.Key.injector), cmp.Compare(a.Key.namespace, b.Key.namespace))
	})
	for _, s := range all {
		counts := CountsOf(s.Rows)
		for _, state := range audit.States { // also those that do not occur, so that alerts about them end
			fmt.Fprintf(&out, "%s{injector=\"%s\",namespace=\"%s\",state=\"%s\"} %d\n", MetricName,
				labelEscaper.Replace(s.Key.injector), labelEscaper.Replace(s.Key.namespace), state, counts[state])
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// labelEscaper escapes what the text format does not allow in a LabelValue.
var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
