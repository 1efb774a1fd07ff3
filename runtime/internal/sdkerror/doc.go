// Package sdkerror reads what an error of somebody else's client says of the answer that it was made of: an SDK's, or that of gRPC. No SDK is
// imported: an error is known by its methods and by the fields of its type, as
// docs/reference/interfaces.md lists them. Only errors are read, never a success; whatever a type does, reading it does not panic and is
// bounded.
//
// Methods are looked up by constant names only: with any other name the linker keeps every method of every type of the program.
package sdkerror
