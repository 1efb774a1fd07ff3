package emit

import (
	"bytes"
	"errors"
	"go/format"
	"go/scanner"
	"strings"
)

// render returns the finished file: header, imports in two groups, formatted once. It returns nothing for a file without
// declarations.
func (k *kit) render() ([]byte, error) {
	if err := errors.Join(k.errs...); err != nil {
		return nil, &Fault{File: File{Name: k.name}, Err: err}
	}
	if !k.declares {
		return nil, nil
	}
	var body bytes.Buffer
	if err := k.file.Render(&body); err != nil { // only prints: NoFormat is set
		return nil, &Fault{File: File{Name: k.name, Data: body.Bytes()}, Err: err}
	}
	raw := groupImports(body.String())
	formatted, err := format.Source([]byte(raw))
	if err != nil {
		fault := &Fault{File: File{Name: k.name, Data: []byte(raw)}, Err: err}
		if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
			fault.Line, fault.Column, fault.Err = list[0].Pos.Line, list[0].Pos.Column, errors.New(list[0].Msg)
		}
		return nil, fault
	}
	return formatted, nil
}

// groupImports sets the standard library apart from the rest in the one import block that jennifer prints, sorted, one path a
// line. The block is found by its own lines: it is the first in the file, and nothing before it but comments and the package clause
// begins a line with "import (".
func groupImports(source string) string {
	const open, end = "\nimport (\n", "\n)\n"
	start := strings.Index(source, open)
	if start < 0 {
		return source
	}
	start += len(open)
	length := strings.Index(source[start:], end)
	if length < 0 {
		return source
	}
	var std, rest []string
	for line := range strings.SplitSeq(source[start:start+length], "\n") {
		first, _, _ := strings.Cut(line, "/")
		if strings.Contains(first, ".") {
			rest = append(rest, line)
		} else {
			std = append(std, line)
		}
	}
	if len(std) == 0 || len(rest) == 0 {
		return source
	}
	return source[:start] + strings.Join(std, "\n") + "\n\n" + strings.Join(rest, "\n") + source[start+length:]
}
