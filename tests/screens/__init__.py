"""All screens, for browser tests and `bin/screenshots`."""
