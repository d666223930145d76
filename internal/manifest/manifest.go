// Package manifest splits a stream into its items, with the byte range of each,
// and puts the stream together again around the items that changed.
package manifest
