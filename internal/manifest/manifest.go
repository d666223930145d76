// Package manifest splits a stream into its items, with the byte range of each,
// and puts the stream together again around the items that changed.
//
// Splitting does not parse: a scanner that knows lines, indentation, quotes and brackets
// finds where items begin and what kind they are. Only text that the scanner is not sure
// of is parsed to be split.
package manifest

// Limits on what a stranger may hand in. An object over MaxItemBytes does not fit
// into a cluster's store either, whose limit is 1.5 MiB.
const (
	MaxItemBytes = 4 << 20
	MaxDepth     = 200
)

// What an item may hold. A cluster stores objects of up to 1.5 MB of JSON, in which a node takes two bytes or more. Aliases make
// more of less text, and work is done for each of their nodes, so that they may add far fewer.
const (
	maxNodes      = 1_000_000
	maxAliasNodes = 100_000
)

// Stream is what came in, split into items.
type Stream struct {
	// ResourceList tells whether the stream is one; otherwise it is YAML documents.
	ResourceList bool
	// Config is the functionConfig of a ResourceList, or nil.
	Config *Item
	// Items are the Kubernetes objects in order; the members of a List stand for it.
	Items []Item

	text []byte
	// list is the document of the ResourceList.
	list *document
}

// Item is one Kubernetes object in the stream.
type Item struct {
	APIVersion string
	Kind       string

	// Text is the item's own bytes: whole lines where it is written in block style, with
	// the "- " of the list that it stands in; the bare value where it stands inside brackets.
	Text []byte

	// Broken says why the item cannot be taken for what its kind says, or is nil.
	Broken error

	// Line is the number of Text's first line in the stream, from 1.
	Line int

	// File is the file that the stream was read from, and Index the item's place in it; File
	// is empty where it is not known.
	File  string
	Index int

	stream []byte
	start  int
}

// Stream returns the text of the stream that the item stands in, and the offset of its own text there.
func (i *Item) Stream() (text []byte, start int) { return i.stream, i.start }
