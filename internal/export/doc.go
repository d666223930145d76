// Package export prints an injector for others to run: as admission policies, and as kustomize patches.
package export
