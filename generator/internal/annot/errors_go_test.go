package annot

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestGoRules reads every form of the rules about Go errors, and prints and reads them again.
func TestGoRules(t *testing.T) {
	t.Parallel()
	caller, transient := policy.KindCaller, policy.KindTransient
	for text, want := range map[string][]GoRule{
		"errors: isTransient":                          {{Sort: GoFunc, Name: "isTransient"}},
		"errors: {func: store.KindOf}":                 {{Sort: GoFunc, Name: "store.KindOf"}},
		"errors: {is: ErrBusy}":                        {{Kind: transient, Sort: GoIs, Name: "ErrBusy"}},
		"errors: {is: [ErrBusy, io.ErrUnexpectedEOF]}": {{Kind: transient, Sort: GoIs, Name: "ErrBusy"}, {Kind: transient, Sort: GoIs, Name: "io.ErrUnexpectedEOF"}},
		"errors: {as: {caller: ['*Gone', net.Error]}}": {{Kind: caller, Sort: GoAs, Name: "*Gone"}, {Kind: caller, Sort: GoAs, Name: "net.Error"}},
		"errors: {caller: ErrGone}":                    {{Kind: caller, Name: "ErrGone"}},
		"errors: {func: f, caller: [{is: ErrGone}, {as: '*example.com/a-b/store.Gone'}, {func: isGone}, Gone]}": {
			{Kind: caller, Sort: GoIs, Name: "ErrGone"},
			{Kind: caller, Sort: GoAs, Name: "*example.com/a-b/store.Gone"},
			{Kind: caller, Sort: GoFunc, Name: "isGone"},
			{Kind: caller, Name: "Gone"},
			{Sort: GoFunc, Name: "f"},
		},
		"errors: {transient: [503, ErrBusy]}": {{Kind: transient, Name: "ErrBusy"}},
		"errors: null":                        nil,
	} {
		s := decode(t, text)
		if diff := cmp.Diff(want, s.Facts.Go, cmpopts.IgnoreFields(GoRule{}, "Pos"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		for i := range s.Facts.Go {
			if !s.Facts.Go[i].Pos.IsValid() {
				t.Errorf("%s: rule %d has no position", text, i)
			}
		}
		printed := s.Print()
		var list diag.List
		checked, ok := CheckOperation(&printed, &list)
		if !ok {
			t.Errorf("%s: what is printed is refused: %v", text, whats(&list))
			continue
		}
		again := Decode(&checked)
		if diff := cmp.Diff(s.Facts.Go, again.Facts.Go, cmpopts.IgnoreTypes(source.Pos{})); diff != "" {
			t.Errorf("%s: printed and read again (-first +second):\n%s", text, diff)
		}
	}
}

func TestAbandon(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"abandon: true": true, "abandon: false": false, "abandon: null": false} {
		if got := decode(t, text).Plan.Abandon; got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}
