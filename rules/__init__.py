"""The rules of the games: formats, bans, errata and timed rounds, as data with small named checks."""
