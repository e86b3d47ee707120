"""Card Fighters' Clash."""
