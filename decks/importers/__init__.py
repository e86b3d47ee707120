"""Deck files: bytes in, lines and problems out. One module a file type."""
