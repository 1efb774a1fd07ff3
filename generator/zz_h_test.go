package generator_test

import "github.com/resgen-go/resgen/runtime"

func metaIncomplete(*runtime.Meta) string { return "" }
