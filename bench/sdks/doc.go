// Package sdks runs the real SDKs of language models and vector stores: what their errors are to the runtime, what is seen of their own
// retries, and what they do about a provider's faults, beside what resgen does: docs/explanation/what-your-sdk-does.md. It is a module of its
// own: nobody else is to need its dependencies. `make -C bench sdks` generates what it needs, runs it, and writes the page.
package sdks
