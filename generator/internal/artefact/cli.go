package artefact

// CLI is the view of cli.md.tmpl.
type CLI struct{ Commands []Command }

// Command is one command of resgen, and what it prints when asked for help.
type Command struct{ Name, Help string }

// CLIPage is the reference page of the command line.
func CLIPage(commands []Command) (Page, error) { return render("cli.md", CLI{Commands: commands}) }
