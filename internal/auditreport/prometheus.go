package auditreport

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/escape"
)

// The metric of audits, which Prometheus and the watcher write.
const (
	MetricName = "pillion_pods"
	MetricHelp = "Number of pods by injector, namespace and state of the declared sidecar."
)

// series identifies the pods of a namespace under one injector.
type series struct{ injector, namespace string }

// LabelValue returns a text as the value of a label, without control characters. It is UTF-8, because Prometheus refuses others.
func LabelValue(text string) string { return escape.Line(text) }

// Prometheus writes the numbers of pods in Prometheus' text format, for the textfile collector of node-exporter. The time is not part of
// it: the collector has node_textfile_mtime_seconds.
func Prometheus(w io.Writer, p Page) error {
	var out strings.Builder
	out.WriteString("# HELP " + MetricName + " " + MetricHelp + "\n# TYPE " + MetricName + " gauge\n")
	all := map[series]Counts{}
	for i := range p.Audit.Rows {
		row := &p.Audit.Rows[i]
		s := series{LabelValue(row.Injector), LabelValue(row.Namespace)}
		if all[s] == nil {
			all[s] = Counts{}
		}
		all[s][row.State]++
	}
	order := slices.SortedFunc(maps.Keys(all), func(a, b series) int {
		return cmp.Or(cmp.Compare(a.injector, b.injector), cmp.Compare(a.namespace, b.namespace))
	})
	for _, s := range order {
		for _, state := range audit.States { // also those that do not occur, so that alerts about them end
			out.WriteString(MetricName + `{injector="` + labelEscaper.Replace(s.injector) + `",namespace="` + labelEscaper.Replace(s.namespace) +
				`",state="` + string(state) + `"} ` + strconv.Itoa(all[s][state]) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// labelEscaper escapes what the text format does not allow in a LabelValue.
var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
