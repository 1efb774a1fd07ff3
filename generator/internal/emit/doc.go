// Package emit prints a plan.Package as Go files. It decides nothing: what stands in the plan is printed as it stands, and an
// error here is a fault of resgen.
//
//	plan.Package ──Files──▶ client, options, operations, requests, responses, types, policies (.gen.go) ──Check──▶ fit to be written
//
// Every file has an emitter of its own, one function from the plan to a jennifer file. Policies are printed by a generic literal
// printer that walks policy.Plan by reflection, so that a new policy field needs no change here. Check type-checks the result
// against embedded declarations of the packages that generated code may import, without the go command.
//
// Text of the document reaches the output only as comment lines, as string literals and as struct tags; every identifier is
// validated.
//
// Read the files in this order: emit.go, scope.go, kit.go, comment.go and render.go (what all files share), client.go, options.go,
// operations.go, requests.go, responses.go, types.go, enums.go and unions.go (a file each, or a kind of type), assign.go and values.go
// (values of the document as Go), policies.go, literal.go and share.go (policies as Go), check.go and fault.go.
package emit
