package artefact

// Config is the view of config.yaml.tmpl: one client. What is empty is not written.
type Config struct {
	// Schema is the path of the JSON Schema that editors are pointed at.
	Schema string
	// Root is as in resgen.yaml, and so are the others. Of Spec and Iface one is set; Package is the name of a document's client too.
	Root, Spec, Iface, Policy, Out, Package string
	Overlays, Include, Exclude, Tags        []string
}

// Page is the configuration.
func (c *Config) Page() (Page, error) { return render("config.yaml", c) }
