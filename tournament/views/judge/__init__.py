"""Pages of judges: made for a phone in one hand, and for a keyboard."""
