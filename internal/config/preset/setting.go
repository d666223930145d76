package preset

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
)

// Setting is a value that a preset takes.
type Setting struct {
	Name    string
	Meaning string
	Example string
	Default string // empty if a value is required
	Form    string // what is put into the text for a value, with %s in its place; the value itself if empty. Not for the default
	// Pattern is a regular expression for the whole value. It allows nothing that ends a quoted YAML string or means
	// something inside of one, and no variables: values are put into the text as they are.
	Pattern string
	// Mistakes are values that look right and do not work.
	Mistakes []Mistake
}

// Mistake is a kind of value that a setting does not take.
type Mistake struct {
	Pattern string // a regular expression for the whole value
	Why     string // what is wrong, to read after the value
}

// IsRequired reports whether the preset does not work without a value.
func (s Setting) IsRequired() bool { return s.Default == "" }

// MissingError is the error for settings that are required and not set.
type MissingError struct {
	Preset  Preset
	Missing []Setting
}

func (e *MissingError) Error() string {
	names := make([]string, len(e.Missing))
	for i, s := range e.Missing {
		names[i] = fmt.Sprintf("%s (%s)", s.Name, s.Meaning)
	}
	return fmt.Sprintf("the preset %s needs settings: %s", e.Preset.Name, strings.Join(names, ", "))
}

// values returns the value of each setting of the preset, or all problems with what was set.
func (p Preset) values(settings []string) (map[string]string, error) {
	values := map[string]string{}
	var problems []error
	for _, text := range settings {
		name, value, _ := strings.Cut(text, "=")
		err := p.check(text)
		if _, isSet := values[name]; isSet && err == nil {
			err = fmt.Errorf("the setting %s is set twice; remove one of the two", name)
		}
		problems = append(problems, err)
		values[name] = value
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	var missing []Setting
	for _, s := range p.Settings {
		switch _, isSet := values[s.Name]; {
		case !isSet && s.IsRequired():
			missing = append(missing, s)
		case !isSet:
			values[s.Name] = s.Default
		}
	}
	if len(missing) > 0 {
		return nil, &MissingError{Preset: p, Missing: missing}
	}
	return values, nil
}

// check returns what is wrong with one setting, written as NAME=VALUE.
func (p Preset) check(text string) error {
	name, value, hasValue := strings.Cut(text, "=")
	s, err := p.setting(name)
	if err != nil {
		return err
	}
	if !hasValue {
		return fmt.Errorf("the setting %s has no value; write --set %[1]s=%s", name, s.Example)
	}
	for _, m := range s.Mistakes {
		if matches(m.Pattern, value) {
			return fmt.Errorf("the setting %s is %s, %s, such as --set %[1]s=%[4]s", name, quoted(value), m.Why, s.Example)
		}
	}
	if !matches(s.Pattern, value) {
		return fmt.Errorf("the setting %s is %s, which is not a valid value; it is %s, such as --set %[1]s=%[4]s",
			name, quoted(value), s.Meaning, s.Example)
	}
	return nil
}

// matches reports whether a regular expression matches the whole value.
func matches(pattern, value string) bool {
	return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(value)
}

func (p Preset) setting(name string) (Setting, error) {
	names := make([]string, len(p.Settings))
	for i, s := range p.Settings {
		if s.Name == name {
			return s, nil
		}
		names[i] = s.Name
	}
	if near := spelling.Nearest(name, names); near != "" {
		return Setting{}, fmt.Errorf("the preset %s has no setting %s; did you mean %s?", p.Name, quoted(name), near)
	}
	return Setting{}, fmt.Errorf("the preset %s has no setting %s; it has %s", p.Name, quoted(name), strings.Join(names, ", "))
}

const maxShown = 80 // bytes of a text of the user in a message

// quoted returns a text of the user for a message.
func quoted(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return strconv.Quote(text)
}
