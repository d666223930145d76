package auditreport

import "pillion.dev/pillion/internal/outputformat"

// Formats are the formats of a page. Each has a file of its name.
var Formats = outputformat.List[Page]{
	{Name: "table", Write: Table},
	{Name: "wide", Write: Wide},
	{Name: "json", Write: JSON},
	{Name: "html", Write: HTML},
	{Name: "prometheus", Write: Prometheus},
}
