// Command generators measures resgen and its peers on the same OpenAPI documents in one run: what is generated, whether it compiles,
// how long it is, and what it costs to generate and to build. It writes docs/reference/generation.md.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generators:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	corpus := flag.String("corpus", os.Getenv("RESGEN_CORPUS"), "folder with the documents and INDEX.tsv")
	sample := flag.Int("sample", 0, "measure this many documents, spread over the index; 0 is all")
	also := flag.String("also", "", "measure these too: names with commas between them")
	most := flag.Duration("for", time.Hour, "begin no document after this time; the page has what was measured until then")
	root := flag.String("root", "..", "the checkout of resgen")
	page := flag.String("page", "", "write the page to this file, after each document")
	flag.Parse()
	all, err := documents(filepath.Join(*corpus, "visible"))
	if err != nil {
		return err
	}
	docs := choose(all, *sample, *also)
	lab, err := newLab(ctx, *root)
	if err != nil {
		return err
	}
	r := report{began: time.Now(), load: load(), of: len(all), revision: revision(ctx, *root), chosen: "All"}
	if len(docs) < len(all) {
		r.chosen = fmt.Sprintf("%d documents spread evenly over the corpus's index", *sample)
		if *also != "" {
			r.chosen += ", and " + strings.ReplaceAll(*also, ",", ", ")
		}
	}
	if r.startUp, err = lab.startUp(ctx); err != nil {
		return err
	}
	for i := range docs {
		if time.Since(r.began) > *most {
			r.left = len(docs) - i
			break
		}
		measured := row{doc: docs[i]}
		for _, t := range tools() {
			measured.results = append(measured.results, lab.measure(ctx, t, &docs[i]))
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped: %w", err)
		}
		r.rows = append(r.rows, measured)
		fmt.Fprintln(os.Stderr, measured.line())
		if err := r.write(*page); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprint(os.Stdout, r.text()); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return r.write(*page)
}

// revision is the commit of the checkout.
func revision(ctx context.Context, root string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--short", "HEAD").Output() //nolint:gosec // the folder is the caller's
	if err != nil {
		return "of this checkout"
	}
	return "at " + strings.TrimSpace(string(out))
}

// load is what the machine had to do over the last five minutes, or empty where it does not say.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		return fields[1]
	}
	return ""
}

// document is one of the corpus.
type document struct {
	name, path string
	operations int
}

var errNoDocuments = errors.New("no documents: set RESGEN_CORPUS, or -corpus, to a folder that has visible/INDEX.tsv")

// documents reads the index of real documents: those that were written for tests of generators are left out.
func documents(folder string) ([]document, error) {
	f, err := os.Open(filepath.Join(folder, "INDEX.tsv")) //nolint:gosec // as above
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoDocuments, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	const operationsColumn = 5
	var docs []document
	for _, record := range records {
		if len(record) <= operationsColumn || strings.HasPrefix(record[0], "edge-") {
			continue
		}
		if n, err := strconv.Atoi(record[operationsColumn]); err == nil && n > 0 {
			docs = append(docs, document{name: record[0], path: filepath.Join(folder, record[0]), operations: n})
		}
	}
	if len(docs) == 0 {
		return nil, errNoDocuments
	}
	return docs, nil
}

// choose takes as many documents as sample says, spread over all, and those that are named; 0 is all. They keep their order.
func choose(docs []document, sample int, also string) []document {
	if sample <= 0 || sample >= len(docs) {
		return docs
	}
	spread := map[int]bool{}
	for i := range sample {
		spread[i*len(docs)/sample] = true
	}
	named := strings.Split(also, ",")
	var chosen []document
	for i := range docs {
		if spread[i] || slices.Contains(named, docs[i].name) {
			chosen = append(chosen, docs[i])
		}
	}
	return chosen
}
