package lock_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/lock"
)

func TestCopyPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, want string }{
		{"https://a.example/b/c.yaml", `^a\.example/b/c\.yaml$`},
		{"http://a.example/b/c.yaml", `^a\.example/b/c-[0-9a-f]{12}\.yaml$`},
		{"https://a.example/b/C.json?d=e/f", `^a\.example/b/c-[0-9a-f]{12}\.json$`},
		{"https://a.example:8080", `^a\.example_8080/index-[0-9a-f]{12}\.yaml$`},
		{"https://a.example/b/", `^a\.example/b/index-[0-9a-f]{12}\.yaml$`},
		{"https://a.example/b", `^a\.example/b-[0-9a-f]{12}\.yaml$`},
		{"https://a.example/con/nul.yaml", `^a\.example/_con/_nul-[0-9a-f]{12}\.yaml$`},
		{"https://a.example/../..", `^a\.example/_/_-[0-9a-f]{12}\.yaml$`},
	} {
		if got := lock.CopyPath(tt.url); !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s lies at %s, want %s", tt.url, got, tt.want)
		}
	}
	if lock.CopyPath("https://a.example/b?c=1") == lock.CopyPath("https://a.example/b?c=2") {
		t.Error("two URLs share a copy")
	}
}

// FuzzCopyPath looks where hostile addresses would have their copies.
func FuzzCopyPath(f *testing.F) {
	f.Add("https://a.example/../%2e%2e/..\\x/con?y#z")
	f.Add("https://[::1]:80/a//b/...")
	part := regexp.MustCompile(`^[a-z0-9_-][a-z0-9._-]*$`)
	f.Fuzz(func(t *testing.T, url string) {
		got := lock.CopyPath(url)
		for step := range strings.SplitSeq(got, "/") {
			if !part.MatchString(step) || strings.HasSuffix(step, ".") {
				t.Errorf("%q has the part %q", got, step)
			}
		}
		if !filepath.IsLocal(filepath.FromSlash(got)) {
			t.Errorf("%q leads out", got)
		}
	})
}
