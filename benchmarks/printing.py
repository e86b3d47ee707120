"""Lists, slips, badges and forms as PDF.

Processor seconds and memory are measured for 32, 200 and 2,000 players.

    python -m benchmarks.printing [--sheets SHEET …] [players …]

Everyone has submitted a list, so that forms and deck checks are filled with 24 lines of cards each. Each
figure is one fresh process, so that memory is the peak of that print alone. In the same run the same rows are
printed as one plain table by the same renderer, and by Chromium if there is one (RINGSIDE_CHROMIUM names it).
Processor seconds count reading the database and setting the pages, not the start of the process nor what a
worker loads for its first print. One core is enough. The speed of the machine is that of a loop of plain
arithmetic, to compare runs by.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("RINGSIDE_DATA_DIR", tempfile.mkdtemp(prefix="ringside-benchmark-"))
os.environ.setdefault("RINGSIDE_LOG_LEVEL", "WARNING")

import django

django.setup()

from django.core.management import call_command
from django.utils.html import escape

from decks.submissions.models import DeckList, DeckVersion
from tournament.access.permissions import SYSTEM_ACTOR
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.pairing.services import rounds
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest, find_round
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
LISTS = ("pairings-by-table", "pairings-by-name", "standings")
KINDS = (*LISTS, "slips", "check-in", "badges", "registration", "deck-check", "round-pack")
FIRST = ("Ann", "Björn", "Chiara", "Dmitri", "Ewa", "Fumiko", "Gideon", "Henrietta", "Ismael", "Jun")
LAST = ("Abe", "Bernadotte", "Castillo", "Dvořák", "Eriksen", "Fontaine", "Grünwald", "Hasegawa", "Ivanova")
CARDS = [f"{one}’s {two} Technique {at}" for one in FIRST for two in LAST for at in range(4)]
CHROMIUM = os.environ.get("RINGSIDE_CHROMIUM") or shutil.which("chromium")


def make(players: int) -> Event:
    """Return an event in its third round, with two rounds played."""
    settings = {"game": "ufs", "format": "constructed", "rules_version": "1.9", "round_minutes": 50}
    event = events.create_event(
        SYSTEM_ACTOR, name=f"Benchmark {players}", starts_at=NOW, match_form="best_of_3_50min", **settings
    )
    Player.objects.bulk_create(
        (
            Player(
                event=event,
                number=n,
                name=f"{FIRST[n % 10]} {LAST[n % 9]} {n}",
                lot=n * 7919 % 2**31,
                registered_at=NOW,
            )
            for n in range(1, players + 1)
        ),
        batch_size=1000,
    )
    hand_in(event)
    events.start_event(event, SYSTEM_ACTOR)
    for number in range(3):
        shown_round = rounds.publish_round(rounds.pair_next_round(event, SYSTEM_ACTOR), SYSTEM_ACTOR)
        if number < 2:
            shown_round.matches.filter(outcome="").update(outcome="p1", p1_games=2, p2_games=0, result_at=NOW)
            Round.objects.filter(pk=shown_round.pk).update(state=Round.State.FINISHED)
    return event


def hand_in(event: Event) -> None:
    """Give everyone a list as it is stored after checking.

    It has its source, lines and verdict.
    """
    players = list(event.players.order_by("pk"))
    lists = DeckList.objects.bulk_create(
        [DeckList(game=event.game, format_key=event.format, created_at=NOW) for _ in players], batch_size=500
    )
    versions = DeckVersion.objects.bulk_create(
        (version(deck_list, place) for place, deck_list in enumerate(lists)), batch_size=500
    )
    for player, deck_list, new_version in zip(players, lists, versions, strict=True):
        player.deck_list, deck_list.current = deck_list, new_version
    DeckList.objects.bulk_update(lists, ["current"], batch_size=500)
    Player.objects.bulk_update(players, ["deck_list"], batch_size=500)


def version(deck_list: DeckList, place: int) -> DeckVersion:
    """Sixty cards and a sideboard of eight; no two players have the same."""
    names = Random(place).sample(CARDS, 24)
    zones = ["main"] * 20 + ["sideboard"] * 4
    cards = [
        {"card": None, "name": name, "qty": 3, "zone": zone} for name, zone in zip(names, zones, strict=True)
    ]
    text = "\n".join(f"{card['qty']} {card['name']}" for card in cards)
    lines = [{"number": at, "text": f"3 {card['name']}", "card": None} for at, card in enumerate(cards, 1)]
    return DeckVersion(
        deck_list=deck_list,
        number=1,
        source_text=text,
        source_format="text",
        lines=lines,
        entries=cards,
        verdict={"outcome": "unknown", "findings": []},
        outcome="unknown",
        rules_version="1.9",
        judged_under={},
        submitted_at=NOW,
        submitted_by="benchmark",
        short_hash=f"{place:010d}",
    )


def plain_rows(event: Event, kind: str) -> tuple[list[str], list[list[str]]]:
    """Return the headings and rows of a list, as a plain table has them."""
    shown_round = find_round(event, None, None)
    pairs = list(
        Match.objects.filter(round=shown_round).order_by("table").values_list("table", "p1__name", "p2__name")
    )
    if kind == "pairings-by-table":
        return ["Table", "Player", "Points", "Player", "Points", ""], [
            [str(table), one, "6", two or "", "6", ""] for table, one, two in pairs
        ]
    if kind == "pairings-by-name":
        both = [(one, table, two) for table, one, two in pairs] + [
            (two, table, one) for table, one, two in pairs
        ]
        return ["Player", "Table", "Opponent"], [[str(cell) for cell in row] for row in sorted(both, key=str)]
    lines = standings(event)
    heads = ["Place", "Player", "Points", "W-L-D", *(t.key for t in lines[0].tiebreakers)]
    return heads, [
        [str(line.rank), line.player.name, str(line.row.points), line.record, *line.cells] for line in lines
    ]


def plain_html(event: Event, kind: str) -> str:
    """Return the same list as one table with ordinary styles."""
    heads, rows = plain_rows(event, kind)
    head = "".join(f"<th>{escape(cell)}" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}" for cell in row) for row in rows)
    style = (
        "table{width:100%;border-collapse:collapse;font:10pt sans-serif}tr:nth-child(even){background:#eee}"
    )
    table = f"<table><thead><tr>{head}<tbody>{body}</table>"
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{table}"


def ours(event: Event, kind: str) -> int:
    """Print by Ringside; bytes of the PDF."""
    shown_round = find_round(event, None, None)
    request = PrintRequest(event, shown_round, "A4", NOW, base="https://ringside.example")
    return len(render_sheet_pdf(SHEETS[kind], request))


def plain(event: Event, kind: str) -> int:
    """Print the plain table by the same renderer."""
    from weasyprint import HTML

    return len(HTML(string=plain_html(event, kind)).write_pdf())


def chromium(event: Event, kind: str) -> int:
    """Print the plain table by Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        page, pdf = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(plain_html(event, kind))
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        subprocess.run(
            [str(CHROMIUM), *flags, f"--print-to-pdf={pdf}", page.as_uri()], check=True, capture_output=True
        )
        return pdf.stat().st_size


PRINTERS = {"ringside": ours, "plain table": plain, "chromium": chromium}


def _load() -> None:
    """Load all that a worker has loaded after its first print.

    This is renderer, templates, addresses and messages.
    """
    import weasyprint  # noqa: F401 - to have it loaded is the point
    from django.template import engines
    from django.urls import reverse

    from rules.rendering import get_messages

    engines.all()
    reverse("home")
    get_messages()


def speed() -> float:
    """Processor milliseconds for a million additions."""
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return 1000 * (time.process_time() - began)


def one(printer: str, event_id: int, kind: str) -> None:
    """Print once in this process and output the cost as JSON."""
    event = Event.objects.get(pk=event_id)
    _load()
    # What was loaded is not searched for garbage in the middle of the print.
    gc.collect()
    who = resource.RUSAGE_CHILDREN if printer == "chromium" else resource.RUSAGE_SELF
    before, began = resource.getrusage(who), time.perf_counter()
    size = PRINTERS[printer](event, kind)
    after = resource.getrusage(who)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps([seconds, time.perf_counter() - began, after.ru_maxrss / 1024, size / 1024]))


def run(printer: str, event: Event, kind: str) -> str:
    """Return one print in a process of its own, as a line of the table."""
    command = [sys.executable, __file__, "--one", printer, str(event.pk), kind]
    last_line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    seconds, wall, memory, size = json.loads(last_line)
    return f"{printer:<12} {kind:<20} {seconds:7.2f} s {wall:7.2f} s {memory:7.0f} MB {size:7.0f} kB"


def main(counts: list[int], sheets: list[str]) -> None:
    """Print the table of these sheets for so many players each."""
    call_command("migrate", verbosity=0)
    print(f"a million additions: {min(speed() for _ in range(5)):.0f} ms")
    print(f"{'printer':<12} {'sheet':<20} {'processor':>9} {'clock':>9} {'memory':>10} {'file':>10}")
    for players in counts:
        event: Any = make(players)
        print(f"-- {players} players")
        for kind in sheets:
            for printer in PRINTERS:
                if (kind not in LISTS and printer != "ringside") or (printer == "chromium" and not CHROMIUM):
                    continue
                print(run(printer, event, kind), flush=True)


def asked_for(words: list[str]) -> argparse.Namespace:
    """Return what the command line asks for.

    Exits with 2 for options that cannot be measured.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.printing", description=__doc__.splitlines()[0]
    )
    parser.add_argument("players", nargs="*", type=int, help="how many, one event each (32 200 2000)")
    parser.add_argument(
        "--sheets",
        nargs="+",
        choices=KINDS,
        default=list(KINDS),
        metavar="SHEET",
        help="keys of printouts (default: all)",
    )
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if any(count < 2 for count in arguments.players):
        parser.error("a round takes two players at least")
    return arguments


if __name__ == "__main__":
    options = asked_for(sys.argv[1:])
    if options.one:
        one(options.one[0], int(options.one[1]), options.one[2])
    else:
        main(options.players or [32, 200, 2000], options.sheets)
