// Package pods is what Pillion knows about pods: their fields, their rules, what they cost, and how they run. New
// knowledge about a field is a row of the table in pod, not a branch elsewhere.
package pods
