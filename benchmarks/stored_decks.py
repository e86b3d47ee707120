"""Events with very many stored lists, for benchmarks.

Of the lists, 200 are submitted, and the rest are copies of their rows. The copies are made by the database
itself, row by row as they were submitted: they are as large as real lists.
"""

from __future__ import annotations

import json
import random
from datetime import datetime
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

from decks.catalogue.services import catalogue as services
from decks.submissions.models import DeckList, DeckVersion
from tournament.access.permissions import SYSTEM_ACTOR, Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.setup.services import events

CARDS = 400
PATTERN = 200
FACTS = {"type": "foundation", "dots": 0, "split": []}


def import_cards() -> list[str]:
    """Import a catalogue of 400 foundations and a character.

    Returns the names of the foundations.
    """
    names = [f"{chr(65 + number % 26)}{chr(65 + number // 26)} Stance" for number in range(CARDS)]
    cards: dict[str, Any] = {
        f"BM{number // 100}-{number % 100 + 1:03d}": {
            **FACTS,
            "name": name,
            "set": f"BM{number // 100}",
            "number": number % 100 + 1,
        }
        for number, name in enumerate(names)
    }
    cards["BM9-001"] = {"name": "Hero", "type": "character", "dots": 2, "set": "BM9", "number": 1}
    services.import_catalogue(json.dumps({"game": "ufs", "cards": cards}))
    return names


def pattern_event(names: list[str], starts_at: datetime) -> Event:
    """Return an event with 200 lists, not all of them legal.

    85 in a hundred are legal, 10 have a rule broken, and 5 have a line not understood.
    """
    luck = random.Random(4)
    event = events.create_event(
        SYSTEM_ACTOR,
        name="Benchmark",
        starts_at=starts_at,
        game="ufs",
        format="constructed",
        rules_version="1.9",
        match_form="best_of_3_50min",
        round_minutes=50,
    )
    Player.objects.bulk_create(
        Player(
            event=event,
            number=number,
            name=f"Player {number}",
            lot=number,
            registered_at=starts_at,
            deck_list=decklists.create_deck_list(event),
        )
        for number in range(1, PATTERN + 1)
    )
    for player in event.players.select_related("event", "deck_list"):
        decklists.submit_list(player, Actor.of_player(player), _deck(luck, names))
    return event


def _deck(luck: random.Random, names: list[str]) -> str:
    kind = luck.random()
    lines = [f"4 {name}" for name in luck.sample(names, 15)]
    if kind < 0.10:
        lines[0] = lines[0].replace("4", "5", 1)
    elif kind < 0.15:
        lines[0] = "4 Nobody Knows This One"
    return "\n".join(["1 Hero ●●", *lines])


def copy_events(event: Event, copies: int) -> None:
    """Copy the event with its players and lists so many times, by the database alone."""
    with transaction.atomic():
        for number in range(1, copies + 1):
            _copy(Event, number, 1, f"pk = {event.pk}", slug=f"slug || '-{number}'")
            _copy(
                DeckList, number, PATTERN, f"pk <= {PATTERN}", current_id=f"current_id + {number * PATTERN}"
            )
            _copy(
                DeckVersion,
                number,
                PATTERN,
                f"pk <= {PATTERN}",
                deck_list_id=f"deck_list_id + {number * PATTERN}",
            )
            _copy(
                Player,
                number,
                PATTERN,
                f"pk <= {PATTERN}",
                event_id=f"event_id + {number}",
                deck_list_id=f"deck_list_id + {number * PATTERN}",
                token=f"token || '-{number}'",
            )
    models = [Event, DeckList, DeckVersion, Player]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
        cursor.execute("ANALYZE")


def _copy(model: type[models.Model], number: int, rows: int, where: str, **changed_columns: str) -> None:
    columns = [field.column for field in model._meta.concrete_fields]
    values = {column: f'"{column}"' for column in columns}
    values["id"] = f"id + {number * rows}"
    values.update(changed_columns)
    table = model._meta.db_table
    column_names = ", ".join(f'"{column}"' for column in columns)
    picked_values = ", ".join(values[column] for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({column_names}) "
            f"SELECT {picked_values} FROM {table} WHERE {where.replace('pk', 'id')}"
        )
