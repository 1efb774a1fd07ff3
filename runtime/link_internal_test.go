package runtime

import "testing"

func TestNextLink(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headers []string
		want    string
	}{
		"none":             {nil, ""},
		"one":              {[]string{`<https://a.example/x?page=2>; rel="next"`}, "https://a.example/x?page=2"},
		"among others":     {[]string{`</p1>; rel="prev", </p3>; rel="next", </p9>; rel="last"`}, "/p3"},
		"in another line":  {[]string{`</p1>; rel=prev`, `</p3>; rel=next`}, "/p3"},
		"of several":       {[]string{`</p3>; rel="up next"`}, "/p3"},
		"capitals":         {[]string{`</p3>; REL="Next"`}, "/p3"},
		"commas":           {[]string{`</a,b;c>; title="x, y; rel=\"next\""; rel=prev, </p3>;rel=next`}, "/p3"},
		"first rel counts": {[]string{`</p1>; rel=prev; rel=next`}, ""},
		"no target":        {[]string{`rel="next"`}, ""},
		"not closed":       {[]string{`</p3; rel="next"`}, ""},
		"open quotes":      {[]string{`</p3>; rel="next`}, "/p3"},
		"spaces":           {[]string{`  < /p3 > ; rel = "next"  `}, "/p3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := nextLink(c.headers); got != c.want {
				t.Errorf("nextLink(%q) = %q, want %q", c.headers, got, c.want)
			}
		})
	}
}

func TestRelativeTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, link, want string }{
		{"", "https://a.example/x?p=2", "https://a.example/x?p=2"},
		{"", "/x?p=2", "/x?p=2"},
		{"", "?p=2", "?p=2"},
		{"?p=2", "?p=3", "?p=3"},
		{"/x/y?p=2", "?p=3", "/x/y?p=3"},
		{"/x/y?p=2", "z?p=3", "/x/z?p=3"},
		{"https://a.example/x/y?p=2", "z?p=3", "https://a.example/x/z?p=3"},
		{"", "", ""},
		{"/x", "#more", ""},
		{"/x", "%zz", "%zz"},
	} {
		if got := relativeTo(c.before, c.link); got != c.want {
			t.Errorf("relativeTo(%q, %q) = %q, want %q", c.before, c.link, got, c.want)
		}
	}
}

func FuzzNextLink(f *testing.F) {
	f.Add(`</p1>; rel="prev", </p3>; rel="next"`)
	f.Add(`<`)
	f.Add(`<>;=";`)
	f.Fuzz(func(_ *testing.T, header string) { // it ends, and does not panic
		relativeTo("/x", nextLink([]string{header}))
	})
}
