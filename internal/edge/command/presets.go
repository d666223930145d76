package command

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/text/manual"
)

// presetTable returns the table of all presets, which fits a terminal: their settings are in a second line, ready to
// copy.
func presetTable() []byte {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PRESET\tVERSION\tWHAT IT DOES, AND ITS SETTINGS")
	for _, p := range preset.All {
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, p.Image[strings.LastIndexByte(p.Image, ':')+1:], p.Summary)
		if settings := settingsOf(p); settings != "" {
			fmt.Fprintf(w, "\t\t%s\n", settings)
		}
	}
	_ = w.Flush() // a buffer takes everything
	b.WriteString(`
Write one to injector.yaml, with your own values:
  pillion init ` + preset.All[0].Name + settingFlags(preset.All[0].Example()) + `
Settings in brackets are optional. What each preset needs next to it: ` + manual.Presets + "\n")
	return b.Bytes()
}

// settingsOf returns the settings of a preset as flags: those that are required with an example, and the others in
// brackets with their defaults.
func settingsOf(p preset.Preset) string {
	line := settingFlags(p.Example())
	for _, s := range p.Settings {
		if !s.IsRequired() {
			line += " [--set " + shellQuoted(s.Name+"="+s.Default) + "]"
		}
	}
	return strings.TrimPrefix(line, " ")
}

// settingFlags returns settings as flags, each after a space.
func settingFlags(settings []string) string {
	line := ""
	for _, setting := range settings {
		line += " --set " + shellQuoted(setting)
	}
	return line
}

// completed returns the command line with the settings that are missing, each with an example.
func completed(cmd *cobra.Command, name string, missing *preset.MissingError) string {
	line := []string{cmd.CommandPath(), name}
	// They are visited in order, so that --set is the last.
	cmd.Flags().Visit(func(f *pflag.Flag) { line = append(line, flagWords(f)...) })
	for _, s := range missing.Missing {
		line = append(line, "--set", shellQuoted(s.Name+"="+s.Example))
	}
	return strings.Join(line, " ")
}

// completePreset completes the name of a preset.
func completePreset(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, p := range preset.All {
		if len(args) == 0 && strings.HasPrefix(p.Name, begun) {
			names = append(names, cobra.CompletionWithDesc(p.Name, p.Summary))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
