"""Events: registration, rounds, standings, cuts, judging and paper."""
