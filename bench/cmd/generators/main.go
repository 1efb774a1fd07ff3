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
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
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
	sample := flag.Int("sample", 0, "measure every document of which the number is a multiple of what makes this many; 0 is all")
	root := flag.String("root", "..", "the checkout of resgen")
	page := flag.String("page", "", "write the page to this file")
	flag.Parse()
	docs, err := documents(filepath.Join(*corpus, "visible"), *sample)
	if err != nil {
		return err
	}
	lab, err := newLab(ctx, *root)
	if err != nil {
		return err
	}
	var rows []row
	for i := range docs {
		r := row{doc: docs[i]}
		for _, t := range tools() {
			r.results = append(r.results, lab.measure(ctx, t, &docs[i]))
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped: %w", err)
		}
		rows = append(rows, r)
		fmt.Fprintln(os.Stderr, r.line())
	}
	text := report(rows)
	fmt.Fprint(os.Stdout, text)
	if *page == "" {
		return nil
	}
	if err := os.WriteFile(*page, []byte(text), 0o600); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// document is one of the corpus.
type document struct {
	name, path string
	operations int
}

var errNoDocuments = errors.New("no documents: set RESGEN_CORPUS, or -corpus, to a folder that has visible/INDEX.tsv")

// documents reads the index of real documents: those that were written for tests of generators are left out.
func documents(folder string, sample int) ([]document, error) {
	f, err := os.Open(filepath.Join(folder, "INDEX.tsv"))
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
	if sample <= 0 || sample >= len(docs) {
		return docs, nil
	}
	chosen := make([]document, 0, sample)
	for i := range sample {
		chosen = append(chosen, docs[i*len(docs)/sample])
	}
	return chosen, nil
}
