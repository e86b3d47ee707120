"""Languages: which one a reader is spoken to in, and how a visitor or an account chooses it."""
