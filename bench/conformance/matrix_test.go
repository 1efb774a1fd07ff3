package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
)

var (
	write     = flag.Bool("write", false, "run the probes against every library, and write matrix.json and the page")
	oneProbe  = flag.String("probe", "", "run this probe only, and print what it found (for -write, which runs each in a process of its own)")
	ofLibrary = flag.String("library", "", "the library that -probe is run against")
)

const (
	matrixFile = "matrix.json"
	pageFile   = "../../docs/reference/conformance.md"
)

// resgen passes every probe, and the page says so.
func TestResgen(t *testing.T) {
	if *write || *oneProbe != "" {
		t.Skip("the page is being written")
	}
	kept := readMatrix(t)
	for _, p := range probes() {
		t.Run(p.id, func(t *testing.T) {
			got := run(t, p, resgenLibrary())
			if got.Verdict == fails {
				t.Errorf("%s: want that %s; observed: %s", p.does, p.wanted, got.Observed)
			}
			if watched := run(t, p, resgenWatched()); watched.Verdict != got.Verdict {
				t.Errorf("watched by an observer: %q (%s), else %q (%s)", watched.Verdict, watched.Observed, got.Verdict, got.Observed)
			}
			if was := kept.Findings[p.id]["resgen"].Verdict; was != got.Verdict {
				t.Errorf("the page says %q, the probe %q (%s): run `make -C bench conformance`", was, got.Verdict, got.Observed)
			}
		})
	}
}

// The page is what the kept findings say.
func TestPageIsFresh(t *testing.T) {
	if *write || *oneProbe != "" {
		t.Skip("the page is being written")
	}
	page, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := readMatrix(t).page(); err != nil || string(page) != want {
		t.Errorf("%s is not what %s says (%v): run `make -C bench conformance`", pageFile, matrixFile, err)
	}
}

// run runs a probe, in a bubble of virtual time where it can.
func run(t *testing.T, p probe, lib library) (f finding) {
	t.Helper()
	if p.hasSocket() {
		return p.run(lib)
	}
	synctest.Test(t, func(*testing.T) { f = p.run(lib) })
	return f
}

// TestOne runs one probe, and prints what it found.
func TestOne(t *testing.T) {
	if *oneProbe == "" {
		t.Skip("it is for -write")
	}
	for _, p := range probes() {
		for _, lib := range libraries() {
			if p.id == *oneProbe && lib.name == *ofLibrary {
				text, err := json.Marshal(run(t, p, lib))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(os.Stdout, "\n%s%s\n", findingMark, text)
			}
		}
	}
}

// TestWrite makes the matrix and the page.
func TestWrite(t *testing.T) {
	if !*write {
		t.Skip("only with -write")
	}
	m, err := runAll()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	page, err := m.page()
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string]string{matrixFile: string(text) + "\n", pageFile: page} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readMatrix(t *testing.T) matrix {
	t.Helper()
	text, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	var m matrix
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
