package stamp

import (
	"maps"
	"math/big"
	"slices"
	"sync"

	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Several injectors may add something to one quantity of the pod's own resources, and each owns the amount that it
// added.

const resourcesPath = "spec/resources"

// PodResource returns a quantity of the requests or limits of the pod itself.
func PodResource(list, name string) Address { return Address{join(resourcesPath, list), name} }

// GrowsUnlike returns the quantities to which two stamps do not add the same amounts.
func (s *Stamp) GrowsUnlike(other *Stamp) []Address {
	all := changed([]Owner{{Stamp: s}, {Stamp: other}}, Change.isGrown)
	maps.DeleteFunc(all, func(at Address, _ bool) bool { return s.Changes[at].Amount == other.Changes[at].Amount })
	return slices.SortedFunc(maps.Keys(all), Address.compare)
}

// grownBy returns how much owners add to a quantity, and whether any of them does.
func grownBy(owners []Owner, at Address) (sum *big.Rat, isGrown bool) {
	sum = new(big.Rat)
	for _, o := range owners {
		if c := o.Changes[at]; c.isGrown() {
			amount, _ := resources.Amount(node.String(c.Amount)) // Parse has read it
			sum = sum.Add(sum, amount)
			isGrown = true
		}
	}
	return sum, isGrown
}

// shrink subtracts what the owners added to quantities at a path. If no other injector has added something, a quantity
// that is as the app had it is written as it was. Otherwise somebody changed it, and it stays as it is if too little
// would be left for the app's containers. Limits come before requests, as visit sorts them, because a request that the
// app did not have was as large as its limit.
func (u *undoer) shrink(p *editedNode, grown []named) {
	if len(grown) == 0 {
		return
	}
	requested := sync.OnceValue(func() resources.Amounts {
		return resources.Sum(node.Get(u.template, "spec"), resources.Requests)
	})
	limits := node.Values(node.Get(u.template, "spec", "resources", "limits"))
	for _, n := range grown {
		var present *node.Node
		i := p.own(n.Key)
		if i >= 0 {
			present = p.node.Content[i]
		}
		left, isQuantity := resources.Amount(present)
		mine, _ := grownBy(u.owners, n.Address)
		if !isQuantity || left.Cmp(mine) < 0 {
			u.grewOtherwise(n, present)
			continue
		}
		left.Sub(left, mine)
		_, isShared := grownBy(u.others, n.Address)
		switch was, isKnown := u.quantityBefore(n.Address, left, limits.Get(n.Key)); {
		case !isShared && !isKnown && left.Cmp(requested().Of(n.Key)) < 0:
			u.grewOtherwise(n, present)
		case isShared || !isKnown:
			p.node.Content[i] = node.StringLike(present, resources.Format(n.Key, left))
		case was == nil:
			p.remove(i)
		default:
			p.node.Content[i] = u.restored(*was)
		}
	}
}

func (u *undoer) grewOtherwise(n named, present *node.Node) {
	u.Drifts = append(u.Drifts, Drift{Owner: n.by.Key, Address: n.Address, Present: present, IsGrown: true})
}

// quantityBefore returns how the app has written a quantity, if that is as much as is left of it. It returns nil if the
// app had none, and its limit is as much.
func (u *undoer) quantityBefore(at Address, left *big.Rat, limit *node.Node) (written *string, isKnown bool) {
	most, isLimited := resources.Amount(limit)
	for _, o := range u.owners {
		c := o.Changes[at]
		was, isQuantity := quantityIn(c.Before)
		if c.isGrown() && (isQuantity && was.Cmp(left) == 0 || c.Before == nil && isLimited && most.Cmp(left) == 0) {
			return c.Before, true
		}
	}
	return nil, false
}

// quantityIn returns the quantity that a text in a stamp is.
func quantityIn(text *string) (*big.Rat, bool) {
	if text == nil {
		return nil, false
	}
	n, err := readYAML(*text)
	if err != nil || n.Kind != node.ScalarNode {
		return nil, false
	}
	return resources.Amount(n)
}

// validateGrown makes sure that only quantities of the pod's own resources grow, by amounts that an injection adds.
func validateGrown(at Address, c Change) error {
	amount, isAmount := resources.Amount(node.String(c.Amount))
	isResource := at == PodResource("requests", at.Key) || at == PodResource("limits", at.Key)
	was, isQuantity := quantityIn(c.Before)
	if !isResource || !isAmount || amount.Sign() < 0 || resources.Format(at.Key, amount) != c.Amount || c.Hash != "" ||
		c.Before != nil && (!isQuantity || was.Sign() < 0) {
		return errForeign
	}
	return nil
}
