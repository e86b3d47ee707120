"""Everything that writes. Each function is one step, in one transaction, with one line in the log."""
