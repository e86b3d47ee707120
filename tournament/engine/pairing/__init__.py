"""Swiss rounds, round robins, repairs and table numbers."""
