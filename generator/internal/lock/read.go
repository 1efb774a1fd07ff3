package lock

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// hashForm is what a hash looks like.
var hashForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// Read reads resgen.lock. What is wrong goes to the list, with its place; the result is then not complete.
func Read(name string, data []byte, list *diag.List) *File {
	f := &File{Clients: map[string]*Client{}, Refs: map[string]Hash{}}
	tree, err := source.Read(name, data)
	if err != nil {
		at := source.Pos{File: name, Line: 1, Column: 1}
		if line := conflict(data); line > 0 {
			at.Line = line
			fault(list, at, "it has the marks of a merge that was not resolved")
			return f
		}
		list.AddSource(err, at)
		return f
	}
	r := reader{list: list}
	r.object(tree, "the file", map[string]func(*source.Value){
		"version": r.version,
		"clients": func(v *source.Value) {
			r.each(v, "clients", func(key string, v *source.Value) { f.Clients[key] = r.client(v) })
		},
		"refs": func(v *source.Value) {
			r.each(v, "refs", func(key string, v *source.Value) {
				if text := r.text(v, "a hash"); hashForm.MatchString(text) {
					f.Refs[key] = Hash{Text: text, Pos: v.Pos}
				} else if text != "" {
					fault(list, v.Pos, fmt.Sprintf("%q is no hash", text))
				}
			})
		},
	})
	if tree.Kind == source.Map && tree.Get("version") == nil {
		fault(list, tree.Pos, "it has no version")
	}
	return f
}

// conflict is the line of a mark that git leaves in files that two people changed; 0 for none.
func conflict(data []byte) int {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") {
			return n
		}
	}
	return 0
}

func fault(list *diag.List, pos source.Pos, what string) {
	list.Add(diag.Diagnostic{
		Code: diag.InvalidLock, Span: source.Span{Pos: pos}, What: "resgen.lock cannot be used: " + what,
		Why: "it says which names must not change; to go on without it could rename what others use",
		Fix: "restore the file from version control: of a merge take either side, then generate again",
	})
}

// reader reads the parts of the file.
type reader struct{ list *diag.List }

// object reads an object whose keys are known.
func (r *reader) object(v *source.Value, what string, keys map[string]func(*source.Value)) {
	if v.Kind != source.Map {
		fault(r.list, v.Pos, fmt.Sprintf("%s is a %s and not an object", what, v.Kind))
		return
	}
	for i := range v.Map {
		field := &v.Map[i]
		if read := keys[field.Key]; read != nil {
			read(&field.Value)
			continue
		}
		fault(r.list, field.KeyPos, fmt.Sprintf("%s has no key %q", what, field.Key))
	}
}

// each reads an object whose keys are names.
func (r *reader) each(v *source.Value, what string, read func(key string, v *source.Value)) {
	if v.Kind != source.Map {
		fault(r.list, v.Pos, fmt.Sprintf("%q is a %s and not an object", what, v.Kind))
		return
	}
	for i := range v.Map {
		read(v.Map[i].Key, &v.Map[i].Value)
	}
}

func (r *reader) version(v *source.Value) {
	if v.Kind != source.Number || v.Text != "1" {
		fault(r.list, v.Pos, fmt.Sprintf("it is of version %q, which this resgen does not know", v.Text))
	}
}

func (r *reader) text(v *source.Value, what string) string {
	if v.Kind != source.String {
		fault(r.list, v.Pos, fmt.Sprintf("%s is a %s and not a string", what, v.Kind))
		return ""
	}
	return v.Text
}

func (r *reader) client(v *source.Value) *Client {
	c := &Client{Names: map[string]Name{}, kept: map[fingerprint]bool{}}
	r.object(v, "a client", map[string]func(*source.Value){
		"names": func(v *source.Value) {
			r.each(v, "names", func(key string, v *source.Value) {
				if text := r.text(v, "a name"); text != "" {
					c.Names[key] = Name{Text: text, Pos: v.Pos}
				}
			})
		},
		"kept": func(v *source.Value) { r.kept(v, c) },
	})
	return c
}

// kept reads the lines of fingerprints.
func (r *reader) kept(v *source.Value, c *Client) {
	if v.Kind != source.List {
		fault(r.list, v.Pos, fmt.Sprintf(`"kept" is a %s and not a list`, v.Kind))
		return
	}
	for i := range v.List {
		line := &v.List[i]
		prints, ok := parse(r.text(line, "a line of fingerprints"))
		if !ok {
			fault(r.list, line.Pos, "a line of fingerprints is not as resgen writes them")
			return
		}
		for _, p := range prints {
			c.kept[p] = true
		}
	}
}

// parse reads one line of fingerprints.
func parse(line string) (prints []fingerprint, ok bool) {
	if len(line)%codeChars != 0 {
		return nil, false
	}
	var p fingerprint
	for i := range len(line) {
		value := strings.IndexByte(alphabet, line[i])
		if value < 0 {
			return nil, false
		}
		p = p<<charBits | fingerprint(value)
		if i%codeChars == codeChars-1 {
			prints = append(prints, p)
			p = 0
		}
	}
	return prints, true
}
