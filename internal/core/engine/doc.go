// Package engine runs injectors on manifests. A run undoes what its injectors did before, in memory, and does it anew,
// so that the result depends on the config alone.
//
// Start at [Run], which takes a ResourceList, or at [Apply], which takes plain manifests. Both take each item through
// [run.process]. Of a workload, each pod template passes through reconcile, whose steps are:
//
//   - decide: which injectors add something, which remove something, and why
//   - reportRenamed: the names of objects that kustomize has changed
//   - reportForeign: the stamps of injectors that the config does not have
//   - undo: the version is the file without what the run's injectors had added
//   - addPayload: for each injector, what it wants, unless that conflicts with the app or with others
//   - order: the lists into which injectors put something get the order of the config
//   - checkInjected: what the API server would refuse, and the injector behind it
//   - checkResult: what people have changed by hand, and the version as it is in the end
//   - writeStamps: what each injector did, as an annotation
//   - rebase: what is the same as in the file gets its text and its position back
//
// Then write makes the smallest edit of the text that has the version.
package engine
