package runtime_test

import (
	"testing"

	"github.com/resgen-go/resgen/runtime"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Get \"https://user:pa55@host/x?q=1\": EOF":                "Get \"https://[redacted]@host/x?q=1\": EOF",
		"https://h/x?api_key=abc&q=1&X-Amz-Signature=def#frag":     "https://h/x?api_key=[redacted]&q=1&X-Amz-Signature=[redacted]#frag",
		"https://h/x?q=monkey&sort=asc":                            "https://h/x?q=monkey&sort=asc",
		"Authorization: Bearer abc":                                "Authorization: [redacted]",
		"map[Authorization:[Bearer abc] Accept:[*/*]]":             "map[Authorization:[[redacted]] Accept:[*/*]]",
		`{"authorization":"Basic dXNlcjpwYXNz"}`:                   `{"authorization":"[redacted]"}`,
		"x-api-key: k-123, accept: */*":                            "x-api-key: [redacted], accept: */*",
		"Cookie: session=abc; other=1":                             "Cookie: [redacted]; other=1",
		"bearer authentication is required":                        "bearer authentication is required",
		"token eyJhbGciOiJIUzI1NiJ9 Bearer eyJhbGciOiJIUzI1NiJ9.x": "token eyJhbGciOiJIUzI1NiJ9 Bearer [redacted]",
		"status 503 Service Unavailable":                           "status 503 Service Unavailable",
	} {
		if got := runtime.Redact(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}
