package auditreport

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/audit"
)

// The metric of audits, which Prometheus and the watcher write.
const (
	MetricName = "pillion_pods"
	MetricHelp = "Number of pods by injector, namespace and state of the declared sidecar."
)

// Series identifies the pods of a namespace under one injector.
type Series struct{ Injector, Namespace string }

// CountSeries returns the numbers of pods, with a zero for each state that does not occur, so that alerts about it end. Texts that are not
// UTF-8 are made so, because Prometheus refuses others.
func CountSeries(rows []audit.Row) map[Series]Counts {
	all := map[Series]Counts{}
	var last Series
	var counts Counts
	for i := range rows {
		s := Series{rows[i].Injector, rows[i].Namespace}
		if s != last || counts == nil {
			last = s
			s.Injector, s.Namespace = strings.ToValidUTF8(s.Injector, "\uFFFD"), strings.ToValidUTF8(s.Namespace, "\uFFFD")
			if all[s] == nil {
				all[s] = Counts{}
				for _, state := range States {
					all[s][state] = 0
				}
			}
			counts = all[s]
		}
		counts[rows[i].State]++
	}
	return all
}

// Prometheus writes the numbers of pods in Prometheus' text format, for the textfile collector of node-exporter. The time is not part of
// it: the collector has node_textfile_mtime_seconds.
func Prometheus(w io.Writer, p Page) error {
	var out strings.Builder
	out.WriteString("# HELP " + MetricName + " " + MetricHelp + "\n# TYPE " + MetricName + " gauge\n")
	all := CountSeries(p.Audit.Rows)
	order := slices.SortedFunc(maps.Keys(all), func(a, b Series) int {
		return cmp.Or(cmp.Compare(a.Injector, b.Injector), cmp.Compare(a.Namespace, b.Namespace))
	})
	for _, s := range order {
		for _, state := range States {
			out.WriteString(MetricName + `{injector="` + labelEscaper.Replace(s.Injector) + `",namespace="` + labelEscaper.Replace(s.Namespace) +
				`",state="` + string(state) + `"} ` + strconv.Itoa(all[s][state]) + "\n")
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// labelEscaper escapes what would end the value of a label.
var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
