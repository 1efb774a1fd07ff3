// Package promobserver counts for Prometheus what clients do, and reads their machines when metrics are collected.
//
//	calls ───Observer──▶ counters, histograms ─┐
//	                                           ├──Collector──▶ /metrics
//	groups ──Snapshot──▶ gauges ───────────────┘
//
// The metrics are those of package otelobserver, spelled as Prometheus has it, and gauges of what a Group shows. Metrics describes them all. Labels
// are what plans bound: clients, operations, targets, rungs, levels, kinds; never tenants, keys, addresses, models or texts.
//
// Read the files in this order: metrics.go (what there is), promobserver.go (how events are counted), gauges.go (how machines are read).
package promobserver
