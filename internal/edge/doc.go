// Package edge is where effects are: flags, files, kustomizations, exit codes, the browser.
package edge
