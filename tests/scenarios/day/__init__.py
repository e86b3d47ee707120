"""A whole day of random organizers, judges and players, beside a simple model of what was told to them."""
