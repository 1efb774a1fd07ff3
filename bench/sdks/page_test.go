package sdks_test

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/testdata/providers"
)

var write = flag.Bool("write", false, "write docs/explanation/what-your-sdk-does.md")

const pageFile = "../../docs/explanation/what-your-sdk-does.md"

//go:embed page.md
var pageText string

//go:embed go.mod
var goMod string

// shapes are the wire shapes of the SDKs, with what they are called.
var shapes = []struct{ name, title string }{
	{"chat", "Chat completions"}, {"responses", "Responses"}, {"messages", "Messages"},
}

// TestPage plays every fault against every client, and holds the page to what is seen.
func TestPage(t *testing.T) {
	var tables strings.Builder
	for _, s := range shapes {
		all := arms(s.name)
		fmt.Fprintf(&tables, "## %s\n\n| | the provider |", s.title)
		for _, a := range all {
			fmt.Fprintf(&tables, " %s |", a.name)
		}
		fmt.Fprintf(&tables, "\n|---|---|%s\n", strings.Repeat("---|", len(all)))
		_, plain, stream, err := providers.Faults(s.name)
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for _, f := range faults() {
			if has := map[bool]map[string]bool{false: plain, true: stream}[f.stream]; !has[f.name] {
				continue
			}
			number++
			fmt.Fprintf(&tables, "| %d | %s |", number, f.does)
			for _, a := range all {
				o := play(t, s.name, f, a)
				text := o.String()
				wrong := f.wrong(o)
				if wrong {
					text = "**" + text + "**"
				}
				if wrong && a.name == "resgen's client" {
					t.Errorf("%s, %s (stream: %v): %s", s.name, f.name, f.stream, o)
				}
				fmt.Fprintf(&tables, " %s |", text)
			}
			tables.WriteString("\n")
		}
		tables.WriteString("\n")
	}
	page := strings.NewReplacer("{{versions}}", versions(t), "{{tables}}\n", tables.String()).Replace(pageText)
	if *write {
		if err := os.WriteFile(pageFile, []byte(page), 0o644); err != nil { //nolint:gosec // as any page
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != page {
		t.Errorf("%s is not what is seen now: run `make -C bench sdks`", pageFile)
	}
}

// versions names the SDKs with the versions that go.mod requires.
func versions(t *testing.T) string {
	t.Helper()
	var found []string
	for line := range strings.Lines(goMod) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "require ")
		for _, module := range []string{"github.com/openai/openai-go/v3", "github.com/anthropics/anthropic-sdk-go", "github.com/sashabaranov/go-openai"} {
			if version, ok := strings.CutPrefix(line, module+" "); ok {
				found = append(found, strings.TrimPrefix(module, "github.com/")+" "+version)
			}
		}
	}
	if slices.Sort(found); len(found) != 3 {
		t.Fatalf("go.mod names %q", found)
	}
	return strings.Join(found, ", ")
}
