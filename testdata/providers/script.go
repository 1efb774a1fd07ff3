package providers

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

//go:embed scripts/*.txtar
var scripts embed.FS

// Shapes are the names of the wire shapes, each with a file of scripts.
func Shapes() []string { return []string{"chat", "responses", "messages", "gemini", "cohere"} }

// script is one answer.
type script struct {
	status int
	header http.Header
	steps  []step
}

// step is a part of a body: bytes, or one of the others.
type step struct {
	text []byte
	wait time.Duration
	hang bool
	cut  bool
}

// book holds the scripts of a shape.
type book struct {
	files map[string][]byte
	names []string
}

// open reads the scripts of a shape.
func open(shape string) (*book, error) {
	data, err := scripts.ReadFile("scripts/" + shape + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("no such shape: %w", err)
	}
	b := &book{files: map[string][]byte{}}
	for _, f := range txtar.Parse(data).Files {
		if _, twice := b.files[f.Name]; twice {
			return nil, fmt.Errorf("%s: two scripts have the name %q", shape, f.Name)
		}
		b.files[f.Name] = f.Data
		b.names = append(b.names, f.Name)
	}
	return b, nil
}

// Faults returns the names of all that a shape can be made to do, in the order of its file, and for each whether it has a plain form and
// one for streams.
func Faults(shape string) (names []string, plain, stream map[string]bool, err error) {
	b, err := open(shape)
	if err != nil {
		return nil, nil, nil, err
	}
	plain, stream = map[string]bool{}, map[string]bool{}
	for _, file := range b.names {
		if !isScript(b.files[file]) {
			continue
		}
		name, form, _ := strings.Cut(file, ".")
		plain[name] = plain[name] || form != "stream"
		stream[name] = stream[name] || form != "plain"
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, plain, stream, nil
}

// Items returns how many items of JSON the stream of a script has.
func Items(shape, fault string) (int, error) {
	b, err := open(shape)
	if err != nil {
		return 0, err
	}
	s, err := b.find(fault, true)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, step := range s.steps {
		for line := range bytes.Lines(step.text) {
			if bytes.HasPrefix(line, []byte("data: {")) {
				n++
			}
		}
	}
	return n, nil
}

// isScript reports whether a text begins with a status line; else it is a part of others.
func isScript(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	status, _, _ := strings.Cut(string(line), " ")
	_, err := strconv.Atoi(status)
	return err == nil
}

// find reads the script of a fault for a form of answer.
func (b *book) find(fault string, stream bool) (*script, error) {
	form := ".plain"
	if stream {
		form = ".stream"
	}
	data, ok := b.files[fault+form]
	if !ok {
		data, ok = b.files[fault]
	}
	if !ok || !isScript(data) {
		return nil, fmt.Errorf("no script %q", fault+form)
	}
	s := &script{header: http.Header{}}
	head, body, _ := strings.Cut(string(data), "\n\n")
	for i, line := range strings.Split(head, "\n") {
		if i == 0 {
			status, mediaType, _ := strings.Cut(line, " ")
			s.status, _ = strconv.Atoi(status)
			s.header.Set("Content-Type", mediaType)
			continue
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("%s: no header field: %q", fault, line)
		}
		s.header.Set(name, value)
	}
	return s, b.play(s, body, 0)
}

const deepest = 4 // parts in parts

// play appends the steps of a body.
func (b *book) play(s *script, body string, depth int) error {
	if depth > deepest {
		return fmt.Errorf("parts include one another: %q", body)
	}
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "@") {
			s.say([]byte(line))
			continue
		}
		what, which, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
		switch what {
		case "include":
			part, ok := b.files[which]
			if !ok {
				return fmt.Errorf("no part %q", which)
			}
			if err := b.play(s, string(part), depth+1); err != nil {
				return err
			}
		case "wait":
			d, err := time.ParseDuration(which)
			if err != nil {
				return fmt.Errorf("wait: %w", err)
			}
			s.steps = append(s.steps, step{wait: d})
		case "hang":
			s.steps = append(s.steps, step{hang: true})
		case "cut":
			s.steps = append(s.steps, step{cut: true})
		default:
			return fmt.Errorf("no such direction: %q", line)
		}
	}
	return nil
}

// say appends bytes to be sent, in one piece with those just before.
func (s *script) say(text []byte) {
	if n := len(s.steps); n > 0 && s.steps[n-1].text != nil {
		s.steps[n-1].text = append(s.steps[n-1].text, text...)
		return
	}
	s.steps = append(s.steps, step{text: text})
}
