package stamp

// Enters returns the containers and variables that the injector put something into.
func (s *Stamp) Enters() map[Address]bool {
	entered := map[Address]bool{}
	for at, c := range s.Changes {
		container := ContainerOf(at.Path)
		if container == (Address{}) || c.Hash == "" {
			continue
		}
		entered[container] = true
		if variable, _, isJoined := JoinedVariable(at.Path); isJoined {
			entered[variable] = true
		}
	}
	return entered
}
