"""Setup of an event: settings, local rules, pairing options, stage plan, phases."""
