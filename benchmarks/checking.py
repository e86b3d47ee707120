"""Measurements with a catalogue of 10,000 printings.

They are of a check while typing, a search and a rebuilt index.

    python -m benchmarks.checking

Runs in a temporary folder on SQLite. Goals: a 60-line list within 50 ms, a search within 33 ms (two frames).
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable

PRINTINGS = 10_000
RUNS = 40
WORDS = [
    "anvil",
    "brass",
    "cinder",
    "dock",
    "ember",
    "falcon",
    "granite",
    "harbour",
    "iron",
    "jade",
    "kettle",
    "lantern",
    "mirror",
    "night",
    "oaken",
    "paper",
    "quartz",
    "river",
    "stone",
    "tiger",
    "umber",
    "velvet",
    "willow",
    "yarrow",
    "zephyr",
    "strike",
    "guard",
    "stance",
    "oath",
    "step",
    "feint",
    "vow",
    "focus",
]


def names(chance: random.Random) -> list[str]:
    """Make names of two to four words; some occur twice, like reprints."""
    return [" ".join(chance.choices(WORDS, k=chance.choice((2, 3, 3, 4)))).title() for _ in range(PRINTINGS)]


def catalogue_file(cards: list[str]) -> str:
    """Return a UFS catalogue of these cards and one character."""
    facts = {
        f"P{n // 150:03d}-{n % 150 + 1:03d}": {"name": name, "type": "foundation", "dots": 0, "split": []}
        | {"set": f"P{n // 150:03d}", "number": n % 150 + 1}
        for n, name in enumerate(cards)
    }
    facts["hero"] = {"name": "Hero", "type": "character", "dots": 2}
    return json.dumps({"game": "ufs", "cards": facts})


def measure(label: str, step: Callable[[int], object], runs: int = RUNS) -> None:
    """Print the median and the slowest of some runs, in milliseconds."""
    durations = []
    for run in range(runs):
        start = time.perf_counter()
        step(run)
        durations.append(1000 * (time.perf_counter() - start))
    print(f"{label:<44} median {statistics.median(durations):8.1f} ms   slowest {max(durations):8.1f} ms")


def publish(count: int) -> None:
    """Make editions of the ban list, each with all entries of the one before."""
    from django.utils import timezone

    from decks.editions import services as editions_services

    today = timezone.localdate()
    for number in range(count):
        draft = editions_services.create_draft("ufs", "bans", actor="benchmark")
        details = {"name": "Banned list", "document": f"News {number}", "clause": "1", "in_force": today}
        editions_services.change_details(draft, revision=draft.revision, **details)
        editions_services.publish_draft(
            draft, revision=draft.revision, actor="benchmark", accept_warnings=True
        )


def typing(text: str) -> Callable[[int], object]:
    """Return the request that a player's page sends while the player types."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.utils import timezone

    from tournament.access.permissions import Actor
    from tournament.registration import services as registration
    from tournament.setup.services import events

    actor = Actor.of_user(User.objects.create_user("olga@example.org"))
    values = {"game": "ufs", "format": "constructed", "rules_version": "1.9", "round_minutes": 50}
    event = events.create_event(
        actor, name="Open", starts_at=timezone.now(), match_form="best_of_3_50min", **values
    )
    address = f"/p/{registration.add_player(event, actor, name='Alice').token}/list/check/"
    client = Client(headers={"HX-Request": "true", "host": "localhost"})
    return lambda _: client.post(address, {"text": text})


def main() -> None:
    """Import, index, check and search, each with its time."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from decks.cards.selectors import search_cards
    from decks.catalogue.selectors import _build, current_stamp, get_catalogue
    from decks.catalogue.services import catalogue as services
    from decks.checking.check import check_text

    chance = random.Random(60)
    cards = names(chance)
    file = catalogue_file(cards)
    measure("import of 10,000 new printings", lambda _: services.import_catalogue(file), 1)
    measure("import of the same file again", lambda _: services.import_catalogue(file), 3)
    measure("index rebuilt after a change", lambda _: _build("ufs", current_stamp("ufs")), 5)
    get_catalogue("ufs")
    clean = "1 Hero ●●\n" + "\n".join(f"1 {name}" for name in chance.sample(sorted(set(cards)), 59))
    typos = "\n".join(f"{line[:5]}{line[6:]}" for line in clean.splitlines())
    measure("check of 60 lines", lambda _: check_text("ufs", "constructed", clean))
    measure("check of 60 lines, each with a slip", lambda _: check_text("ufs", "constructed", typos))
    measure("the same, from request to answer", typing(clean))
    faulty = clean.replace("\n1 ", "\n5 ", 2).removesuffix(clean.splitlines()[-1]) + "Sideboard\n3 Hero ●●"
    check_text("ufs", "constructed", faulty, with_plan=True)
    measure("check of 60 lines with three faults", lambda _: check_text("ufs", "constructed", faulty))
    measure("the same with a plan", lambda _: check_text("ufs", "constructed", faulty, with_plan=True))
    publish(30)
    measure("check of 60 lines, 30 editions published", lambda _: check_text("ufs", "constructed", clean))
    searches = [
        *(name[:6] for name in chance.sample(cards, 20)),
        *(name[1:9] for name in chance.sample(cards, 20)),
    ]
    measure("search as one types", lambda run: search_cards(searches[run % 40], game="ufs"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="config.settings", RINGSIDE_DATA_DIR=folder)
        main()
