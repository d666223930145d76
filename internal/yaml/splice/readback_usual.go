//go:build !fullreadback

package splice

const fullReadBack = false
