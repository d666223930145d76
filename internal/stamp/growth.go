package stamp

import (
	"math/big"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/yaml/node"
)

// Several injectors may add something to one quantity of the pod's own resources, and each owns the amount that it added.

// Growth is what an injector added to a quantity.
type Growth struct {
	Amount string
	// Was is how the app has written the quantity. It is empty if the app had none, and its limit counted.
	Was string
}

const resourcesPath = "spec/resources"

// PodResource returns a quantity of the requests or limits of the pod itself.
func PodResource(list, name string) Thing { return Thing{join(resourcesPath, list), name} }

// GrownThings returns the quantities that the injector added something to, in order.
func (s *Stamp) GrownThings() []Thing { return s.GrowsUnlike(&Stamp{}) }

// GrowsUnlike returns the quantities to which two stamps do not add the same amounts.
func (s *Stamp) GrowsUnlike(other *Stamp) []Thing {
	var all []Thing
	for at, g := range each(s.Grown) {
		if other.Grown[at.Path][at.Key].Amount != g.Amount {
			all = append(all, at)
		}
	}
	for at := range each(other.Grown) {
		if s.Grown[at.Path][at.Key].Amount == "" {
			all = append(all, at)
		}
	}
	return sorted(all)
}

// GrownBy returns how much stamps add to a quantity, and whether any of them does.
func GrownBy(at Thing, stamps ...*Stamp) (sum *big.Rat, isGrown bool) {
	sum = new(big.Rat)
	for _, s := range stamps {
		if g, grows := s.Grown[at.Path][at.Key]; grows {
			amount, _ := resources.Amount(node.String(g.Amount)) // Parse has read it
			sum, isGrown = sum.Add(sum, amount), true
		}
	}
	return sum, isGrown
}

func stampsOf(owners []Owner) []*Stamp {
	all := make([]*Stamp, len(owners))
	for i, o := range owners {
		all[i] = o.Stamp
	}
	return all
}

// grown records an amount that was added to a quantity.
func (r recorder) grown(at Thing, amount string) {
	g := Growth{Amount: amount}
	if was := r.inside.Pristine.At(at.Path, at.Key); was != nil && !r.isOutline {
		g.Was = r.layout(at.Path, at.Key, was).Text
	}
	r.Grown = with(r.Grown, at, g)
}

// shrink subtracts what the owners added to quantities. It leaves a quantity from which that is not possible as it is.
func (u *undoer) shrink() {
	requested := sync.OnceValue(func() resources.Amounts { return resources.Sum(u.at("spec"), resources.Requests) })
	for _, o := range u.owners {
		for _, at := range o.GrownThings() { // limits come first, because requests depend on them
			if u.done[at] {
				continue
			}
			u.done[at] = true
			mine, _ := GrownBy(at, stampsOf(u.owners)...)
			_, isShared := GrownBy(at, stampsOf(u.others)...)
			present, isQuantity := resources.Amount(u.at(at.Inside()))
			if !isQuantity || present.Cmp(mine) < 0 || !u.setBack(o, at, present.Sub(present, mine), isShared, requested) {
				u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Thing: at, Present: node.Resolve(u.at(at.Inside())), IsGrown: true})
			}
		}
	}
	u.close()
}

// setBack gives a quantity the amount that is left of it: as the app had it, if that is the same and no other injector has added
// something. Otherwise somebody changed the quantity, and it stays as it is if too little would be left for the app's containers.
func (u *undoer) setBack(o Owner, at Thing, left *big.Rat, isShared bool, requested func() resources.Amounts) bool {
	i := u.find(at)[0]
	limit, isLimited := resources.Amount(u.at(PodResource("limits", at.Key).Inside()))
	for _, each := range u.owners {
		g, grows := each.Grown[at.Path][at.Key]
		was, isKnown := quantityIn(g.Was)
		switch {
		case isShared || !grows:
		case isKnown && was.Cmp(left) == 0:
			n := u.restored(g.Was)
			u.report(o.Key, at, n)
			u.put(at, i, n)
			return true
		case g.Was == "" && isLimited && limit.Cmp(left) == 0:
			u.shrunk[at.Path] = true
			u.remove(at, i)
			return true
		}
	}
	if !isShared && left.Cmp(requested().Of(at.Key)) < 0 {
		return false
	}
	u.put(at, i, node.StringLike(u.at(at.Inside()), resources.Format(at.Key, left)))
	return true
}

// quantityIn returns the quantity that a text in a stamp is.
func quantityIn(text string) (*big.Rat, bool) {
	if text == "" {
		return nil, false
	}
	n, err := readYAML(text)
	if err != nil || n.Kind != yaml.ScalarNode {
		return nil, false
	}
	return resources.Amount(n)
}

// validateGrown makes sure that only quantities of the pod's own resources grow, by amounts that an injection adds.
func (s *Stamp) validateGrown() error {
	for at, g := range each(s.Grown) {
		amount, isAmount := resources.Amount(node.String(g.Amount))
		isResource := at == PodResource("requests", at.Key) || at == PodResource("limits", at.Key)
		if !isResource || !isAmount || amount.Sign() < 0 || resources.Format(at.Key, amount) != g.Amount || s.Adds(at.Path, at.Key) {
			return errForeign
		}
		if was, isQuantity := quantityIn(g.Was); g.Was != "" && (!isQuantity || was.Sign() < 0) {
			return errForeign
		}
	}
	return nil
}
