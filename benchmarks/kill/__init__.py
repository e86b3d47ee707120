"""Kill the server under load; acknowledged data must be there afterwards."""
