"""How dates and numbers are written, a folder for each language that differs from Django's own way."""
