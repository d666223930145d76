// Package output shows what happened: as text, tables, JSON, JUnit and pages.
package output
