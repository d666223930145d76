// Package manifest splits a stream into its items, with the byte range of each,
// and writes the stream back with the items that changed.
//
// A document is read as a whole, and its nodes tell where its items are. A long list is read item by item, on all
// cores, and no nodes are kept.
package manifest

import (
	"math"
)

// maxBytes is the longest text, because nodes keep their positions in 32 bits.
const maxBytes = math.MaxInt32

// Limits on untrusted input. Objects over MaxItemBytes do not fit into etcd, which takes up to 1.5 MiB.
const (
	MaxItemBytes = 4 << 20
	MaxDepth     = 200
)

// MaxAliasNodes and maxNodes are the most nodes of an item. Clusters store objects of up to 1.5 MB of JSON, in which a
// node takes two bytes or more. Aliases make many nodes from little text, so they may add far fewer.
const (
	maxNodes      = 1_000_000
	MaxAliasNodes = 100_000
)

// Stream is the text of a source, split into items.
type Stream struct {
	// ResourceList is set if the stream is one. Otherwise it consists of YAML documents.
	ResourceList bool
	// Config is the functionConfig of a ResourceList, or nil.
	Config *Item
	// Items are the Kubernetes objects in order, with the members of a List instead of the List.
	Items []*Item

	text []byte
	// list is the document of the ResourceList.
	list *document
}

// Item is one Kubernetes object in the stream.
type Item struct {
	APIVersion string
	Kind       string
	Name       string

	// Text is the item's own bytes: in block style, whole lines with
	// the "- " of the list around it; inside of brackets, only the value.
	Text []byte

	// IsEncrypted is whether SOPS has encrypted the document: it has a MAC of all values, which any change breaks.
	IsEncrypted bool

	// Broken is the reason why Kind and APIVersion are not certain, or nil. Problem is what else Parse refuses.
	Broken, problem error

	// Line is the number of Text's first line in the stream, from 1. Column is the column of its first character: 1,
	// except inside of brackets.
	Line, Column int

	// File is the file that the stream was read from, and Index the item's index in it. File is empty if it is not
	// known.
	File  string
	Index int

	stream []byte
	start  int
	// members are the objects in a list, or nil if this is no list.
	members []*Item
}

// IsSound reports whether Parse has nothing to refuse, except for aliases of what is outside of the item.
func (i *Item) IsSound() bool { return i.Broken == nil && i.problem == nil }

// Stream returns the text of the item's stream, and the offset of the item's own text in it.
func (i *Item) Stream() (text []byte, start int) { return i.stream, i.start }
