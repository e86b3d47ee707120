"""A whole event of random organizers, judges and players, compared with a simple model of the answers they
got.
"""
