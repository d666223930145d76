package stamp

// added is what some owners put in.
type added map[Thing]bool

func addedBy(owners []Owner) added {
	if len(owners) == 0 {
		return nil
	}
	all := added{}
	for _, o := range owners {
		for path, prints := range o.Added {
			for key := range prints {
				all[Thing{path, key}] = true
			}
		}
	}
	return all
}

func (a added) adds(path, key string) bool { return a[Thing{path, key}] }

// without is what owners put in where nothing was: what they replaced was the app's.
func (a added) without(replaced []Owner) added {
	if len(a) == 0 {
		return nil
	}
	all := added{}
	for thing := range a {
		all[thing] = true
	}
	for _, o := range replaced {
		for path, texts := range o.Was {
			for key := range texts {
				delete(all, Thing{path, key})
			}
		}
	}
	return all
}
