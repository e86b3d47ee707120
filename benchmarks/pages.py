"""The size and the time to first paint of each page of a large event.

The pages are those that the public and players see.

    python -m benchmarks.pages [--players 200] [--rounds 4] [--widths 390 1280]

Makes an event of its own in a fresh database, serves it as `bin/start` does, in a process of its own, and
opens each page in headless Chromium with an empty cache. Prints of each page what goes over the wire (page,
styles, scripts, pictures, compressed), when the first visitor after a change sees the first words, on the
first of the widths, and when the next five do on each of them, a phone's and a laptop's (the medians). For
comparison, a bare page of one paragraph is measured in turn with them: it shows the cost of the machine and
the browser alone. Exits with 1 if a page exceeds 60 KB or 200 ms.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MOST_BYTES = 60 * 1024
MOST_MILLISECONDS = 200.0
TIMES = 5
HEIGHT = 844
CLONE = Path(__file__).resolve().parents[1]
BARE = '<!doctype html><html lang="en"><title>Bare</title><p>One paragraph.</p></html>'
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PAINT = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const bytes = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
        .reduce((sum, each) => sum + each.encodedBodySize, 0);
    return [paint ? paint.startTime : null, bytes];
}"""


CHARACTERS = ("Ken", "Ryu", "Chun-Li", "Sagat", "Guile", "Vega", "Blanka", "Dhalsim")


def make_events(players: int, rounds: int) -> tuple[str, str, str]:
    """Make an event with a round just published, and a finished event.

    The first event is before its bracket.

    Returns the address of the first, a token of its player, and the address of the second.
    """
    from django.contrib.auth.models import User

    from tournament.access.permissions import Actor
    from tournament.setup.services import events

    actor = Actor.of_user(User.objects.create_user("bench@example.org", "bench@example.org", None))
    cut = {"cut": "diversity", "cut_size": 8}
    running_event = begin_event(actor, players, name="Running", swiss_rounds=rounds + 2, **cut)
    finished_event = begin_event(actor, players, name="Finished", swiss_rounds=rounds)
    for event in (running_event, finished_event):
        for _ in range(rounds):
            play(event, actor, to_enter=players)
    play(running_event, actor, to_enter=players // 4)
    events.finish_event(finished_event, actor)
    return running_event.slug, running_event.players.get(number=7).token, finished_event.slug


def begin_event(actor: Any, players: int, **more: Any) -> Any:
    """Return an event that has just started."""
    from tournament.registration import services as registration
    from tournament.setup.services import events

    event = events.create_event(
        actor,
        starts_at=datetime(2026, 5, 2, 9, 0, tzinfo=UTC),
        time_zone="Europe/Berlin",
        game="ufs",
        format="constructed",
        rules_version="1.9",
        match_form="best_of_3_50min",
        round_minutes=50,
        **more,
    )
    for n in range(players):
        character = CHARACTERS[n * n % len(CHARACTERS)]
        registration.add_player(event, actor, name=f"Player Number {n:03}", character=character)
    events.start_event(event, actor)
    return event


def play(event: Any, actor: Any, *, to_enter: int) -> None:
    """Publish the next round and enter results of so many tables."""
    from tournament.events.models.round import Match
    from tournament.pairing.services import rounds
    from tournament.results.services import results

    published_round = rounds.publish_round(rounds.pair_next_round(event, actor), actor)
    tables = Match.objects.filter(round=published_round, outcome="").select_related("round__stage__event")
    for match in tables[:to_enter]:
        games = (2, match.pk % 2) if match.pk % 3 else (match.pk % 2, 2)
        results.enter_result(match, actor, p1_games=games[0], p2_games=games[1])


def addresses(slug: str, token: str, finished_event: str, match: int) -> list[str]:
    """Return every public and player's page that can be opened."""
    parts = ("", "players/", "players/7/", "pairings/", "pairings/?by=name", "pairings/2/", "standings/",
             "standings/2/", "cut/", "bracket/", "characters/", f"matches/{match}/")  # fmt: skip
    final_pages = ("", "ranking/", "report/", "standings/")
    return [
        "/",
        "/leagues/",
        *(f"/e/{slug}/{part}" for part in parts),
        *(f"/e/{finished_event}/{part}" for part in final_pages),
        *(f"/p/{token}/{part}" for part in ("", "list/", "report/")),
    ]


@dataclass(frozen=True)
class PageFigures:
    """The figures of one page.

    These are the bytes it takes, the milliseconds to its first words by width, and those to a bare page's
    first words.
    """

    size: int
    first: float
    next: list[float]
    bare: float

    @property
    def is_over(self) -> bool:
        """Whether it exceeds the limits of the project."""
        return self.size > MOST_BYTES or max(self.next) > MOST_MILLISECONDS

    def __str__(self) -> str:
        times = "".join(f"{each:8.0f} ms" for each in (self.first, *self.next, self.bare))
        return f"{self.size / 1024:7.1f} KB{times}{'   over' if self.is_over else ''}"


@dataclass(frozen=True)
class Visitors:
    """A browser with an empty cache for every visit, with windows of these widths."""

    browser: Any
    widths: list[int]

    def visit(self, url: str, width: int) -> tuple[float, int]:
        """Measure the first paint in milliseconds, and the bytes of the page.

        The bytes include all that the page needs.
        """
        context = self.browser.new_context(viewport={"width": width, "height": HEIGHT})
        page = context.new_page()
        answer = page.goto(url, wait_until="load")
        if answer is None or answer.status != 200:
            raise SystemExit(f"{url} answered {answer and answer.status}.")
        paint, size = page.evaluate(PAINT)
        while paint is None:
            page.wait_for_timeout(20)
            paint, size = page.evaluate(PAINT)
        context.close()
        return paint, size

    def measure(self, url: str, bare: str) -> PageFigures:
        """Return the first visit and the medians of later visits.

        The medians are of the next visits and of as many to the bare page, made in turn.
        """
        first, size = self.visit(url, self.widths[0])
        paints: list[list[float]] = []
        bares = []
        for _ in range(TIMES):
            paints.append([self.visit(url, width)[0] for width in self.widths])
            bares.append(self.visit(bare, self.widths[0])[0])
        by_width = [statistics.median(each) for each in zip(*paints, strict=True)]
        return PageFigures(size, first, by_width, statistics.median(bares))


class Silent(SimpleHTTPRequestHandler):
    """Serves files without log output."""

    def log_message(self, *_: Any) -> None:
        """Print no log line."""


@contextmanager
def bare_page(folder: Path) -> Iterator[str]:
    """Yield the address of a page of one paragraph.

    A small server reads the page from a file.
    """
    (folder / "index.html").write_text(BARE)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextmanager
def serve_pages() -> Iterator[str]:
    """Yield the address of our server in a process of its own."""
    from config.serving.sockets import listen

    with listen("127.0.0.1", 0) as listener:
        command = [sys.executable, "-m", "config.serving.server", "--fd", str(listener.fileno())]
        process = subprocess.Popen(command, cwd=CLONE, pass_fds=(listener.fileno(),))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.wait(20)


def main() -> int:
    """Measure every page; 1 if one is over what the project promises."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=200, help="number of players")
    parser.add_argument("--rounds", type=int, default=4, help="number of rounds")
    parser.add_argument("--widths", type=int, nargs="+", default=[390, 1280], help="of the windows")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(RINGSIDE_DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        manage = [sys.executable, str(CLONE / "manage.py")]
        subprocess.run([*manage, "migrate", "-v0"], check=True)
        subprocess.run([*manage, "gather_static"], check=True, stdout=subprocess.DEVNULL)
        return run(arguments.players, arguments.rounds, arguments.widths, Path(folder))


def run(players: int, rounds: int, widths: list[int], folder: Path) -> int:
    """Make the events, serve them and print the table."""
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from tournament.events.models.round import Match

    slug, token, finished_event = make_events(players, rounds)
    match = Match.objects.filter(round__stage__event__slug=slug).values_list("pk", flat=True)[0]
    over = 0
    print(f"{players} players; limits {MOST_BYTES // 1024} KB, {MOST_MILLISECONDS:.0f} ms")
    print(f"load of the machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    heads = ("first visit", *(f"{width} px" for width in widths), "bare page")
    print(f"{'':<40}{'size':>10}{''.join(f'{head:>11}' for head in heads)}")
    bare_folder = folder / "bare"
    bare_folder.mkdir()
    with sync_playwright() as playwright, bare_page(bare_folder) as bare, serve_pages() as url:
        browser_path = next(filter(None, map(shutil.which, CHROMIUM)))
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        visitors = Visitors(browser, widths)
        # The first page of the browser and of the server is not typical for users.
        visitors.visit(bare, widths[0])
        visitors.visit(f"{url}/keyboard/", widths[0])
        for path in addresses(slug, token, finished_event, match):
            measurement = visitors.measure(url + path, bare)
            over += measurement.is_over
            print(f"{path.replace(token, 'TOKEN'):<40}{measurement}", flush=True)
        browser.close()
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
