//go:build race

package chaos_test

// forgotten is how many allocations more a call may take: under the race detector a sync.Pool forgets a part of what it is given.
const forgotten = 2
