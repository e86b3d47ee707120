"""Write the setup of an event: create, change, set local rules, change phase."""
