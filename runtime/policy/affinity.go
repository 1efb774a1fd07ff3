package policy

import (
	"hash/fnv"
	"math"
	"time"
)

// AffinityConfig keeps a conversation on one member of a target, for the sake of what that remembers of it (a provider's prompt cache). It
// is soft: a member that is not well loses the call to another, where the conversation then stays until it pauses for TTL. The zero value
// is off.
type AffinityConfig struct {
	// Key is the name of the function that says to which conversation a call belongs, by its context.
	Key string
	// TTL is how long a conversation that had to move stays where it is after its last call.
	TTL time.Duration
}

func (c AffinityConfig) isOn() bool { return c.Key != "" }

// movedMost is how many conversations that had to move are remembered. Of more the one that has been quiet for longest goes home early.
const movedMost = 4096

// homes says where conversations are. The home of one is told by its key and the members' names alone (weighted rendezvous hashing: Schindelhauer
// and Schomaker, "Weighted Distributed Hash Tables", 2005), so that replicas agree without a word, nothing is kept, and a member more or less
// moves only its share. Kept are only those that had to move.
type homes struct {
	cfg    AffinityConfig
	places map[uint64]uint32
	moved  table[movedHome]
	recent list // oldest first
}

// movedHome is a conversation that had to move.
type movedHome struct {
	key    uint64
	member int
	last   int64
}

func makeHomes(cfg AffinityConfig) homes {
	return homes{cfg: cfg}
}

// AffinityOf returns what stands for the key of a conversation in a Request; 0 for an empty key, which is no conversation.
func AffinityOf(key string) uint64 {
	if key == "" {
		return 0
	}
	return max(seedOf(key), 1)
}

// seedOf hashes a text.
func seedOf(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return mixed(h.Sum64())
}

// mixed spreads the bits of x (the finaliser of MurmurHash3, Appleby).
func mixed(x uint64) uint64 {
	const shift, first, second = 33, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
	x ^= x >> shift
	x *= first
	x ^= x >> shift
	x *= second
	return x ^ x>>shift
}

// homeOf returns where a conversation is, and whether that is not where it belongs. A call of one that had to move keeps it there.
func (g *Members) homeOf(t int64, key uint64) (home int, moved bool) {
	h := &g.homes
	if n, ok := h.places[key]; ok {
		if s := &h.moved.slots[n]; t-s.value.last < int64(h.cfg.TTL) {
			s.value.last = t
			dropSlot(&h.moved, &h.recent, n)
			pushSlot(&h.moved, &h.recent, n)
			return s.value.member, true
		}
		h.forget(n)
	}
	best := math.Inf(-1)
	for i := range g.list {
		const mantissa, half = 11, 0.5
		u := (float64(mixed(key^g.list[i].seed)>>mantissa) + half) / (1 << 53) //nolint:mnd // the bits of a float64's mantissa
		if score := -g.list[i].weight / math.Log(u); score > best {
			home, best = i, score
		}
	}
	return home, false
}

// move remembers where a conversation had to move.
func (h *homes) move(t int64, key uint64, member int) {
	if n, ok := h.places[key]; ok {
		h.forget(n)
	}
	if h.places == nil {
		h.places = map[uint64]uint32{}
	}
	if len(h.places) >= movedMost {
		h.forget(h.recent.head)
	}
	n, s := takeSlot(&h.moved)
	s.value = movedHome{key: key, member: member, last: t}
	h.places[key] = n
	pushSlot(&h.moved, &h.recent, n)
}

// forget lets a conversation go home.
func (h *homes) forget(n uint32) {
	delete(h.places, h.moved.slots[n].value.key)
	dropSlot(&h.moved, &h.recent, n)
	giveSlot(&h.moved, n)
}
