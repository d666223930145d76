package admission

// addAppContainers adds variables, sources of variables and mounts to the app's containers of a list.
func (c *compiler) addAppContainers(podList) {}
