"""The console: the pages of the people who run an event."""
