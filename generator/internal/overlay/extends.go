package overlay

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// checkExtends compares the document that an overlay was written for with the one it is applied to. Another one is a warning and
// no error: the author of the command line has named both, and the specification leaves the choice to them. The address of a
// document on a network says nothing about the copy that was given, so it is not compared.
func checkExtends(o Overlay, list *diag.List) {
	v := o.Tree.Get("extends")
	if v == nil {
		return
	}
	ref, err := url.Parse(v.Text)
	if v.Kind != source.String || err != nil {
		list.Add(diag.Diagnostic{
			Code: diag.InvalidOverlay, Span: source.Span{Pos: v.Pos}, What: "extends is no URI reference",
			Why: "it names the document that the overlay is for", Fix: "write the path of the document from the overlay's folder",
		})
		return
	}
	if o.File == "" || o.Document == "" || ref.Scheme != "" && ref.Scheme != "file" || ref.Host != "" {
		return
	}
	want := ref.Path
	if !strings.HasPrefix(want, "/") {
		want = path.Join(path.Dir(o.File), want)
	}
	if path.Clean(want) == path.Clean(o.Document) {
		return
	}
	list.Add(diag.Diagnostic{
		Code: diag.OverlayExtends, Severity: diag.Warning, Span: source.Span{Pos: v.Pos},
		What: fmt.Sprintf("the overlay extends %q and is applied to another document", v.Text),
		Why:  "its targets were written for the document that it names",
		Fix:  "correct extends, or remove it where the overlay serves several documents",
	})
}
