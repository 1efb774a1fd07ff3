package artefact

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Policy is the view of policy.yaml.tmpl.
type Policy struct {
	// Schema is the path of the JSON Schema that editors are pointed at; empty for none. Source is what the operations are of.
	Schema, Source string
	// Go says that they are methods of a Go interface.
	Go bool
	// All says that something is suggested for all operations. Errors is the preset that Host suggests for them; empty for none.
	All          bool
	Errors, Host string
	Classes      []StarterClass
	Operations   []StarterOperation

	taken []string
}

// StarterClass is a timeout class that operations are suggested. What is zero is left to the built-in class.
type StarterClass struct {
	Name, For                                      string
	Total, Attempt, Connect                        time.Duration
	FirstByte, FirstItem, Idle, ItemGap, MaxStream time.Duration
}

// StarterOperation is one operation and what it is suggested.
type StarterOperation struct {
	// Says are lines about it.
	Says []string
	// ID is what `operation-id` or `go` matches it by, or Method and Path are where it has none that fits.
	ID, Method, Path string
	// Timeout is the name of a class, Attempts what `retry` is suggested; empty and 0 for none. Budget and Breaker say whether these are.
	Timeout         string
	Attempts        int
	Budget, Breaker bool

	class string // of starterClasses
}

// Any reports whether anything is suggested.
func (o *StarterOperation) Any() bool { return o.class != "" || o.Attempts > 0 || o.Breaker }

// clear takes everything back that the operation is suggested, and says why where there is something to say.
func (o *StarterOperation) clear(why ...string) {
	*o = StarterOperation{ID: o.ID, Method: o.Method, Path: o.Path, Says: append(o.Says, why...)}
}

// Starter is what starter files are made from.
type Starter struct {
	Source     string
	Schema     string
	Interface  bool
	Operations []Inferred
	// Taken are the names of timeout classes that the document has already.
	Taken []string
}

// longestMatch is how long a text of a rule's match may be.
const longestMatch = 1 << 10

// Policy is the view of a policy file that changes nothing and suggests what is safe: no fact is loosened, and nothing is repeated that
// may not be.
func (s *Starter) Policy() *Policy {
	view := &Policy{Schema: s.Schema, Source: s.Source, Go: s.Interface, All: true, taken: s.Taken}
	rules := 0
	for i := range s.Operations {
		o := &s.Operations[i]
		if i == 0 {
			view.Errors, view.Host = o.Suggested, o.Host
		} else if view.Errors != o.Suggested {
			view.Errors = ""
		}
		suggested := s.operation(o)
		if suggested.Any() {
			rules++
		}
		if rules > annot.LongestList {
			suggested.clear("There are at most " + strconv.Itoa(annot.LongestList) + " rules: put it into the list of `operation-id` of one that fits it.")
		}
		view.Operations = append(view.Operations, suggested)
	}
	view.settle()
	return view
}

func (s *Starter) operation(o *Inferred) StarterOperation {
	out := StarterOperation{ID: o.Operation, Says: o.says(s.Interface)}
	bind, isHTTP := o.op.Model.Bind.(*model.HTTPBinding)
	if len(out.ID) > longestMatch && isHTTP {
		out.ID, out.Method, out.Path = "", bind.Method, bind.Spelled()
	}
	if len(out.ID) > longestMatch || len(out.Path) > longestMatch {
		out.Says = append(out.Says, "Its name is too long for a rule: write x-resilience at the operation.")
		return out
	}
	if !o.written("timeout") {
		out.class = o.class()
	}
	if o.op.Policy.Idempotency.Repeatable() && !o.written("retry") {
		out.Attempts = policy.Recommended(o.generates).Retry.Attempts
		out.Budget = !o.written("budget")
	}
	out.Breaker = !o.written("breaker")
	return out
}

// says are the lines that stand above the suggestions.
func (o *Inferred) says(isGo bool) []string {
	line := o.Operation + ": "
	if !isGo {
		line += o.Request + "; "
	}
	line += o.Idempotency + " (" + o.By + ")"
	if o.Hedgeable {
		line += ", hedgeable"
	}
	if o.Streams != "" {
		line += ", streams (" + o.Streams + ")"
	}
	if o.Pages != "" {
		line += ", pages by " + o.Pages
	}
	out := []string{line + "."}
	if o.MostlySafe {
		out = append(out, "If it has no effect but its price, say so, and it may be tried again: facts: {idempotency: safe, hedgeable: false}")
	}
	if o.PageHint != "" {
		out = append(out, "Its parameter "+strconv.Quote(o.PageHint)+" looks as if it had pages: the fact `page` makes a method that reads all.")
	}
	return out
}

// The names of the timeout classes.
const (
	classRead, classCall, classGenerate, classTransfer = "read", "call", "generate", "transfer"
)

// class is the timeout class that fits an operation.
func (o *Inferred) class() string {
	switch {
	case o.moves:
		return classTransfer
	case o.generates:
		return classGenerate
	case o.op.Policy.Idempotency == policy.Safe:
		return classRead
	default:
		return classCall
	}
}

// starterClasses are the classes that are suggested, to begin with: what is not known of an API is how long it takes.
func starterClasses() []StarterClass {
	b := policy.BuiltIn(true)
	return []StarterClass{
		{Name: classRead, For: "what only reads", Total: 15 * time.Second, Attempt: 5 * time.Second, Connect: 2 * time.Second},
		{Name: classCall, For: "other calls; without attempt, their attempts share the total", Total: 30 * time.Second, Connect: b.Connect},
		{
			Name: classGenerate, For: "language models, and streams: total is until their first content", Total: 2 * time.Minute, Connect: b.Connect,
			FirstByte: b.FirstByte, FirstItem: b.FirstItem, Idle: b.Idle, ItemGap: b.ItemGap, MaxStream: b.MaxStream,
		},
		{Name: classTransfer, For: "files", Total: 5 * time.Minute, Connect: b.Connect},
	}
}

// settle defines the classes that operations are suggested, under names that are not taken.
func (p *Policy) settle() {
	p.Classes = nil
	for _, c := range starterClasses() {
		class, used := c.Name, false
		for n := 2; slices.Contains(p.taken, c.Name); n++ {
			c.Name = class + "-" + strconv.Itoa(n)
		}
		if p.Go {
			c.Connect, c.FirstByte, c.Idle = 0, 0, 0
		}
		for i := range p.Operations {
			if o := &p.Operations[i]; o.class == class {
				o.Timeout, used = c.Name, true
			}
		}
		if used {
			p.Classes = append(p.Classes, c)
		}
	}
}

// Part is the file with some of the operations alone, by index; -1 stands for what is suggested to all of them.
func (p *Policy) Part(of []int) *Policy {
	part := *p
	part.All, part.Operations = false, nil
	for _, i := range of {
		if i < 0 {
			part.All = p.All
		} else {
			part.Operations = append(part.Operations, p.Operations[i])
		}
	}
	part.settle()
	return &part
}

// Refrain takes back what an operation is suggested, first that it is tried again, then the rest; for -1 what all of them are. It reports
// whether there was something to take back.
func (p *Policy) Refrain(i int) bool {
	if i < 0 {
		was := p.All
		p.All = false
		return was
	}
	o := &p.Operations[i]
	switch {
	case o.Attempts > 0:
		o.Attempts, o.Budget = 0, false
	case o.Any():
		o.clear()
	default:
		return false
	}
	p.settle()
	return true
}

// Page is the policy file.
func (p *Policy) Page() (Page, error) { return render("policy.yaml", p) }

// suggestion begins a line that is suggested: one #, where a remark has two.
var suggestion = regexp.MustCompile(`(?m)^( *)# (.*\n)`)

// Accept is a policy file with all its suggestions taken.
func Accept(file []byte) []byte {
	if schemaLine, rest, ok := bytes.Cut(file, []byte("\n")); ok && bytes.HasPrefix(schemaLine, []byte("# yaml-language-server:")) {
		file = append([]byte("\n"), rest...) // lines keep their numbers
	}
	return suggestion.ReplaceAll(file, []byte("$1$2"))
}
