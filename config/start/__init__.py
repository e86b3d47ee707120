"""What `bin/start` does once the Python environment is ready."""
