"""Pairing, standings, cuts, brackets and the clock: pure functions over plain records."""
