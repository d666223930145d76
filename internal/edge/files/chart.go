package files

import "path"

const chartFile = "Chart.yaml"

// isChart reports whether a directory is a Helm chart: it has a Chart.yaml that Helm accepts.
func (t *tree) isChart(dir string) bool {
	var chart struct{ APIVersion, Name, Version string }
	text, err := readRegular(t.root.OpenFile, path.Join(dir, chartFile), maxKustomizationBytes)
	return err == nil && DecodeKustomization(text, &chart) == nil &&
		(chart.APIVersion == "v1" || chart.APIVersion == "v2") && chart.Name != "" && chart.Version != ""
}
