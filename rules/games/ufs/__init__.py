"""The Universal Fighting System: Tournament Rules 1.8 and 1.9."""
