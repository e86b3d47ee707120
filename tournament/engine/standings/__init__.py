"""Standings: cross table, scoring systems, tiebreakers, calculations."""
