package admission

// ArrivesSet is for tests of the documentation.
var ArrivesSet = arrivesSet
