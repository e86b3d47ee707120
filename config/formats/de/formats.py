"""Dates and numbers in German."""

DATE_FORMAT = "D, j. M Y"
DATETIME_FORMAT = "D, j. M Y, H:i"
SHORT_DATE_FORMAT = "j. M"
SHORT_DATETIME_FORMAT = "j. M, H:i"
TIME_FORMAT = "H:i"
DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
