// Command spector plays the scenarios of the http-specs through the clients that were generated from their documents, and prints what
// went wrong as JSON: for each scenario a list of faults, empty where there is none. It is called with the address of the server, the
// file with the tables, and the file with the scenarios. The test that builds it writes clients.go beside it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"live.test/play"
)

// client is a generated client as clients.go knows it.
type client struct {
	// make makes it, with credentials by the names of their options; WithRequestEditor is given the media type to ask for.
	make func(url string, hc *http.Client, credentials map[string]string) (any, error)
}

// table is what the test tells of a client.
type table struct {
	play.Table
	// Spec is the folder that its document is of, Key its name in clients.go.
	Spec, Key string
	Schemes   []scheme
}

// scheme is a way to give a credential.
type scheme struct{ Option, Header string }

type scenario struct {
	Spec, Name string
	Exchanges  []play.Exchange
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, tablesFile, scenariosFile string) error {
	tables, err := read[[]table](tablesFile)
	if err != nil {
		return err
	}
	scenarios, err := read[[]scenario](scenariosFile)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	b := &band{url: url, tables: tables, picture: picture(scenarios)}
	faults := map[string][]string{}
	for i := range scenarios {
		faults[scenarios[i].Name] = b.play(ctx, &scenarios[i])
	}
	return json.NewEncoder(os.Stdout).Encode(faults)
}

func read[T any](file string) (T, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		var none T
		return none, err
	}
	return play.Read[T](data)
}

// band plays scenarios.
type band struct {
	url    string
	tables []table
	// accept is what clients are to ask for; empty where they say it themselves.
	accept string
	// picture is the image that scenarios send.
	picture []byte
}

// picture takes the image from a scenario that sends it as its whole body.
func picture(scenarios []scenario) []byte {
	for _, s := range scenarios {
		for _, e := range s.Exchanges {
			if e.Body != nil && e.Body.ContentType == "image/png" {
				return e.Body.Data
			}
		}
	}
	return nil
}

// play plays one scenario and returns what went wrong.
func (b *band) play(ctx context.Context, s *scenario) []string {
	faults := []string{}
	if special := specials[s.Name]; special != nil {
		if err := special(ctx, b, s); err != nil {
			faults = append(faults, err.Error())
		}
		return faults
	}
	for i := range s.Exchanges {
		e := &s.Exchanges[i]
		if len(e.Header["accept"]) > 0 && e.Header["accept"][0] == "wrongAccept" {
			continue // no client that is made from the document says that
		}
		if err := b.exchange(ctx, s, e); err != nil {
			faults = append(faults, err.Error())
		}
	}
	return faults
}

// exchange plays one exchange through the first client of the scenario's documents that has an operation for it.
func (b *band) exchange(ctx context.Context, s *scenario, e *play.Exchange) error {
	if e.Body != nil {
		e.Body.Data = bytes.ReplaceAll(e.Body.Data, []byte("{baseUrl}"), []byte(b.url))
	}
	return b.each(s, e, func(p *play.Player) error { return p.Play(ctx, e) })
}

// each has one client after the other of the scenario's documents do something with an exchange, until one has an operation for it.
func (b *band) each(s *scenario, e *play.Exchange, do func(*play.Player) error) error {
	found := false
	for i := range b.tables {
		t := &b.tables[i]
		if t.Spec != s.Spec {
			continue
		}
		found = true
		p, err := b.player(t, e)
		if err != nil {
			return err
		}
		if err := do(p); !errors.Is(err, play.ErrNoOperation) {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no client for %s", s.Spec)
	}
	return fmt.Errorf("%v: %w", e, play.ErrNoOperation)
}

// player makes a client with the credentials that an exchange shows.
func (b *band) player(t *table, e *play.Exchange) (*play.Player, error) {
	recorder := &play.Recorder{Next: http.DefaultTransport}
	given := t.credentials(e)
	given["WithRequestEditor"] = b.accept
	c, err := clients[t.Key].make(b.url+t.Prefix, &http.Client{Transport: recorder}, given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Key, err)
	}
	return &play.Player{Table: t.Table, Client: c, Recorder: recorder}, nil
}

// credentials reads from an exchange's headers what the client's options are to be given.
func (t *table) credentials(e *play.Exchange) map[string]string {
	given := map[string]string{}
	for _, s := range t.Schemes {
		for name, values := range e.Header {
			if strings.EqualFold(name, s.Header) {
				given[s.Option] = strings.TrimPrefix(values[0], "Bearer ")
			}
		}
	}
	return given
}
