package runtime_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

func TestAcceptsAreAskedWhereTheClientIsMade(t *testing.T) {
	t.Parallel()
	spec := runtime.HTTPSpec{
		Name: "shop", BaseURL: "http://h",
		Targets: []policy.Target{{Name: "primary", Accepts: []string{"text"}}, {Name: "late"}},
	}
	p := plan(func(p *policy.Plan) {
		p.Data = []string{"text"}
		p.Targets = []policy.Target{{Name: "primary", Accepts: []string{"text"}}}
		p.Fallback.Rungs = []policy.Rung{other("late")}
	})
	address := runtime.WithBaseURL("http://late")
	for name, tt := range map[string]struct {
		opts []runtime.TargetOption
		want string
	}{
		"nothing said":  {[]runtime.TargetOption{address}, `shop: shop.Get: targets.late.accepts: target "late" does not accept ["text"], which the operation carries`},
		"another class": {[]runtime.TargetOption{address, runtime.WithAccepts("logs")}, `shop: shop.Get: targets.late.accepts: target "late" does not accept ["text"], which the operation carries`},
		"said":          {[]runtime.TargetOption{address, runtime.WithAccepts("logs", "text")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := runtime.NewHTTP(spec, runtime.WithTarget("late", tt.opts...))
			h.Operation(p)
			got := ""
			if err := h.Err(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if len(p.Targets) != 1 {
				t.Error("the plan of the client's author was changed")
			}
		})
	}
}
