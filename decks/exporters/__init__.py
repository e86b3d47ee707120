"""Deck exporters.

They write a list in each file type that can be imported, and check the round trip.
"""
