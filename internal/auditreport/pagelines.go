package auditreport

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/table"
	"pillion.dev/pillion/internal/webpage"
)

// pageLine is a workload with all its pods, under the worst of their states.
type pageLine struct{ line }

// pageLines returns the workloads of which not all pods are skipped, worst first.
func pageLines(lines []line) []pageLine {
	seen := make(map[*owner]bool, len(lines))
	var all []pageLine
	for _, l := range lines {
		if !seen[l.owner] {
			seen[l.owner] = true
			all = append(all, pageLine{l})
		}
	}
	return all
}

// pageData is the data of the page's script, as JSON.
type pageData struct {
	Strings []string   `json:"strings"`
	Rows    []lineData `json:"rows"`
}

// lineData is the pods of a workload that are not current. Texts are indexes in pageData.Strings.
type lineData struct {
	Pods   [][]int `json:"p"` // of each: name, state, and the lines about it
	Hidden int     `json:"h"` // pods that are left out
}

func newPageData(all []pageLine) pageData {
	texts := webpage.NewPool()
	data := pageData{Rows: make([]lineData, len(all))}
	for i := range all {
		data.Rows[i] = newLineData(all[i].owner.rows, texts)
	}
	data.Strings = texts.Texts()
	return data
}

func newLineData(rows []audit.Row, texts *webpage.Pool) lineData {
	d := lineData{Pods: [][]int{}}
	for _, state := range audit.States {
		for i := range rows {
			row := &rows[i]
			isShown := row.State == state && (state != audit.Current || len(row.Infos) > 0)
			switch {
			case isShown && len(d.Pods) == mostPods:
				d.Hidden++
			case isShown:
				pod := []int{texts.Index(visible(row.Pod)), texts.Index(visible(string(row.State)))}
				for _, text := range details(row) {
					pod = append(pod, texts.Index(visible(text)))
				}
				d.Pods = append(d.Pods, pod)
			}
		}
	}
	return d
}

// shortened returns findings as the page shows them: not too many, and with messages that are not too long.
func shortened(findings []finding.Finding) []finding.Finding {
	const most = 100
	short := slices.Clone(findings[:min(len(findings), most)])
	for i := range short {
		short[i].Code, short[i].Message = finding.Code(table.Cut(string(short[i].Code), longest)), table.Cut(short[i].Message, longest)
	}
	return short
}
