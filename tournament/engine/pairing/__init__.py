"""Who plays whom: Swiss rounds, round robins, teams, repairs, and who sits where."""
