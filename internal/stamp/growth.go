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

// shrink subtracts what the owners added to quantities in a place. If no other injector has added something, a quantity that is as the
// app had it is written as it was. Otherwise somebody changed it, and it stays as it is if too little would be left for the app's
// containers.
func (u *undoer) shrink(p *place, grown []named) {
	if len(grown) == 0 {
		return
	}
	requested := sync.OnceValue(func() resources.Amounts { return resources.Sum(node.Get(u.template, "spec"), resources.Requests) })
	limits := node.Values(node.Get(u.template, "spec", "resources", "limits"))
	for _, n := range grown {
		var present *yaml.Node
		i := p.own(n.Key)
		if i >= 0 {
			present = p.node.Content[i]
		}
		left, isQuantity := resources.Amount(present)
		mine, _ := GrownBy(n.Thing, stampsOf(u.owners)...)
		if !isQuantity || left.Cmp(mine) < 0 {
			u.grewOtherwise(n, present)
			continue
		}
		left.Sub(left, mine)
		_, isShared := GrownBy(n.Thing, stampsOf(u.others)...)
		switch text, isKnown := u.quantityBefore(n.Thing, left, limits.Get(n.Key)); {
		case !isShared && !isKnown && left.Cmp(requested().Of(n.Key)) < 0:
			u.grewOtherwise(n, present)
		case isShared || !isKnown:
			p.node.Content[i] = node.StringLike(present, resources.Format(n.Key, left))
		case text == "":
			p.remove(i)
		default:
			p.node.Content[i] = u.restored(text)
			u.report(n.by.Key, n.Thing, p.node.Content[i])
		}
	}
}

func (u *undoer) grewOtherwise(n named, present *yaml.Node) {
	u.Drifts = append(u.Drifts, Drift{Owner: n.by.Key, Thing: n.Thing, Present: present, IsGrown: true})
}

// quantityBefore returns how the app has written a quantity, if that is as much as is left of it. It returns "" if the app had none, and
// its limit is as much.
func (u *undoer) quantityBefore(at Thing, left *big.Rat, limit *yaml.Node) (text string, isKnown bool) {
	most, isLimited := resources.Amount(limit)
	for _, o := range u.owners {
		g, grows := o.Grown[at.Path][at.Key]
		if was, isQuantity := quantityIn(g.Was); isQuantity && was.Cmp(left) == 0 || grows && g.Was == "" && isLimited && most.Cmp(left) == 0 {
			return g.Was, true
		}
	}
	return "", false
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
