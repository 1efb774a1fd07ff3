package policy

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// account is what a test keeps for a tenant.
type account struct {
	busy  bool
	calls int
	_     [tenantValue - 16]byte // the most that a machine may keep
}

func idleAccount(a *account, _ int64) bool { return !a.busy }

func TestTenantsAreToldApart(t *testing.T) {
	t.Parallel()
	table := makeTenants(idleAccount)
	long := strings.Repeat("x", 1<<20)
	ids := []string{
		"", "a", "a\x00", "A", "b", strings.Repeat("x", tenantKey-1), strings.Repeat("x", tenantKey), long, long + "y",
	}
	digest := sha(long)
	ids = append(ids, digest, long[:tenantHead]+digest, digest[:tenantKey-tenantHead-1]) // of the key that long has, and of its parts
	for round := range 3 {
		for _, id := range ids {
			n, fresh := findTenant(&table, id, 0)
			v := valueOfTenant(&table, n)
			if fresh != (round == 0) || v.calls != round || n == 0 {
				t.Fatalf("round %d, %.20q (%d bytes): number %d, fresh %v, %d calls", round, id, len(id), n, fresh, v.calls)
			}
			v.calls++
		}
	}
	if countTenants(&table) != len(ids) {
		t.Errorf("%d tenants, want %d", countTenants(&table), len(ids))
	}
	keys := map[string]bool{}
	for _, id := range ids {
		key := TenantKey(id)
		if keys[key] || len(key) > tenantKey || len(id) < tenantKey && key != id {
			t.Errorf("%.20q (%d bytes) has the key %q", id, len(id), key)
		}
		keys[key] = true
	}
	for key := range table.index {
		if len(key) > tenantKey {
			t.Errorf("a key has %d bytes", len(key))
		}
	}
}

// sha returns the digest that a key holds.
func sha(id string) string {
	var key [tenantKey]byte
	return string(key[tenantHead:shorten(&key, id)])
}

func TestTenantsOnlyIdleOnesAreForgotten(t *testing.T) {
	t.Parallel()
	table := makeTenants(idleAccount)
	name := func(i int) string { return "tenant-" + strconv.Itoa(i) }
	for i := range maxTenants {
		n, _ := findTenant(&table, name(i), 0)
		*valueOfTenant(&table, n) = account{busy: true, calls: i + 1}
	}
	for i := range 100 {
		if n, fresh := findTenant(&table, "late-"+strconv.Itoa(i), 0); n != 0 || fresh {
			t.Fatalf("a late tenant got number %d (fresh %v) though nobody is idle, want the shared one", n, fresh)
		}
	}
	if table.spilled != 100 || countTenants(&table) != maxTenants {
		t.Errorf("%d calls were spilled and %d tenants are kept, want 100 and %d", table.spilled, countTenants(&table), maxTenants)
	}
	for i := range maxTenants {
		n, fresh := findTenant(&table, name(i), 0)
		if v := valueOfTenant(&table, n); fresh || v.calls != i+1 {
			t.Fatalf("%s was forgotten while busy", name(i))
		}
		valueOfTenant(&table, n).busy = i < maxTenants/2
	}
	// Half are idle, and it is they who called last: the search comes to them, past the busy ones.
	for i, got := 0, 0; got < maxTenants/2; i++ {
		if i > 2*maxTenants {
			t.Fatalf("%d of %d idle tenants made room after %d calls", got, maxTenants/2, i)
		}
		n, fresh := findTenant(&table, "new-"+strconv.Itoa(i), 0)
		if fresh {
			if v := valueOfTenant(&table, n); v.calls != 0 {
				t.Fatalf("a new tenant begins with the value of another: %d", v.calls)
			}
			valueOfTenant(&table, n).busy = true
			got++
		}
	}
	for i := range maxTenants / 2 {
		if n, fresh := findTenant(&table, name(i), 0); fresh || valueOfTenant(&table, n).calls != i+1 {
			t.Fatalf("%s was forgotten while busy", name(i))
		}
	}
}

// Many tenants, most of whom come once, cost no more memory than the ten thousand that are told apart. That a million do not is shown
// with a bulkhead and with a limit.
func TestT61_ManyTenantsTakeBoundedMemory(t *testing.T) { //nolint:paralleltest // it measures the heap
	random := rand.New(rand.NewPCG(1, 2))
	table := makeTenants(idleAccount)
	before := heap()
	for i := range 100_000 {
		id := fmt.Sprintf("%x-%x", random.Uint64(), random.Uint64())
		if i%100 == 0 {
			id = strings.Repeat(id, 10)
		}
		n, _ := findTenant(&table, id, int64(i))
		valueOfTenant(&table, n).busy = i%3 == 0 && countTenants(&table) < maxTenants/2
	}
	grown := heap() - before
	if most := int64(maxTenants * tenantBytes); grown > most {
		t.Errorf("the heap grew by %d bytes, want at most %d", grown, most)
	}
	if countTenants(&table) != maxTenants || table.spilled > 1000 {
		t.Errorf("%d tenants are kept and %d calls were spilled", countTenants(&table), table.spilled)
	}
	runtime.KeepAlive(&table)
}

// heap returns the bytes that are reachable.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
