//go:build !race

package engine_test

import (
	"context"
	"runtime"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/work/meter"
)

// TestManyInjectorsOfOnePodTakeWorkInProportion compares what 100 and 400 injectors of one pod allocate, when they
// inject, when they run again, and when they are removed, and checks that the meter counts them. Time would depend on
// the machine.
func TestManyInjectorsOfOnePodTakeWorkInProportion(t *testing.T) {
	const few, many, most = 100, 400, 5.0 // in proportion is 4
	for claim, spec := range map[string]string{
		"sidecars":               "{containers: [{name: sN, image: i}]}",
		"sidecars with volumes":  "{volumes: [{name: vN}], containers: [{name: sN, image: i, volumeMounts: [{name: vN, mountPath: /m}]}]}",
		"variables of the app":   "{appContainers: [{env: [{name: EN, value: x}]}]}",
		"sidecars that are safe": "{checks: {podSecurity: baseline}, containers: [{name: sN, image: i}]}",
		"all of them":            manySpec,
	} {
		t.Run(claim, func(t *testing.T) {
			of := map[int][]uint64{}
			for _, injectors := range []int{few, many} {
				config, _ := engine.ReadConfig(finding.Source{Text: []byte(manyInjectors(injectors, spec))})
				text := []byte(workloadsOf(1))
				for i, step := range []engine.Config{config, config, config.Removing()} {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					result, err := engine.Apply(context.Background(), step, finding.Source{Text: text})
					runtime.ReadMemStats(&after)
					if err != nil || result.Run.Failed() {
						t.Fatal(err, result.Run.Findings())
					}
					least := int64(injectors * (meter.PerInjection + (injectors-1)/2*meter.PerEarlier))
					if i == 0 && result.Run.Steps < least {
						t.Errorf("the meter counts %d steps of %d injectors, and at least %d are right", result.Run.Steps, injectors, least)
					}
					if result.Texts[0] != nil {
						text = result.Texts[0]
					}
					of[injectors] = append(of[injectors], after.Mallocs-before.Mallocs)
				}
			}
			for i, step := range []string{"injecting", "running again", "removing"} {
				if ratio := float64(of[many][i]) / float64(of[few][i]); ratio > most {
					t.Errorf("%s: %d injectors take %.1f times as many allocations as %d (%v)", step, many, ratio, few, of)
				}
			}
		})
	}
}
