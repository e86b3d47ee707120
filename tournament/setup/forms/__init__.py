"""Forms of the setup of an event."""
