package main

// tool is a generator: how it is installed and called, and what its operations look like.
type tool struct {
	name, version string
	// install is the package to install; empty for resgen, which is built from the checkout.
	install string
	// args make the package api in the folder out from the document spec; config is the folder of configurations.
	args func(out, spec, config string) []string
	// again are the arguments of a second try, for what does not compile with the first; nil is no second try.
	again func(out, spec, config string) []string
	// operations counts those that it generated.
	operations counter
	// requires are the modules that its code needs, with versions.
	requires []string
	// imports are built before anything is measured, so that only the generated package is compiled.
	imports []string
}

// tools are the generators in the order of the page's columns. Each is called for a client and its types, and nothing else.
func tools() []tool {
	return []tool{
		{
			name: "resgen",
			args: func(out, spec, _ string) []string {
				return []string{"generate", "--package", "api", "--out", out, "--spec", spec}
			},
			operations: requests,
			imports: []string{
				"github.com/resgen-go/resgen/runtime", "github.com/resgen-go/resgen/runtime/policy",
				"github.com/resgen-go/resgen/runtime/wire", "github.com/resgen-go/resgen/runtime/oauth",
			},
		},
		{
			name: "oapi-codegen", version: "v2.8.2",
			install: "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
			args: func(out, spec, _ string) []string {
				return []string{"-generate", "types,client", "-package", "api", "-o", out + "/api.gen.go", spec}
			},
			again: func(out, spec, config string) []string {
				return []string{"-config", config + "/oapi-again.yaml", "-o", out + "/api.gen.go", spec}
			},
			operations: matches(`(?m)^func Parse\w+\(rsp \*http\.Response\)`),
			requires: []string{
				"github.com/oapi-codegen/runtime@v1.9.0", "github.com/oapi-codegen/nullable@v1.2.0", "github.com/google/uuid@v1.6.0",
				"go.yaml.in/yaml/v3@v3.0.6",
			},
			imports: []string{
				"github.com/oapi-codegen/runtime", "github.com/oapi-codegen/runtime/types", "github.com/oapi-codegen/nullable",
				"github.com/google/uuid", "go.yaml.in/yaml/v3",
			},
		},
		{
			name: "ogen", version: "v1.24.0",
			install: "github.com/ogen-go/ogen/cmd/ogen",
			args: func(out, spec, config string) []string {
				return []string{"-config", config + "/ogen.yaml", "-package", "api", "-target", out, spec}
			},
			again: func(out, spec, config string) []string {
				return []string{"-config", config + "/ogen-again.yaml", "-package", "api", "-target", out, spec}
			},
			operations: matches(`(?m)^func \(c \*Client\) send\w+\(`),
			requires:   []string{"github.com/ogen-go/ogen@v1.24.0"},
			imports: []string{
				"github.com/ogen-go/ogen", "github.com/ogen-go/ogen/conv", "github.com/ogen-go/ogen/http", "github.com/ogen-go/ogen/json",
				"github.com/ogen-go/ogen/middleware", "github.com/ogen-go/ogen/ogenerrors", "github.com/ogen-go/ogen/ogenregex",
				"github.com/ogen-go/ogen/otelogen", "github.com/ogen-go/ogen/uri", "github.com/ogen-go/ogen/validate",
				"github.com/go-faster/errors", "github.com/go-faster/jx", "github.com/google/uuid", "github.com/shopspring/decimal",
				"go.opentelemetry.io/otel", "go.opentelemetry.io/otel/attribute", "go.opentelemetry.io/otel/codes",
				"go.opentelemetry.io/otel/metric", "go.opentelemetry.io/otel/semconv/v1.39.0", "go.opentelemetry.io/otel/trace",
			},
		},
	}
}

// configurations are the files that args name. ogen's leave the server out; the second tries resolve names that collide, and leave out
// what the tool does not know.
func configurations() map[string]string {
	return map[string]string{
		"oapi-again.yaml": "package: api\ngenerate:\n  models: true\n  client: true\noutput-options:\n  resolve-type-name-collisions: true\n",
		"ogen.yaml":       ogenConfig,
		"ogen-again.yaml": ogenConfig + "  ignore_not_implemented: [\"all\"]\n",
	}
}

const ogenConfig = "generator:\n  features:\n    disable: [\"paths/server\", \"webhooks/server\"]\n"
