// Package text is the ground floor: texts and values, and nothing about Kubernetes. Nothing outside of it knows a
// comment, a column or a byte range.
package text
