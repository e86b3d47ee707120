"""Kill the server under load; what it acknowledged must be there afterwards."""
