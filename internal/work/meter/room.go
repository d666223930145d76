package meter

import "fmt"

// Room is how much may be added to one object, so that a later run can read it. A nil Room has no end.
type Room struct {
	run         *Meter
	most, taken int // bytes
}

// Room returns the room for what is added to an object, of which some is taken.
func (m *Meter) Room(most, taken int) *Room { return &Room{m, most, taken} }

// Take takes room for text, and counts the steps that it takes to make it. It reports whether there was room.
func (r *Room) Take(bytes int) bool {
	if r == nil {
		return true
	}
	r.taken += bytes
	return r.run.Charge(bytes*PerByteMade) && r.taken <= r.most
}

// Charge counts steps of the run; see Meter.Charge.
func (r *Room) Charge(steps int) bool { return r == nil || r.run.Charge(steps) }

// Taken returns how much was taken.
func (r *Room) Taken() int { return r.taken }

// IsFull reports whether more was taken than there was.
func (r *Room) IsFull() bool { return r != nil && (r.taken > r.most || r.run.Exceeded()) }

// Problem is the message about an object that has not enough room.
func (r *Room) Problem() string {
	return TooLarge(fmt.Sprintf("the object would have more than %d bytes", r.most))
}

// TooLarge is the message about an object that a later run would refuse to read.
func TooLarge(why string) string {
	return "a later run could not read it with what is added: " + why + "; add less to it, or split it"
}
