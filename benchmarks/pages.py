"""How large every public and player's page of a large event is, and how soon it is painted.

    python -m benchmarks.pages [--players 200] [--rounds 4]

Makes an event of its own in a fresh database, serves it as `bin/start` does, and opens each page in headless
Chromium with an empty cache. Prints of each page what goes over the wire (page, styles, scripts, pictures,
compressed) and when the first words are painted, and leaves with 1 where a page is over 60 KB or 200 ms.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MOST_BYTES = 60 * 1024
MOST_MILLISECONDS = 200.0
TIMES = 5
CLONE = Path(__file__).resolve().parents[1]
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PAINT = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const bytes = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
        .reduce((sum, each) => sum + each.encodedBodySize, 0);
    return [paint ? paint.startTime : null, bytes];
}"""


def make_event(players: int, rounds: int) -> tuple[str, str, str]:
    """An event with a bracket, some Swiss rounds played and the next one published.

    Returns its address, a player's token and the address of a finished event.
    """
    from django.contrib.auth.models import User

    from tournament.models import Match
    from tournament.services import events, registration, results
    from tournament.services import rounds as rounds_
    from tournament.services.actor import Actor

    actor = Actor.of_user(User.objects.create_user("bench@example.org", "bench@example.org", None))
    characters = ("Ken", "Ryu", "Chun-Li", "Sagat", "Guile", "Vega", "Blanka", "Dhalsim")

    def play(event: Any, to_enter: int) -> None:
        published = rounds_.publish(rounds_.pair_next_round(event, actor), actor)
        tables = Match.objects.filter(round=published, outcome="").select_related("round__stage__event")
        for match in tables[:to_enter]:
            won = (2, match.pk % 2) if match.pk % 3 else (match.pk % 2, 2)
            results.enter_result(match, actor, p1_games=won[0], p2_games=won[1])

    made = []
    for name, swiss in (("Running", rounds + 2), ("Finished", rounds)):
        event = events.create_event(
            actor,
            name=name,
            starts_at=datetime(2026, 5, 2, 9, 0, tzinfo=UTC),
            time_zone="Europe/Berlin",
            game="ufs",
            format="constructed",
            rules_version="1.9",
            match_form="best_of_3_50min",
            round_minutes=50,
            swiss_rounds=swiss,
            **({"cut": "diversity", "cut_size": 8} if name == "Running" else {}),
        )
        for n in range(players):
            registration.add_player(
                event, actor, name=f"Player Number {n:03}", character=characters[n * n % len(characters)]
            )
        events.start_event(event, actor)
        for _ in range(rounds):
            play(event, players)
        if name == "Running":
            play(event, players // 4)
        else:
            events.finish_event(event, actor)
        made.append(event)
    running, finished = made
    return running.slug, running.players.get(number=7).token, finished.slug


def addresses(slug: str, token: str, finished: str, match: int) -> list[str]:
    """Every public and player's page that can be opened."""
    parts = ("", "players/", "players/7/", "pairings/", "pairings/?by=name", "pairings/2/", "standings/",
             "standings/2/", "cut/", "bracket/", "characters/", f"matches/{match}/")  # fmt: skip
    ended = ("", "ranking/", "report/", "standings/")
    return [
        "/",
        "/leagues/",
        *(f"/e/{slug}/{part}" for part in parts),
        *(f"/e/{finished}/{part}" for part in ended),
        *(f"/p/{token}/{part}" for part in ("", "list/", "report/")),
    ]


def measure(browser: Any, base: str, path: str) -> tuple[float, int]:
    """The median time of the first paint in milliseconds, and the bytes of the page with all it needs."""
    paints, size = [], 0
    for _ in range(TIMES):
        context = browser.new_context(base_url=base, viewport={"width": 390, "height": 844})
        page = context.new_page()
        answer = page.goto(path, wait_until="load")
        assert answer is not None, path
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}.")
        paint, size = page.evaluate(PAINT)
        while paint is None:
            page.wait_for_timeout(20)
            paint, size = page.evaluate(PAINT)
        paints.append(paint)
        context.close()
    return statistics.median(paints), size


def main() -> int:
    """Measure every page; 1 where one is over what the project promises."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(RINGSIDE_DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        manage = [sys.executable, str(CLONE / "manage.py")]
        subprocess.run([*manage, "migrate", "-v0"], check=True)
        subprocess.run([*manage, "gather_static"], check=True, stdout=subprocess.DEVNULL)
        return run(asked.players, asked.rounds)


def run(players: int, rounds: int) -> int:
    """Make the events, serve them and print the table."""
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from tests.fixtures.servers import serve
    from tournament.models import Match

    slug, token, finished = make_event(players, rounds)
    match = Match.objects.filter(round__stage__event__slug=slug).values_list("pk", flat=True)[0]
    live = serve()
    over = 0
    print(f"{players} players; limits {MOST_BYTES // 1024} KB and {MOST_MILLISECONDS:.0f} ms")
    print(f"load of the machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, CHROMIUM)))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for path in addresses(slug, token, finished, match):
            paint, size = measure(browser, live.url, path)
            is_over = size > MOST_BYTES or paint > MOST_MILLISECONDS
            over += is_over
            shown = path.replace(token, "TOKEN")
            print(
                f"{shown:<44}{size / 1024:7.1f} KB {paint:7.0f} ms{'   over' if is_over else ''}", flush=True
            )
        browser.close()
    live.stop()
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
