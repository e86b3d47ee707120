"""Sheets of paper: which there are, what stands on them, and how they become PDF."""
