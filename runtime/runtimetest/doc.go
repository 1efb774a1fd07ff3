// Package runtimetest helps to test clients and their policies without a network: a Recorder keeps what observers are told, a Script
// plays the answers of a target. Both work in testing/synctest bubbles, where waits cost nothing.
//
// Read the files in this order: recorder.go, script.go.
package runtimetest
