//go:build !race

package openapi_test

const isRace = false
