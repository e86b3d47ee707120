"""The part of `bin/start` that runs once the Python environment is ready."""
