"""Catalogue of cards, deck files and submitted lists."""
