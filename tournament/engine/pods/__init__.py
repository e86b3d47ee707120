"""Tables of more than two sides: sizes, seating, points by places and standings."""
