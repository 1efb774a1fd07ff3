package generator_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// caseIDs are the cases from public bug reports that are about documents and interfaces. Each is held by tests of that name, TestC085_…, of the
// programs in casePrograms, of the generator, and of runtime/wire.
const caseIDs = `C070 C071 C073 C074 C076 C077 C079 C080 C082 C083 C085 C086 C088 C089 C091 C092 C094 C095 C097 C098 C100 C101 C103 C104
	C106 C107 C109 C110 C112 C113 C115 C116 C118 C119 C121 C122 C124 C125 C127 C128 C130 C131`

// lastPain is the number of the last pain point of other generators that is about documents and interfaces. Each is held by tests of that name,
// TestPain10_…, or by those that pains names.
const lastPain = 72

// pains are the pain points that tests with another name hold, with those tests.
var pains = map[int][]string{
	1:  {"TestC071_OneNameForEveryKindOfComponent"},
	2:  {"TestC070_SchemasKeepTheNamesOfTypesOfOperations", "TestDerivedNames"},
	3:  {"TestStemsDoNotCollide", "TestC089_ALargeDocument"},
	4:  {"TestC109_NamesDoNotDependOnTheOrderOfPaths", "TestStemsDoNotCollide"},
	5:  {"TestC070_SchemasKeepTheNamesOfTypesOfOperations"},
	6:  {"TestC070_SchemasKeepTheNamesOfTypesOfOperations"},
	7:  {"TestC070_SchemasKeepTheNamesOfTypesOfOperations", "TestC092_WordsOfGoAreNamesOnTheWire"},
	8:  {"TestC073_EachValueOfPunctuationHasItsConstant", "TestEveryEnumValueHasItsConstant"},
	9:  {"TestAddingRenamesNothing"},
	16: {"TestC079_ASchemaThatIsItselfIsRefused"},
	17: {"TestC080_ARingOfFilesIsTheSameEachTime"},
	18: {"TestC080_TypesOfARingOfFilesAreOneEach"},
	19: {"TestC080_TypesOfARingOfFilesAreOneEach"},
	20: {"TestC086_NothingZeroAndNullAreThreeBodies", "TestC086_AbsentNullAndZeroDiffer"},
	21: {"TestC026_TheSameTableForEveryOperation", "TestC023_BackoffDoesNotMarchInStep"},
	22: {"TestPagesCursor", "TestPagesAreLazy"},
	24: {"TestC098_AnswersAndRequestsWithoutABody"},
	27: {"TestGoldensCompile", "TestCorpus"},
	32: {"TestBad", "TestRegistryIsSortedAndComplete"},
	33: {"TestC082_VariantsAreToldApartByWhatTheyAre"},
	34: {"TestGoldens"},
	37: {"TestC106_TypeArraysKeepTheKindOfAValue"},
	38: {"TestC080_ARingOfFilesIsTheSameEachTime", "TestRunIsDeterministic", "TestSameBytesInEveryCheckout"},
	40: {"TestPain30_ClientsHaveAnInterface"},
	44: {"TestC101_RangesOfMediaTypes"},
	45: {"TestMediaTwins"},
	47: {"TestCheckFindsFaults"},
	48: {"TestGoldensCompile"},
	49: {"TestUnions", "TestC082_VariantsAreToldApartByWhatTheyAre"},
	50: {"TestC085_NullableBesideAndAroundRef"},
	51: {"TestC073_EachValueOfPunctuationHasItsConstant"},
	52: {"TestCases"},
	53: {"TestC092_WordsOfGoAreNamesOnTheWire"},
	54: {"TestC070_SchemasKeepTheNamesOfTypesOfOperations"},
	55: {"TestC076_PropertiesOfAnyNameAreKept"},
	56: {"TestC074_EnumsKeepTheirKind"},
	58: {"TestGoldensCompile", "TestCorpus"},
	59: {"TestC106_TypeArraysKeepTheKindOfAValue", "TestC107_AConstantTellsTheVariants"},
	61: {"TestGoldensCompile"},
	62: {"TestC121_EmbeddedMethodsAndWhatIsSaidOfThem"},
	63: {"TestC121_EmbeddedMethodsAndWhatIsSaidOfThem", "TestC122_GenericInterfaces"},
	64: {"TestC115_ParametersNamedLikePackages", "TestPain70_PackagesOfOneName"},
	65: {"TestC128_UnexportedMethodsAreForwarded", "TestUnexportedInterface", "TestScript"},
	67: {"TestHedgeOnTheOtherModel"},
	68: {"TestC130_TheInterfaceOfAPlatform", "TestCasesOfInterfaces"},
	69: {"TestC127_AliasesAreKept"},
	71: {"TestC122_GenericInterfaces"},
	72: {"TestCasesOfInterfaces"},
}

// noPains are the pain points that no test can hold, and why.
var noPains = map[int]string{
	39: "time spent on formatting: TestCorpus prints what generation takes, and nothing else is known by its time",
}

func TestEveryCaseAndPainPointHasItsTest(t *testing.T) {
	t.Parallel()
	tests := testsBelow(t, ".", "../runtime", "../cmd/resgen", casePrograms, ifacesDir)
	named := func(prefix string) bool {
		return slices.ContainsFunc(tests, func(name string) bool { return strings.HasPrefix(name, prefix) })
	}
	for id := range strings.FieldsSeq(caseIDs) {
		if !named("Test" + id + "_") {
			t.Errorf("no test is called Test%s_…", id)
		}
	}
	for n := 1; n <= lastPain; n++ {
		prefix := fmt.Sprintf("TestPain%02d_", n)
		if why, exempt := noPains[n]; exempt {
			if named(prefix) || pains[n] != nil {
				t.Errorf("pain point %d has a test, although there is none to have: %s", n, why)
			}
			continue
		}
		if !named(prefix) && pains[n] == nil {
			t.Errorf("no test is called %s…, and pains names none", prefix)
		}
		for _, name := range pains[n] {
			if !slices.Contains(tests, name) {
				t.Errorf("there is no %s, which is to hold pain point %d", name, n)
			}
		}
	}
}

// testsBelow returns the names of the tests in folders and in those below them.
func testsBelow(t *testing.T, dirs ...string) []string {
	t.Helper()
	var names []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
					names = append(names, f.Name.Name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}
