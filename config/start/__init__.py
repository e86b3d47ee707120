"""Everything that `bin/start` does once its Python environment stands."""
