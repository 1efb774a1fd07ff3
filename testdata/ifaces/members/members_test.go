package members_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/ifaces/members"
)

// model answers with its name, or fails.
type model struct {
	name  string
	err   error
	calls int
}

func (m *model) Complete(context.Context, string) (string, error) {
	m.calls++
	return m.name, m.err
}

type chat struct{}

func conversation(ctx context.Context) string {
	key, _ := ctx.Value(chat{}).(string)
	return key
}

// TestMembers: what is wrapped is the first member where it is given no other, a member that fails is left, and the caller sees none of it.
func TestMembers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		eu, us := &model{name: "eu", err: members.ErrDown}, &model{name: "us"}
		g := runtime.NewGroup()
		m, err := members.NewResilientModel(eu, members.WithModelTarget("us", us), members.WithModelConversation(conversation),
			members.WithModelRuntime(runtime.WithGroup(g)))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			var meta runtime.Meta
			got, err := m.Complete(runtime.Capture(t.Context(), &meta), "hello")
			if err != nil || got != "us" || meta.Target != "us" || meta.Degraded {
				t.Fatalf("%q, %v, by %q, degraded %v; want the member that is well", got, err, meta.Target, meta.Degraded)
			}
		}
		if eu.calls == 0 || eu.calls > 20 {
			t.Errorf("the member that fails was called %d times", eu.calls)
		}
		names := map[string]bool{}
		for _, row := range g.Snapshot() {
			names[row.Target] = true
			if row.Target == "primary" && len(row.Members) != 2 {
				t.Errorf("the target shows the members %v", row.Members)
			}
		}
		if !names["eu"] || !names["us"] {
			t.Errorf("the snapshot has %v, want a row for each member", names)
		}
	})
}

// TestConversation: its calls go to one member while that is well.
func TestConversation(t *testing.T) {
	t.Parallel()
	eu, us := &model{name: "eu"}, &model{name: "us"}
	m, err := members.NewResilientModel(eu, members.WithModelTarget("us", us), members.WithModelConversation(conversation))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		ctx := context.WithValue(t.Context(), chat{}, key)
		first, err := m.Complete(ctx, "hello")
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			if got, err := m.Complete(ctx, "and then?"); err != nil || got != first {
				t.Fatalf("conversation %s went from %s to %s, %v", key, first, got, err)
			}
		}
	}
}

// TestMemberNotWired: what is missing is said at once.
func TestMemberNotWired(t *testing.T) {
	t.Parallel()
	if _, err := members.NewResilientModel(&model{}, members.WithModelConversation(conversation)); err == nil {
		t.Error("a member without an implementation is no error")
	}
	if _, err := members.NewResilientModel(&model{}, members.WithModelTarget("us", &model{})); err == nil {
		t.Error("an affinity without its function is no error")
	}
}
