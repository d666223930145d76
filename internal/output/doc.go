// Package output shows what happened: as text, tables, JSON, SARIF, JUnit and pages.
package output
