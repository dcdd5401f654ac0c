"""One module a family of layers; each entry is the only place that knows its layer type."""
