package version

import (
	"slices"

	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// AppendPlaced appends the entries of a ledger that may be new in a list.
func AppendPlaced(all, entries ledger.Entries) ledger.Entries {
	for _, e := range entries {
		if e.IsEntry && !e.IsApps() {
			all = append(all, e)
		}
	}
	return all
}

// Order puts the entries of lists in order.
//
// What the run does not put in does not move: the entries of the app, and those of other runs. Those of the app divide
// the list into gaps. An entry of the run has its gap by its side, and in the gap the order of the run. If it is in that
// gap of the file, it stays between the same entries of other runs; one that is new goes where another one leaves.
type Order struct {
	File *stamp.View // the pod template as it was read
	App  *stamp.View // what no injector has put in

	// The stamps of the run's injectors, as they were undone and as they are now, and those of the others.
	Undone, Now, Others []stamp.Owner

	isReady  bool
	old      map[stamp.Address]bool // what the run's injectors had put in, and none of the others
	isNew    map[stamp.Address]bool // what they put in now, without what replaces something of the app
	isOthers map[stamp.Address]bool // what the others put in without replacing something
}

// OrderAlone returns the order if there is no other injector, and none was there before.
func OrderAlone(app *stamp.View, placed ledger.Entries) *Order {
	o := &Order{File: app, App: app, isReady: true, isNew: map[stamp.Address]bool{}}
	for _, p := range placed {
		if app.At(p.Path, p.Key) == nil {
			o.isNew[p.Address] = true
		}
	}
	return o
}

// prepare finds out whose is what, once.
func (o *Order) prepare() {
	if o.isReady {
		return
	}
	o.isReady = true
	byOthers := added(o.Others)
	o.old = without(added(o.Undone), byOthers)
	o.isNew = without(addedAnew(o.Now), byOthers)
	o.isOthers = withoutReplaced(byOthers, o.Others)
}

// List returns the entries of a list in order, given those that the run puts in, which are behind the others.
func (o *Order) List(path string, entries []*node.Node, placed ledger.Entries) []*node.Node {
	hasSameKey := func(a, b *node.Node) bool { return stamp.KeyOf(path, a) == stamp.KeyOf(path, b) }
	if o.goesToEnd(path, placed) && slices.EqualFunc(o.File.List(path), entries, hasSameKey) {
		return entries
	}
	o.prepare()
	l := &listOrder{Order: o, row: pod.At(path), path: path}
	l.read(entries, placed)
	for _, p := range placed {
		if m := l.mine(p.Key); m != nil && !m.isSettled {
			l.place(m, &p)
		}
	}
	for i := range l.all {
		if m := &l.all[i]; !m.isSettled {
			l.place(m, &ledger.Entry{})
		}
	}
	if len(l.file) > 0 {
		l.rank()
	}
	made := make([]*node.Node, 0, len(entries))
	for _, m := range l.merged() {
		made = append(made, m.node)
	}
	return made
}

// IsAppended reports whether a list is in order as it is, as most lists are.
func (o *Order) IsAppended(path string, placed ledger.Entries) bool {
	return o.goesToEnd(path, placed) && (!pod.At(path).AnyOrder || len(o.Undone) == 0)
}

// goesToEnd reports whether all that the run puts into a list goes to its end, and nobody else puts in something.
func (o *Order) goesToEnd(path string, placed ledger.Entries) bool {
	if len(o.Others) > 0 {
		return false
	}
	isBehind := false
	for _, p := range placed {
		switch {
		case p.Position.Before+p.Position.After != "", p.Position.IsFront && (isBehind || len(o.App.List(path)) > 0):
			return false
		case !p.Position.IsFront:
			isBehind = true
		}
	}
	return true
}

// member is an entry of a list in the making.
type member struct {
	key    string
	node   *node.Node
	now    int // its index in the file, or -1
	gap    int
	rank   int // how many entries that do not move are in front of it
	isApps bool
	isMine bool
	stays  bool
	behind string // what it goes behind

	isSettled bool // whether it does not move, or has a place
}

// besideOthers is the gap of entries beside those of other runs: each is where its neighbour is, and nowhere else.
const besideOthers = -1

// listOrder is a list in the making.
type listOrder struct {
	*Order
	row     *pod.Row
	path    string
	all     []member
	file    []*node.Node
	byKey   map[string][]*member // nil if the list is short
	fixed   []*member
	hasApps bool
	gaps    [][]*member // of the run, by gap
	starts  []int       // the ranks at which the gaps start and end
	ends    []int
	before  []*member // beside entries of other runs
	after   []*member
	ranks   []int // of the indexes in the file
}

// read tells what does not move from the entries of the run, which it returns. Only among entries of others, or if the
// order means nothing, it matters where they are in the file.
func (l *listOrder) read(entries []*node.Node, placed ledger.Entries) {
	l.all = make([]member, len(entries))
	l.fixed = make([]*member, 0, len(entries))
	l.starts = []int{0}
	if len(entries) > fewEntries {
		l.byKey = make(map[string][]*member, len(entries))
	}
	needsFile := l.row.AnyOrder
	for i, entry := range entries {
		m := &l.all[i]
		m.key = stamp.KeyOf(l.path, entry)
		m.node = entry
		m.now = -1
		m.gap = len(l.ends)
		if l.byKey != nil {
			l.byKey[m.key] = append(l.byKey[m.key], m)
		}
		at := stamp.Address{Path: l.path, Key: m.key}
		if m.isMine = l.isNew[at]; m.isMine {
			continue
		}
		m.isSettled = true
		if m.isApps = !l.isOthers[at]; m.isApps {
			l.hasApps = true
			l.ends = append(l.ends, len(l.fixed))
			l.starts = append(l.starts, len(l.fixed)+1)
		}
		needsFile = needsFile || !m.isApps
		m.rank = len(l.fixed)
		l.fixed = append(l.fixed, m)
	}
	if needsFile && len(l.old)+len(l.isOthers) > 0 {
		l.file = l.File.List(l.path)
		for i, now := range matchAnywhere(l.path, l.file, entries) {
			l.all[i].now = now
		}
	}
	if !l.hasApps {
		front := l.leading(placed)
		l.ends = append(l.ends, front)
		l.starts = append(l.starts, front)
	}
	l.ends = append(l.ends, len(l.fixed))
	l.gaps = make([][]*member, len(l.ends))
}

// find returns the first entry of a key that counts, or nil.
func (l *listOrder) find(key string, counts func(*member) bool) *member {
	for _, m := range l.byKey[key] {
		if counts(m) {
			return m
		}
	}
	for i := range l.all {
		if l.byKey != nil {
			break
		}
		if m := &l.all[i]; m.key == key && counts(m) {
			return m
		}
	}
	return nil
}

// mine returns the entry of a key that the run puts in, or nil.
func (l *listOrder) mine(key string) *member {
	return l.find(key, func(m *member) bool { return m.isMine })
}

// settled returns the entry of a key that does not move or has a place, or nil.
func (l *listOrder) settled(key string) *member {
	return l.find(key, func(m *member) bool { return m.isSettled })
}

// leading returns how many entries of others lead in a list without entries of the app: those up to the last entry of
// the run that belongs in front, or else the native sidecars at the beginning.
func (l *listOrder) leading(placed ledger.Entries) int {
	border := 0 // in the file
	for _, p := range placed {
		if !p.Position.IsFront || l.row.Expands || !l.old[p.Address] {
			continue
		}
		if m := l.mine(p.Key); m != nil {
			border = max(border, m.now+1)
		}
	}
	isFront := func(entry *node.Node) bool {
		return pod.IsNative(l.row.Name(), entry) && !l.isNew[stamp.Address{Path: l.path, Key: stamp.KeyOf(l.path, entry)}]
	}
	if border == 0 {
		for border < len(l.file) && isFront(l.file[border]) {
			border++
		}
	}
	front := 0
	for front < len(l.fixed) && l.fixed[front].now < border {
		front++
	}
	return front
}

// place gives an entry of the run its gap, and its place among the others there.
func (l *listOrder) place(m *member, entry *ledger.Entry) {
	var next *member
	if neighbour := entry.Position.Before + entry.Position.After; neighbour != "" {
		next = l.settled(neighbour)
	}
	m.isSettled = true
	last := len(l.gaps) - 1
	m.gap = last
	m.behind = entry.Position.After
	switch {
	case next != nil:
		if m.gap = next.gap; m.gap == besideOthers || !next.isMine && !next.isApps {
			l.placeBeside(m, next, entry)
			return
		}
		switch {
		case next.isMine:
			index := slices.Index(l.gaps[m.gap], next)
			if entry.Position.After != "" {
				index = l.behind(index+1, m)
			}
			m.rank = next.rank
			l.gaps[m.gap] = slices.Insert(l.gaps[m.gap], index, m)
			return
		case entry.Position.After != "":
			m.gap++
			if m.gap == last { // in front of what goes to the end
				m.rank = l.starts[last]
				l.gaps[last] = slices.Insert(l.gaps[last], l.behind(0, m), m)
				return
			}
		}
	case entry.Position.IsFront && l.hasApps && l.row.Expands:
		m.gap = l.gapOfUsed(m.node)
	case entry.Position.IsFront && (l.hasApps || !l.row.Expands):
		m.gap = 0
	}
	m.rank = l.ends[m.gap]
	l.gaps[m.gap] = append(l.gaps[m.gap], m)
}

// placeBeside places an entry beside one of another run. It is put there once, and stays where it is then.
func (l *listOrder) placeBeside(m, next *member, entry *ledger.Entry) {
	m.gap = besideOthers
	m.rank = next.rank
	if entry.Position.Before != "" {
		l.before = append(l.before, m)
		return
	}
	if !next.isMine {
		m.rank++
	}
	l.after = append(l.after, m)
}

// behind returns the index in the gap of an entry, from an index on, behind those that go behind the same entry.
func (l *listOrder) behind(index int, m *member) int {
	gap := l.gaps[m.gap]
	for index < len(gap) && gap[index].behind == m.behind {
		index++
	}
	return index
}

// gapOfUsed returns the first gap that is behind all variables that one uses.
func (l *listOrder) gapOfUsed(variable *node.Node) int {
	gap := 0
	for _, name := range pod.UsedVariables(node.Text(variable, "value")) {
		if used := l.settled(name); used != nil && used.isApps {
			gap = max(gap, used.gap+1)
		} else if used != nil {
			gap = max(gap, used.gap)
		}
	}
	return gap
}

// rank gives the entries of the run their places among those that do not move.
func (l *listOrder) rank() {
	l.number()
	l.before = l.fix(l.before)
	l.after = l.fix(l.after)
	if l.row.AnyOrder && !l.isInOrder() { // they stay among those of the app, where kustomize puts them
		l.gaps = [][]*member{slices.Concat(l.gaps...)}
		l.starts = []int{0}
		l.ends = l.ends[len(l.ends)-1:]
	}
	isTaken := make([]bool, len(l.file)+1)
	for _, m := range l.fixed {
		if m.now >= 0 {
			isTaken[m.now] = true
		}
	}
	for g, gap := range l.gaps {
		var staying []int
		for _, m := range gap {
			m.gap = g
			m.stays = m.now >= 0 && l.old[stamp.Address{Path: l.path, Key: m.key}] &&
				l.starts[g] <= l.ranks[m.now] && l.ranks[m.now] <= l.ends[g]
			if m.stays {
				staying = append(staying, l.ranks[m.now])
				isTaken[m.now] = true
			}
		}
		slices.Sort(staying)
		for _, m := range gap {
			if m.stays {
				m.rank = staying[0]
				staying = staying[1:]
			}
		}
	}
	var left []int
	for i, entry := range l.file {
		if !isTaken[i] && l.old[stamp.Address{Path: l.path, Key: stamp.KeyOf(l.path, entry)}] {
			left = append(left, l.ranks[i])
		}
	}
	l.rankNew(left)
}

// number notes how many entries that do not move are in front of each index of the file.
func (l *listOrder) number() {
	l.ranks = make([]int, len(l.file)+1)
	for i, m := range l.fixed {
		m.rank = i
		l.ranks[m.now+1] = i + 1
	}
	l.ranks[0] = 0
	for i := range l.file {
		l.ranks[i+1] = max(l.ranks[i], l.ranks[i+1])
	}
}

// fix fixes those entries beside others that are in the file, and returns the rest.
func (l *listOrder) fix(beside []*member) []*member {
	shift := func(ranks []int, from int) {
		for i := range ranks {
			if ranks[i] >= from {
				ranks[i]++
			}
		}
	}
	return slices.DeleteFunc(beside, func(m *member) bool {
		if m.now < 0 || !l.old[stamp.Address{Path: l.path, Key: m.key}] {
			return false
		}
		at := l.ranks[m.now]
		for _, other := range slices.Concat(l.gaps...) {
			if other.rank > at {
				other.rank++
			}
		}
		l.fixed = slices.Insert(l.fixed, at, m)
		shift(l.starts, at+1)
		shift(l.ends, at)
		l.number()
		return true
	})
}

// rankNew gives those that are new a place that another one leaves, or else one beside those that stay.
func (l *listOrder) rankNew(left []int) {
	mine := slices.Concat(l.gaps...)
	next := &member{gap: besideOthers, rank: len(l.fixed)}
	followers := make([]*member, len(mine)) // the next ones that stay
	for i, m := range slices.Backward(mine) {
		if followers[i] = next; m.stays {
			next = m
		}
	}
	before := &member{gap: besideOthers}
	for i, m := range mine {
		if !m.stays {
			left = l.rankOne(m, before, followers[i], left)
		}
		before = m
	}
}

// rankOne gives a new entry its rank, between the one before it and the next one that stays. It returns what is left of
// the places that others leave.
func (l *listOrder) rankOne(m, before, next *member, left []int) []int {
	from := max(before.rank, l.starts[m.gap])
	to := min(next.rank, l.ends[m.gap])
	for len(left) > 0 && left[0] < from {
		left = left[1:]
	}
	switch {
	case len(left) > 0 && left[0] <= to:
		m.rank = left[0]
		return left[1:]
	case m.gap == before.gap:
		m.rank = before.rank
	case m.gap == next.gap:
		m.rank = next.rank
	default:
		m.rank = max(before.rank, min(m.rank, next.rank))
	}
	return left
}

// isInOrder reports whether the file has the order in which entries would be put into it.
func (l *listOrder) isInOrder() bool {
	last := -1
	for _, m := range l.merged() {
		if m.now >= 0 && m.now < last {
			return false
		}
		last = max(last, m.now)
	}
	return true
}

// merged returns the entries of the run between those that do not move, by their ranks.
func (l *listOrder) merged() []*member {
	mine := append(make([]*member, 0, len(l.all)), l.after...)
	for _, gap := range l.gaps {
		mine = append(mine, gap...)
	}
	mine = append(mine, l.before...)
	slices.SortStableFunc(mine, func(a, b *member) int { return a.rank - b.rank })
	all := make([]*member, 0, len(mine)+len(l.fixed))
	for i := range len(l.fixed) + 1 {
		for len(mine) > 0 && mine[0].rank == i {
			all = append(all, mine[0])
			mine = mine[1:]
		}
		all = append(all, l.fixed[i:min(i+1, len(l.fixed))]...)
	}
	return all
}
