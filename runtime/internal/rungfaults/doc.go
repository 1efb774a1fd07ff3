// Package rungfaults plays every fault at every rung of a whole ladder, for a whole answer and for a stream, and says which rung answers, in
// what time, and with what tag. Everything is in its tests; the table is in table_test.go.
package rungfaults
