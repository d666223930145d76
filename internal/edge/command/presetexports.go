package command

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/export/patch"
)

// exportsOf returns a line with the formats that a preset can be exported to, each with the setting that it needs for
// it.
func exportsOf(p preset.Preset) string {
	var formats []string
	for _, format := range []struct {
		names  string
		export exportFunc
	}{
		{"kustomize, flux", exportPatches(patch.Patches.Component)},
		{"admission", newPolicyFlags().export},
	} {
		if setting, ok := settingFor(p, format.export); ok {
			formats = append(formats, format.names+setting)
		}
	}
	if len(formats) == 0 {
		return ""
	}
	return "exports to " + strings.Join(formats, ", ")
}

// settingFor returns the optional setting that a preset needs to be exported, if it can be: none, or the first one that
// is enough.
func settingFor(p preset.Preset, export exportFunc) (setting string, ok bool) {
	if exports(p, export) {
		return "", true
	}
	for _, s := range p.Settings {
		if chosen := s.Name + "=" + s.Example; !s.IsRequired() && exports(p, export, chosen) {
			return " (with --set " + shellQuoted(chosen) + ")", true
		}
	}
	return "", false
}

// exports reports whether a preset can be exported with settings beside those of its example.
func exports(p preset.Preset, export exportFunc, settings ...string) bool {
	text, err := p.Injector("injector.yaml", append(p.Example(), settings...))
	if err != nil {
		return false
	}
	config, findings := engine.ReadConfig(engine.Source{Text: []byte(text)})
	_, refused := export(config.Injectors(), nil)
	return !finding.HasError(append(findings, refused...))
}
