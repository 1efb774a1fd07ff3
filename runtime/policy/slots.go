package policy

// slot is one place of a table. Slots are linked by number, not by pointer, so that a machine is a few flat arrays and taking a
// place allocates nothing once the table has grown to the concurrency it serves.
type slot[T any] struct {
	value      T
	serial     uint32
	prev, next uint32
}

// table holds values under small numbers that are reused. Slot 0 does not exist: it is the end of every list, and the number in
// the zero value of a ticket or a permit. A serial number tells the users of a slot apart, so that a stale one is recognised.
// The zero value is empty. Not safe for concurrent use.
//
// It and tenants have functions and no methods: every package that calls an operation would compile the methods once more, because the
// machines hold tables of types that are made from generic ones.
type table[T any] struct {
	slots []slot[T]
	free  uint32
	live  uint32
	taken int
}

// takeSlot returns a slot, reset to the zero value, and its serial number.
func takeSlot[T any](t *table[T]) (uint32, *slot[T]) {
	if len(t.slots) == 0 {
		t.slots = make([]slot[T], 1, minSlots)
	}
	n := t.free
	switch {
	case n != 0:
		t.free = t.slots[n].next
	default:
		t.live++
		n = t.live
		if int(n) == len(t.slots) {
			t.slots = append(t.slots, slot[T]{})
		}
	}
	t.taken++
	s := &t.slots[n]
	*s = slot[T]{serial: s.serial + 1}
	return n, s
}

// minSlots is how many slots a table has room for at first.
const minSlots = 16

// findSlot returns the slot with that number if it is still in the hands of the user with that serial number, else nil.
func findSlot[T any](t *table[T], n, serial uint32) *slot[T] {
	if n == 0 || n > t.live || t.slots[n].serial != serial {
		return nil
	}
	return &t.slots[n]
}

// giveSlot takes the slot back. It must not be in a list.
func giveSlot[T any](t *table[T], n uint32) {
	s := &t.slots[n]
	s.serial++
	s.next = t.free
	t.free = n
	t.taken--
}

// resetSlots takes every slot back in one step.
func resetSlots[T any](t *table[T]) {
	t.free, t.live, t.taken = 0, 0, 0
}

// list is a queue of slots of one table. The zero value is empty.
type list struct {
	head, tail uint32
	n          int
}

// pushSlot puts slot n at the end of l.
func pushSlot[T any](t *table[T], l *list, n uint32) {
	s := &t.slots[n]
	s.prev, s.next = l.tail, 0
	if l.tail == 0 {
		l.head = n
	} else {
		t.slots[l.tail].next = n
	}
	l.tail = n
	l.n++
}

// dropSlot takes slot n out of l.
func dropSlot[T any](t *table[T], l *list, n uint32) {
	s := &t.slots[n]
	if s.prev == 0 {
		l.head = s.next
	} else {
		t.slots[s.prev].next = s.next
	}
	if s.next == 0 {
		l.tail = s.prev
	} else {
		t.slots[s.next].prev = s.prev
	}
	s.prev, s.next = 0, 0
	l.n--
}
