// Package annot is the registry of annotations: for each key of x-resilience, of the policy file and of the directives, its
// documentation, its decoder into the types of runtime/policy, and what it refuses.
package annot
