// Package formats checks what Pillion writes with the programs that read it: pages with Chromium, and schemas with
// a validator of JSON Schema. It is a module of its own, because these libraries are not for those who import
// Pillion.
package formats
