package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

// defaultConfig is read where neither --config nor --spec is given.
const defaultConfig = "resgen.yaml"

// inputs are the flags that say what is read and made.
type inputs struct {
	config string
	root   string
	most   time.Duration
	client generator.Client
}

func (in *inputs) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&in.config, "config", "", "the configuration `FILE` (default: "+defaultConfig+", where neither --spec nor --iface is given)")
	flags.StringVar(&in.client.Spec, "spec", "", "the OpenAPI document: a `FILE`, or - for standard input")
	flags.StringVar(&in.client.Iface, "iface", "",
		"a Go interface in place of a document: `[PKG.]TYPE`, PKG an import path or a folder such as ./store (default: the package in the working directory)")
	flags.StringVar(&in.client.Tags, "tags", "", "the build `TAGS` that the interface is read with, separated by commas")
	flags.BoolVar(&in.client.Twins, "twins", false, "beside each method of the interface that has a ladder, make one that returns a runtime.Result")
	flags.StringVar(&in.root, "root", "", "the `DIR` below which files are read that the document names (default: the folder of the configuration or document)")
	flags.StringArrayVar(&in.client.Overlays, "overlay", nil, "an OpenAPI Overlay `FILE` to apply; may be repeated, and is applied in order")
	flags.StringVar(&in.client.Policy, "policy", "", "the policy `FILE`")
	flags.StringVar(&in.client.Out, "out", "", "the output `DIR`; for --iface the output file (default: store_resilient.gen.go beside the interface, for Store)")
	flags.StringVar(&in.client.Package, "package", "", "the `NAME` of the Go package")
	flags.Var((*without)(&in.client.WithoutTests), "tests", "write tests of the client's policies and a fake server beside it")
	flags.Lookup("tests").NoOptDefVal = "true"
	flags.StringVar(&in.client.ImportPath, "import-path", "", "the import `PATH` of the output (default: by the nearest go.mod)")
	flags.StringArrayVar(&in.client.Include, "include", nil,
		"keep only operations whose operationId or \"METHOD /path\" matches `GLOB`: * is any text without a slash, ** any text; may be repeated")
	flags.StringArrayVar(&in.client.Exclude, "exclude", nil, "leave out operations that match `GLOB`; may be repeated")
	flags.DurationVar(&in.most, "max-time", generator.DefaultMaxTime, "give up after that `DURATION`: no document keeps the tool for ever")
}

// request is what the flags ask the generator for.
func (in *inputs) request(mode generator.Mode, std streams) generator.Config {
	cfg := generator.Config{File: in.config, Client: in.client, Root: in.root, Mode: mode, MaxTime: in.most, Stdin: std.in}
	if cfg.File == "" && cfg.Client.Spec == "" && cfg.Client.Iface == "" {
		cfg.File = defaultConfig
	}
	return cfg
}

// explained adds what to do to an error that most likely means that no flag says what to read.
func (in *inputs) explained(err error) error {
	if err != nil && in.config == "" && in.client.Spec == "" && in.client.Iface == "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; name a document with --spec, an interface with --iface, or a configuration with --config", err)
	}
	return err
}
