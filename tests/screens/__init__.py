"""Every screen there is, for those who look at all of them: tests in a browser, and `bin/screenshots`."""
