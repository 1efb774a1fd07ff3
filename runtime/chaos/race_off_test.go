//go:build !race

package chaos_test

// forgotten is how many allocations more a call may take: none, as no pool forgets.
const forgotten = 0
