package policy

import "fmt"

// Criticality says who is shed first under overload. The zero value leaves it to the operation.
type Criticality uint8

// The criticalities.
const (
	// CriticalityUnset leaves it to the operation, and there means Normal.
	CriticalityUnset Criticality = iota
	// Critical is shed last.
	Critical
	// Normal is the default of operations.
	Normal
	// Sheddable is shed first.
	Sheddable

	criticalityCount
)

var criticalityNames = [criticalityCount]string{Critical: "critical", Normal: "normal", Sheddable: "sheddable"}

// String returns the name that annotations and the header to internal targets use; empty for CriticalityUnset.
func (c Criticality) String() string {
	if int(c) < len(criticalityNames) {
		return criticalityNames[c]
	}
	return fmt.Sprintf("criticality(%d)", uint8(c))
}

// ParseCriticality returns the criticality of that name and whether there is one.
func ParseCriticality(name string) (Criticality, bool) {
	for c := Critical; c < criticalityCount; c++ {
		if criticalityNames[c] == name {
			return c, true
		}
	}
	return CriticalityUnset, false
}
