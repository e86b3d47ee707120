"""Highlander, Type Two: its checks, its timed rounds and its data."""
