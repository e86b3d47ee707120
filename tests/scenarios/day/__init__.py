"""A whole event of random organizers, judges and players.

It is compared with a simple model of the answers they got.
"""
