package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newSchema(std streams) *cobra.Command {
	names := generator.SchemaNames()
	return &cobra.Command{
		Use:   "schema (" + strings.Join(names, " | ") + ")",
		Short: "Print the JSON Schema of resgen.yaml, of the policy file or of x-resilience, by which editors complete and check",
		Long: "Prints a JSON Schema (draft 2020-12). An editor with the YAML language server takes it by a first line such as\n" +
			"`# yaml-language-server: $schema=./resgen.policy.schema.json`, which `resgen init` writes where the file is there. What a schema\n" +
			"lets through may still be refused: what keys mean together is checked by `resgen lint`.",
		Example: "  resgen schema policy > resgen.policy.schema.json\n" +
			"  resgen schema config > resgen.schema.json",
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one schema: " + strings.Join(names, ", "))
			}
			data, ok, err := generator.Schema(args[0])
			if err != nil {
				return err
			}
			if !ok {
				return unknown("schema", args[0], generator.NearestSchema(args[0]))
			}
			return say(std, "%s", data)
		},
	}
}
