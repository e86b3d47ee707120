"""Pairing, standings, cuts, brackets and the clock.

They are pure functions over plain records.
"""
