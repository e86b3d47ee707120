"""Events as an iCalendar file (RFC 5545), for calendars that people subscribe to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from django.urls import reverse

from tournament.events.models.event import Event

MAX_LINE_BYTES = 75
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


def build_calendar(events: Iterable[Event], base_url: str, now: datetime) -> str:
    """Return the file with one entry for each event; times are in UTC."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ringside//Events//EN", "CALSCALE:GREGORIAN"]
    for event in events:
        lines += _event_lines(event, base_url, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _event_lines(event: Event, base_url: str, now: datetime) -> Iterator[str]:
    address = f"{base_url}{reverse('event', args=[event.slug])}"
    host = base_url.partition("://")[2]
    yield "BEGIN:VEVENT"
    yield f"UID:event-{event.pk}-{event.seed}@{host}"
    yield f"DTSTAMP:{_format(now)}"
    yield f"DTSTART:{_format(event.starts_at)}"
    yield f"SEQUENCE:{event.version}"
    yield f"SUMMARY:{event.name.translate(ESCAPES)}"
    if event.place:
        yield f"LOCATION:{event.place.translate(ESCAPES)}"
    if event.notes:
        yield f"DESCRIPTION:{event.notes.translate(ESCAPES)}"
    yield f"URL:{address}"
    yield "END:VEVENT"


def _format(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _fold(line: str) -> Iterator[str]:
    """Yield a line in parts of at most 75 bytes.

    Each part after the first begins with a space. Characters are not split.
    """
    part, size = "", 0
    for letter in line:
        letter_size = len(letter.encode())
        if size + letter_size > MAX_LINE_BYTES:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + letter_size
    yield part
