package generator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

const autorestManifest = `{"private":true,"dependencies":{"@microsoft.azure/autorest.testserver":"3.3.51"}}`

// autorestSpecs is where the server has the documents of OpenAPI 2.0 that describe it.
const autorestSpecs = "node_modules/@microsoft.azure/autorest.testserver/swagger"

// autorestDocuments is how many there are.
const autorestDocuments = 74

// TestLiveAutorestDocuments generates, builds and vets a client from each document of autorest.testserver, all of them OpenAPI 2.0, and
// counts their operations. Those that are invalid on purpose are no exceptions.
func TestLiveAutorestDocuments(t *testing.T) {
	requireLive(t)
	dir := filepath.Join(npmInstall(t.Context(), t, "autorest", autorestManifest), filepath.FromSlash(autorestSpecs))
	docs := corpusDocuments(t, dir)
	if len(docs) != autorestDocuments {
		t.Errorf("%d documents, want %d", len(docs), autorestDocuments)
	}
	module := newModule(t, "corpus.test")
	generateAll(t, module, docs)
	build(t, module, docs, "build")
	build(t, module, docs, "vet")
	passed, operations, wanted := 0, 0, 0
	for _, d := range docs {
		d.judge(t)
		if len(d.faults) == 0 {
			passed++
		}
		operations += len(d.got)
		wanted += len(d.want)
	}
	printTable(docs)
	fmt.Fprintf(os.Stdout, "autorest: %d of %d documents, %d of %d operations\n", passed, len(docs), operations, wanted)
}

// autorestClients are the documents whose scenarios are played, by the package of their client.
var autorestClients = map[string]generator.Client{
	"infra":  {Spec: "httpInfrastructure.json", Policy: "infra.yaml", Overlays: []string{"infra-overlay.yaml"}},
	"paging": {Spec: "paging.json", Policy: "paging.yaml", Overlays: []string{"paging-overlay.yaml"}},
	"custom": {Spec: "custom-baseUrl-paging.json", Policy: "custom.yaml"},
	"multi1": {Spec: "multiapi-v1.json", Policy: "multi1.yaml"},
	"multi3": {Spec: "multiapi-v3.json", Policy: "multi3.yaml"},
}

// autorestAnswer is what testdata/live/autorest says of a call.
type autorestAnswer struct {
	// Status is that of the error; 0 where there is none, or none came with a response.
	Status int
	Error  string
	// Items are those of all pages.
	Items int
}

// TestLiveAutorest plays the scenarios of autorest.testserver through clients with a cookie jar, which the server's scenarios need: the
// whole of httpInfrastructure.json, and the pages of all documents, against a server that counts those that came through.
func TestLiveAutorest(t *testing.T) {
	requireLive(t)
	install := npmInstall(t.Context(), t, "autorest", autorestManifest)
	program := buildAutorest(t, filepath.Join(install, filepath.FromSlash(autorestSpecs)))
	port := freePort(t)
	url := "http://127.0.0.1:" + port
	startNode(t.Context(), t, install, url+"/report", "node_modules/@microsoft.azure/autorest.testserver/dist/cli/cli.js", "run", "-p", port,
		"--coverageDirectory", t.TempDir())
	var answers map[string]autorestAnswer
	if err := json.Unmarshal(runLive(t, program, url), &answers); err != nil {
		t.Fatal(err)
	}
	hits := map[string]int{}
	for _, category := range []string{"", "/azure", "/optional"} {
		addReport(t.Context(), t, url+"/report"+category, hits)
	}
	for _, part := range []struct {
		name    string
		isOf    func(scenario string) bool
		atLeast int
	}{
		{"retry", func(s string) bool { return strings.HasPrefix(s, "HttpRetry") }, 9},
		{"paging", func(s string) bool { return strings.Contains(s, "Paging") }, 27},
		{"http", isHTTP, 90},
	} {
		t.Run(part.name, func(t *testing.T) { scoreAutorest(t, part.name, hits, part.isOf, part.atLeast) })
	}
	judgeAutorest(t, answers)
}

// isHTTP reports whether a scenario is one of httpInfrastructure.json that is no retry.
func isHTTP(scenario string) bool {
	isHTTP := strings.HasPrefix(scenario, "Http") && !strings.HasPrefix(scenario, "HttpRetry")
	return isHTTP || strings.HasPrefix(scenario, "ResponsesScenario")
}

// scoreAutorest fails for each scenario that did not come through, and prints how many did.
func scoreAutorest(t *testing.T, name string, hits map[string]int, isOf func(string) bool, atLeast int) {
	t.Helper()
	passed, all := 0, 0
	for scenario, n := range hits {
		if !isOf(scenario) {
			continue
		}
		all++
		if n > 0 {
			passed++
		} else {
			t.Errorf("%s did not come through", scenario)
		}
	}
	if all < atLeast {
		t.Errorf("the server knows %d scenarios, want at least %d", all, atLeast)
	}
	fmt.Fprintf(os.Stdout, "autorest %s: %d of %d scenarios\n", name, passed, all)
}

// judgeAutorest checks what the callers saw: the status that an operation is named for where it is a failure, no error elsewhere.
func judgeAutorest(t *testing.T, answers map[string]autorestAnswer) {
	t.Helper()
	if len(answers) == 0 {
		t.Error("no operation was called")
	}
	for name, got := range answers {
		want := 0
		if digits := threeDigits.FindAllString(name, -1); len(digits) > 0 {
			if n, err := strconv.Atoi(digits[len(digits)-1]); err == nil && n >= http.StatusBadRequest && !strings.HasPrefix(name, "HTTPRetry") {
				want = n
			}
		}
		if odd, ok := autorestOdd[name]; ok {
			want = odd.status
		}
		if got.Status != want || (got.Error == "") != (want == 0) || got.Items != autorestItems[name] {
			t.Errorf("%s: status %d, %d items, error %q; want status %d and %d items", name, got.Status, got.Items, got.Error, want, autorestItems[name])
		}
	}
}

// autorestItems are how many items all pages have together.
var autorestItems = map[string]int{
	"PagesAppendAPIVersion": 1, "PagesReplaceAPIVersion": 1, "PagesClientName": 1, "PagesDuplicate": 1, "PagesEmptyNextLink": 1,
	"PagesFirstEmpty": 1, "PagesNoItemName": 1, "PagesSingle": 1, "PagesBodyParams": 1, "PagesMultiple": 10, "PagesOdata": 10,
	"PagesOffset": 10, "PagesRetryFirst": 10, "PagesRetrySecond": 10, "PagesOfLRO": 10, "PagesSecondFailure400": 1, "PagesFailureURI": 1,
	"PagesPartialURL": 2, "PagesPartialURLOperation": 2, "PagesMulti": 2, "PagesMultiGroup": 2,
}

var threeDigits = regexp.MustCompile(`[1-5]\d\d`)

// autorestOdd are the operations that do not come out as their names say, with the reason.
var autorestOdd = map[string]struct {
	status int
	why    string
}{
	"HTTPFailureGetEmptyError":   {400, "the name has no status"},
	"HTTPFailureGetNoModelError": {400, "the name has no status"},
	"HTTPFailureGetNoModelEmpty": {400, "the name has no status"},
	"HTTPRedirectsHead300":       {300, "nobody can choose for the caller"},
	"HTTPRedirectsGet300":        {300, "nobody can choose for the caller"},
	"HTTPRedirectsPut301":        {404, "net/http follows a 301 by GET, to a place that has no GET"},
	"HTTPRedirectsPatch302":      {404, "net/http follows a 302 by GET, to a place that has no GET"},
	"HTTPSuccessOptions200":      {200, "the server has no such scenario, and answers with a list of methods"},
	"PagesFailureURI":            {404, "the link to the second page is no page"},
	"PagesMultiLRO":              {200, "the server sends a number as text, which the document does not say"},
	"MultipleResponsesGet200Model204NoModelDefaultError201Invalid": {201, "the document does not have the status"},
	"MultipleResponsesGet200Model204NoModelDefaultError202None":    {202, "the document does not have the status"},
	"MultipleResponsesGet200ModelA202Valid":                        {202, "the document does not have the status"},
	"MultipleResponsesGetDefaultModelA200None":                     {200, "the document promises a body, and none comes"},
	"MultipleResponsesGet200ModelA200None":                         {200, "the document promises a body, and none comes"},
}

// buildAutorest generates the clients and builds testdata/live/autorest on them.
func buildAutorest(t *testing.T, specs string) string {
	t.Helper()
	dir := newModule(t, "live.test")
	own := filepath.Join(repoRoot(t), "testdata", "live", "autorest")
	for name, c := range autorestClients {
		c.Spec, c.Policy, c.Out, c.Package = filepath.Join(specs, c.Spec), filepath.Join(own, c.Policy), filepath.Join(dir, name), name
		for i, overlay := range c.Overlays {
			c.Overlays = slices.Clone(c.Overlays)
			c.Overlays[i] = filepath.Join(own, overlay)
		}
		result, err := generator.Run(t.Context(), generator.Config{Client: c})
		if err != nil {
			t.Fatal(err)
		}
		if result.HasErrors() {
			t.Fatalf("generate %s: %v", name, result.Diagnostics)
		}
	}
	files, err := filepath.Glob(filepath.Join(own, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no program: %v", err)
	}
	for _, file := range files {
		copyFile(t, file, filepath.Join(dir, filepath.Base(file)))
	}
	goRun(t.Context(), t, dir, "build", "-trimpath", "-o", "program", ".")
	return filepath.Join(dir, "program")
}

// addReport adds the server's counters of a category.
func addReport(ctx context.Context, t *testing.T, url string, hits map[string]int) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var counters map[string]int
	if err := json.NewDecoder(resp.Body).Decode(&counters); err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	for name, n := range counters {
		hits[name] += n
	}
}
