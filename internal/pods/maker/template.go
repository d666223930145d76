package maker

import "strings"

// Templates counts the objects in the templates of a chart that make pods elsewhere. A template is no YAML, so that it
// goes by lines, and sees what a loop repeats once.
type Templates struct {
	order  []*Kind
	counts map[*Kind]int
}

// Add counts the objects in a template. An object is a line with its apiVersion, and one with its kind in the same
// column, in any order.
func (t *Templates) Add(template string) {
	apiVersion := ""
	name := ""
	column := -1 // of apiVersion or kind, whichever is first
	for line := range strings.Lines(template) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "---") {
			apiVersion = ""
			name = ""
			column = -1
			continue
		}
		key, value, hasValue := strings.Cut(strings.TrimLeft(line, " -"), ":")
		if !hasValue || key != "apiVersion" && key != "kind" {
			continue
		}
		at := len(line) - len(key) - len(":") - len(value)
		if column >= 0 && at != column {
			continue // of something in the object
		}
		column = at
		value = strings.Trim(value, ` "'`)
		if key == "kind" {
			name = value
		} else {
			apiVersion = value
		}
		if kind := Find(apiVersion, name); kind != nil {
			t.count(kind)
			apiVersion = ""
			name = ""
		}
	}
}

func (t *Templates) count(kind *Kind) {
	if t.counts == nil {
		t.counts = map[*Kind]int{}
	}
	if t.counts[kind] == 0 {
		t.order = append(t.order, kind)
	}
	t.counts[kind]++
}

// String returns what the templates have in words, or "": its templates have 60 Applications, 2 ApplicationSets.
func (t *Templates) String() string {
	var parts []string
	for _, kind := range t.order {
		parts = append(parts, kind.Count(t.counts[kind]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "its templates have " + strings.Join(parts, ", ")
}
