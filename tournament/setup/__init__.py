"""Setup of an event: settings, local rules, pairing options, plan of stages, phases."""
