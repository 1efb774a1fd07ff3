package generator

import "github.com/resgen-go/resgen/generator/internal/plan"

// Plan returns what the output was printed from.
func (o *Output) Plan() *plan.Package { return o.pkg }
