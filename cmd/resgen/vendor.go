package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newVendor(std streams, log *logging) *cobra.Command {
	var in inputs
	c := &cobra.Command{
		Use:   "vendor",
		Short: "Fetch what the documents refer to on a network, once, and note the hashes",
		Long: "Nothing is fetched when a client is generated. Where a document has a $ref to an http or https URL, this command fetches what is\n" +
			"missing into resgen.vendor, beside resgen.lock, and notes the hashes there: commit both. A copy that is there already is only\n" +
			"taken note of, so that it can be put there by hand. No other command uses a network.",
		Example: "  resgen vendor\n  resgen vendor --spec api.yaml --out internal/api",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg := in.request(generator.Vendor, std)
			cfg.Fetch = fetch
			stop := log.follow(&cfg, std)
			result, err := generator.Run(c.Context(), cfg)
			stop()
			if err := result.Print(std.err, generator.PrintOptions{Listing: isTerminal(std.err)}); err != nil {
				return err
			}
			if err != nil {
				return in.explained(err)
			}
			if result.HasErrors() {
				return exitError{exitDiagnostics}
			}
			for _, name := range result.Vendored {
				if err := say(std, "vendored: %s\n", name); err != nil {
					return err
				}
			}
			return nil
		},
	}
	in.register(c)
	return c
}

// The bounds of a fetch.
const (
	fetchTime    = time.Minute
	fetchBytes   = 64 << 20
	maxRedirects = 10
)

var (
	errPlain     = errors.New("only https is used, and http on this machine")
	errRedirects = errors.New("too many redirects")
	errStatus    = errors.New("unexpected status")
	errLarge     = errors.New("it is too large")
)

// fetch gets a document over https.
func fetch(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if err := checkScheme(req.URL); err != nil {
		return nil, err
	}
	client := &http.Client{CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if len(via) >= maxRedirects {
			return errRedirects
		}
		if next.URL.Scheme != "https" { // a server elsewhere must not make the tool ask this machine
			return errPlain
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s", errStatus, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, fetchBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch: %w", err)
	case len(data) > fetchBytes:
		return nil, errLarge
	}
	return data, nil
}

// checkScheme keeps a document from being changed on its way.
func checkScheme(u *url.URL) error {
	host := u.Hostname()
	ip := net.ParseIP(host)
	if u.Scheme == "https" || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return errPlain
}
