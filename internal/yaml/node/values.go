package node

// fewKeys is how many keys are compared one by one. More are looked up in a map.
const fewKeys = 16

// Lookup finds values of a mapping by their keys.
type Lookup struct {
	few      *Node            // the mapping, if it has few keys
	many     map[string]*Node // if it has more
	resolves bool
}

// Values returns a Lookup for the keys of a mapping that finds what Get does. It is faster for many keys.
func Values(m *Node) Lookup {
	if m = Resolve(m); m != nil && m.Kind == MappingNode {
		m = merged(m)
	}
	values := OwnValues(m)
	values.resolves = true
	return values
}

// OwnValues is like Values without merge keys and without resolving.
func OwnValues(m *Node) Lookup {
	switch {
	case m == nil || m.Kind != MappingNode:
		return Lookup{}
	case len(m.Content) <= 2*fewKeys:
		return Lookup{few: m}
	}
	values := make(map[string]*Node, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if _, has := values[key.Value]; !has && key.Kind == ScalarNode {
			values[key.Value] = m.Content[i+1]
		}
	}
	return Lookup{many: values}
}

// Get returns the value of a key, or nil.
func (l Lookup) Get(key string) *Node {
	value := l.many[key]
	if l.few != nil {
		if i := Index(l.few, key); i >= 0 {
			value = l.few.Content[i+1]
		}
	}
	if l.resolves {
		return Resolve(value)
	}
	return value
}
