// Package annot is the registry of annotations: for each key of x-resilience and of the policy file its documentation, its decoder
// into the types of runtime/policy, and what it refuses.
//
//	source.Value ──CheckOperation, CheckDocument, CheckPolicyFile──▶ source.Value, right and written out
//	                                                   (plan merges the layers)
//	source.Value ──Decode, DecodeTimeout, DecodeTarget──▶ Settings, policy.Timeout, policy.Target ──Print──▶ source.Value
//
// An object with known keys is one table, a record: it is checked, decoded, printed, documented and put into the JSON Schema from
// there. To add an annotation, write a file with its Entry and record, and name it in registry.go.
//
// Read in this order: registry.go (the tables), field.go (records), retry.go (one annotation, as an example), scalar.go, choice.go and
// list.go (what values may look like), section.go and document.go (where annotations stand), settings.go (what they come to).
package annot
