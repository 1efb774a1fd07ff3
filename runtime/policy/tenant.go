package policy

import (
	"crypto/sha256"
	"strings"
)

const (
	// maxTenants is the number of tenants that a machine tells apart.
	maxTenants = 10_000
	// tenantBytes is the most memory that one of them takes, everything included.
	tenantBytes = 512
	// tenantValue is the most of it that the machine's own value may take. The rest is the key, its place in the map, the links
	// between them, and the room that growing arrays leave.
	tenantValue = tenantBytes / 2
	// tenantKey is the length of the longest key, which only a shortened one has.
	tenantKey = tenantHead + sha256.Size
	// tenantHead is how much of a long identifier stays readable in its key.
	tenantHead = 16
	// tenantLooks is how many tenants are looked at to find one that may be forgotten.
	tenantLooks = 8
)

// tenants keeps a value for each of the tenants that a machine tells apart, in bounded memory whatever the identifiers are: they
// come from outside, and may be long, many and chosen to do harm.
//
//	identifier ──find──▶ number ──value──▶ *V
//
// The first of a tenant's calls makes its value, zero at first. Once there are maxTenants, a new tenant takes the place of one
// that has not called for longest and that the owner calls idle: nothing is lost with it. Where none is found, it gets
// number 0, other, the value that is shared by all who came too late. A tenant that is not idle keeps its number.
//
// Keys are at most 48 bytes. A longer identifier becomes its first 16 bytes and its SHA-256: two identifiers that somebody chose
// never share a value, which a faster hash would let them.
//
// V is at most tenantValue bytes and holds no pointers to more. Not safe for concurrent use: its owner has the lock.
type tenants[V any] struct {
	index   map[string]uint32
	values  table[tenant[V]]
	recent  list // who has not called for longest comes first
	other   V
	idle    func(v *V, t int64) bool
	spilled uint64 // calls that got other
}

type tenant[V any] struct {
	key   string
	value V
}

// makeTenants returns an empty table. idle reports whether a value may be forgotten at t: whether a fresh one would decide
// the same.
func makeTenants[V any](idle func(v *V, t int64) bool) tenants[V] {
	return tenants[V]{idle: idle}
}

// findTenant returns the tenant's number, and whether its value is new. The number is valid as long as the tenant is not idle, or
// until the next find.
func findTenant[V any](t *tenants[V], id string, now int64) (n uint32, fresh bool) {
	var shortened [tenantKey]byte
	if len(id) >= tenantKey {
		return findTenantKey(t, shortened[:shorten(&shortened, id)], now)
	}
	if n, ok := t.index[id]; ok {
		touchTenant(t, n)
		return n, false
	}
	return addTenant(t, strings.Clone(id), now)
}

// TenantKey returns an identifier that is short, at most 48 bytes, and stands for that tenant alone. Machines shorten what they are given
// themselves, but under their locks, where a long identifier would hold up everybody: drivers give them short ones.
func TenantKey(id string) string {
	if len(id) < tenantKey {
		return id
	}
	var key [tenantKey]byte
	return string(key[:shorten(&key, id)])
}

// shorten writes the key of a long identifier, and returns its length.
func shorten(key *[tenantKey]byte, id string) int {
	sum := sha256.Sum256([]byte(id))
	n := copy(key[:], id[:tenantHead])
	return n + copy(key[n:], sum[:])
}

// findTenantKey is findTenant for a shortened identifier.
func findTenantKey[V any](t *tenants[V], key []byte, now int64) (n uint32, fresh bool) {
	if n, ok := t.index[string(key)]; ok { // does not allocate
		touchTenant(t, n)
		return n, false
	}
	return addTenant(t, string(key), now)
}

// valueOfTenant returns the value of the tenant with that number, 0 being the shared one. It is valid until the next find.
func valueOfTenant[V any](t *tenants[V], n uint32) *V {
	if n == 0 {
		return &t.other
	}
	return &t.values.slots[n].value.value
}

// countTenants returns the number of tenants that are told apart.
func countTenants[V any](t *tenants[V]) int { return t.recent.n }

// touchTenant makes a tenant the one who called last.
func touchTenant[V any](t *tenants[V], n uint32) {
	if t.recent.tail != n {
		dropSlot(&t.values, &t.recent, n)
		pushSlot(&t.values, &t.recent, n)
	}
}

// addTenant gives a new tenant a number.
func addTenant[V any](t *tenants[V], key string, now int64) (n uint32, fresh bool) {
	if t.recent.n >= maxTenants && !evictTenant(t, now) {
		t.spilled++
		return 0, false
	}
	if t.index == nil {
		t.index = make(map[string]uint32)
	}
	n, s := takeSlot(&t.values)
	s.value.key = key
	t.index[key] = n
	pushSlot(&t.values, &t.recent, n)
	return n, true
}

// evictTenant forgets one idle tenant, of those who have not called for longest, and reports whether there was one. The others that
// it looks at are not looked at again until everybody else was, so that a few who never rest do not keep places from being found.
func evictTenant[V any](t *tenants[V], now int64) bool {
	for range tenantLooks {
		n := t.recent.head
		s := &t.values.slots[n].value
		if !t.idle(&s.value, now) {
			touchTenant(t, n)
			continue
		}
		delete(t.index, s.key)
		dropSlot(&t.values, &t.recent, n)
		giveSlot(&t.values, n)
		*s = tenant[V]{}
		return true
	}
	return false
}
