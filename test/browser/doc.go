// Package browser holds the tests that look at the report in a real Chromium.
package browser
