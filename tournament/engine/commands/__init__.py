"""Commands of the command line, one module each; a command loads its own alone."""
