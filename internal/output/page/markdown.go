package page

import (
	"io"
	"strings"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// Markdown writes lines, the table, and the diffs of its rows, folded, as GitHub and GitLab show them in a comment. A
// comment has room for 64 KB, so each of these parts gets a third of 60 KB and what the parts before it leave. What is
// left out is counted at the end.
func (t Table) Markdown(w io.Writer, title string, lines []Line) error {
	const third, end = 19_900, 300
	d := document{room: third}
	d.add("### Sidecars: " + code(title) + "\n\n")
	d.addLines(lines)
	d.room += third
	shown := d.addTable(t)
	d.room += third
	d.addDiffs(shown, t.Rows)
	d.room += end
	if len(d.left) > 0 {
		d.add("\n**Left out: " + strings.Join(d.left, ", ") + ".** `pillion explain -o wide` and `pillion diff` " +
			"print all.\n")
	}
	_, err := io.WriteString(w, d.String())
	return err
}

// document is Markdown that is being written. Texts of strangers are in it as code, in which nothing is a link, a
// mention or markup.
type document struct {
	strings.Builder
	room int
	left []string // what is left out, in words
}

// add adds a text if there is room for all of it, and returns 1 if it does and 0 otherwise.
func (d *document) add(text string) int {
	if d.Len()+len(text) > d.room {
		return 0
	}
	d.WriteString(text)
	return 1
}

// leave notes how many are left out.
func (d *document) leave(count int, noun string) {
	if count > 0 {
		d.left = append(d.left, spelling.Plural(count, "more "+noun))
	}
}

func (d *document) addLines(lines []Line) {
	left := len(lines)
	for _, l := range lines {
		text := "-"
		if l.Label != "" {
			text += " **" + l.Label + "**"
		}
		for _, part := range []string{l.Code, l.Text, l.End} {
			if part != "" {
				text += " " + code(part)
			}
		}
		left -= d.add(text + "\n")
	}
	d.leave(left, "line")
}

// addTable adds the table without the rows that Write leaves out, too, and returns the others.
func (d *document) addTable(t Table) (shown []Cells) {
	shown, more := folded(t.Rows, 0, "")
	if len(shown) == 0 {
		return nil
	}
	left := len(t.Rows)
	d.add("\n| " + strings.Join(t.Headings, " | ") + " |\n" + strings.Repeat("|---", len(t.Headings)) + "|\n")
	for i, cells := range t.lines(shown)[1:] {
		row := ""
		for _, cell := range cells {
			row += "| " + unpiped.Replace(code(cell)) + " "
		}
		left -= d.add(row + "|\n")
		if note := more[i+1]; note != "" {
			d.add(strings.Repeat("| ", len(cells)) + unpiped.Replace(code(strings.TrimSpace(note))) + " |\n")
		}
	}
	d.leave(left, "row")
	return shown
}

// unpiped escapes what would end a cell, even in code. A backslash before it would escape the escape in some programs.
var unpiped = strings.NewReplacer(`\|`, `\ \|`, "|", `\|`)

// addDiffs adds the diffs of the rows that are shown, and counts those of all rows that are left out.
func (d *document) addDiffs(shown, all []Cells) {
	left := 0
	for _, r := range all {
		left += min(len(r.DiffOf), 1)
	}
	for _, r := range shown {
		if r.DiffOf == "" {
			continue
		}
		text, fence := escape.Lines(strings.Join(r.Diff(edit.Context), "\n")), "```"
		for len(text) < d.room && strings.Contains(text, fence) {
			fence += "`"
		}
		m := &markup{}
		m.add("\n<details><summary><code>{}</code></summary>\n\n", r.DiffOf)
		left -= d.add(m.String() + fence + "diff\n" + text + "\n" + fence + "\n\n</details>\n")
	}
	d.leave(left, "diff")
}

// code returns a line as code. A backtick would end it, so it is replaced by a character that looks like one, and that
// no shell runs.
func code(text string) string {
	const longest = 500
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(escape.Line(escape.Clip(text, longest)), "`", "\u02cb") + "`"
}
