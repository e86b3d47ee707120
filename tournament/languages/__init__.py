"""Languages of readers.

The package decides which language a reader is addressed in, and how a visitor or an account chooses it.
"""
