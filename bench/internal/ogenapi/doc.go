// Package ogenapi is what ogen makes of llm/openapi.yaml: 6,000 lines that are made when they are measured (`make ogen`) and not kept.
// Without the build tag "ogen" nothing imports it.
package ogenapi

//go:generate go tool ogen -config ogen.yaml -package ogenapi -target . -clean=false ../../llm/openapi.yaml
