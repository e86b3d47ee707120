"""A player whose name is a word, or part of another name.

The player is removed without damage to other texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import models

from rules.reason import TOLD
from rules.rendering import get_messages
from tests.everyday import each_nth
from tests.tournament.access.marked_event import MarkedEvent
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging.services import penalties
from tournament.log.changes import iter_row_changes
from tournament.log.models import EVENT_TABLES, LogEntry, get_table_model
from tournament.privacy import services
from tournament.privacy.personal_texts import PersonalTexts, map_texts
from tournament.registration import services as registration

pytestmark = pytest.mark.both_databases

# Codes, words of closed sets and words of our own messages.
NAMES = ("Draw", "Time", "warning", "match_loss", "Ken", "bye", "fixed table 3 fan", "the player")


@pytest.fixture
def marked_event(db: None) -> MarkedEvent:
    return MarkedEvent()


def rename(marked_event: MarkedEvent, name: str, new: str) -> Player:
    player = marked_event.player(name)
    registration.change_details(player, marked_event.olga, name=new, email="", character=player.character)
    return marked_event.player(new)


def iter_cells() -> Iterator[tuple[tuple[str, int, str], Any]]:
    """Yield every value that an event keeps, and of the log who, what and why."""
    for table in EVENT_TABLES:
        model = get_table_model(table)
        for row in models.QuerySet(model).values():
            yield from (((table, row["id"], name), value) for name, value in row.items())
    for row in LogEntry.objects.values("id", "actor", "action", "variant", "params", "reason", "about"):
        yield from ((("logentry", row["id"], name), value) for name, value in row.items())
    for entry in LogEntry.objects.all():
        for place, change in enumerate(iter_row_changes(entry.changes)):
            for side, values in (("before", change.before), ("after", change.after)):
                if change.table != "player":
                    yield ("changes", entry.pk, f"{place} {side}"), values


@pytest.mark.parametrize("name", each_nth(3, NAMES))
def test_player_called_like_a_word_takes_only_their_own_row_along(
    marked_event: MarkedEvent, name: str
) -> None:
    player = rename(marked_event, "Egon", name)
    before = dict(iter_cells())
    services.remove_personal_data(player, marked_event.olga)
    after = dict(iter_cells())
    changed_keys = {key for key, value in before.items() if after[key] != value}
    assert {key[:2] for key in changed_keys if key[0] != "event"} == {("player", player.pk)}
    assert {key[2] for key in changed_keys if key[0] == "event"} <= {"version"}
    player.refresh_from_db()
    assert player.name == f"Player {player.number}"


def test_old_sentence_of_ours_keeps_a_word_unless_it_is_about_the_player(marked_event: MarkedEvent) -> None:
    player = rename(marked_event, "Egon", "Time")
    log = {
        "Time is called in round 1.": " r1 ",
        "Time reported table 3, Time against Fred, as 1-1.": f" p{player.pk} r1 ",
        "Time was here before lines said whom they are about.": "",
    }
    entries = [
        marked_event.event.log.create(
            at=marked_event.event.starts_at,
            actor="Olga",
            action="old",
            params={"told": sentence},
            about=about,
        )
        for sentence, about in log.items()
    ]
    services.remove_personal_data(player, marked_event.olga)
    for entry in entries:
        entry.refresh_from_db()
    new = f"Player {player.number}"
    assert [entry.params["told"] for entry in entries] == [
        "Time is called in round 1.",
        f"{new} reported table 3, {new} against Fred, as 1-1.",
        f"{new} was here before lines said whom they are about.",
    ]


def test_player_called_like_the_first_name_of_another_leaves_the_other_alone(
    marked_event: MarkedEvent,
) -> None:
    ann, holt = rename(marked_event, "Egon", "Ann"), rename(marked_event, "Bert", "Ann Holt")
    note = penalties.give_penalty(
        holt, marked_event.olga, infraction="slow", degree="warning", note="Ann Holt plays slowly"
    )
    both = penalties.give_penalty(
        holt, marked_event.olga, infraction="slow", degree="warning", note="ANN  HOLT asks, Ann answers"
    )
    marked_event.event.stages.first().rounds.first().matches.update(result_by="Ann Holt and Ann")
    services.remove_personal_data(ann, marked_event.olga)
    for row in (note, both, holt):
        row.refresh_from_db()
    match = marked_event.event.stages.first().rounds.first().matches.first()
    assert (holt.name, note.note, both.note, match.result_by) == (
        "Ann Holt",
        "Ann Holt plays slowly",
        "",
        f"Ann Holt and Player {ann.number}",
    )


def test_staff_called_like_a_player_and_more_stays_in_the_log(marked_event: MarkedEvent) -> None:
    user = marked_event.olga.user
    user.first_name, user.last_name = "Ann", "Berg"
    user.save()
    ann = rename(marked_event, "Egon", "Ann")
    entry = marked_event.event.log.create(
        at=marked_event.event.starts_at,
        actor="Ann Berg",
        action="old",
        params={"told": "Ann Berg paired round 1."},
    )
    services.remove_personal_data(ann, marked_event.olga)
    entry.refresh_from_db()
    assert (entry.actor, entry.params["told"]) == ("Ann Berg", "Ann Berg paired round 1.")


def test_texts_under_keys_of_codes_stay() -> None:
    texts = PersonalTexts({"Ada Holt": "Player 1"})
    value = [{"code": "Ada Holt", "params": {"told": "ada\n holt’s Ada-Holt", "names": ["Ada Holt"]}}]
    assert map_texts(value, texts.without, {"told", "names"}.__contains__) == [
        {"code": "Ada Holt", "params": {"told": "Player 1’s Ada-Holt", "names": ["Player 1"]}}
    ]


def test_name_is_found_in_whole_words_and_longest_first() -> None:
    texts = PersonalTexts(
        {"Kim": "Player 1", "Kim Lee": "Player 2"}, others=["Kim Leeds", "Lee Kim", "Kimmy"]
    )
    assert texts.without("Kim, kim lee, Kim Leeds, Lee Kim, Kimmy, KIM") == (
        "Player 1, Player 2, Kim Leeds, Lee Kim, Kimmy, Player 1"
    )


# Parameters of log lines that are numbers, references, codes, words of closed sets or names of no person.
OTHER_PARAMS = {
    "actor", "added", "after", "agrees", "before", "both_lose", "broken", "broken_count", "broken_more",
    "by_hand", "bye_count", "byes", "card", "causes", "changed", "changes", "clause", "count", "degree",
    "earliest", "ending", "event", "first", "fixed", "fixed_count", "fixed_more", "game", "has_cut",
    "hash", "infraction", "is_exchange", "judge", "kind", "last", "later", "latest", "league", "line",
    "lists", "loser", "match", "merged_number", "minutes", "missed", "more", "new_player", "new_table",
    "number", "one", "one_event", "opponent", "other", "outcome", "p1", "p2", "paper", "past_rounds",
    "person", "places", "player", "players", "pod", "pods", "points", "prizes", "refused", "result",
    "results", "role",
    "round", "rounds", "rules", "score", "scorekeeper", "seat", "seat_count", "seats", "seed", "seeded",
    "settings", "settled", "sites", "source", "stage", "step", "steps", "system", "table", "tables",
    "tiebreakers", "to", "topic", "two", "two_event", "unpaired", "uses", "verdict", "views", "waits", "why",
    "winner",
}  # fmt: skip


def test_every_parameter_of_the_log_is_cleaned_or_says_nothing_of_players() -> None:
    used_names = {name for message in get_messages().sections["log"].values() for name in message.parameters}
    assert used_names == OTHER_PARAMS | services.TEXT_KEYS["logentry", "params"] - {TOLD}


def test_removed_player_is_named_in_the_language_of_the_event(marked_event: MarkedEvent) -> None:
    player = rename(marked_event, "Egon", "Egon Holt")
    Event.objects.filter(pk=player.event_id).update(language="de")
    services.remove_personal_data(Player.objects.get(pk=player.pk), marked_event.olga)
    player.refresh_from_db()
    assert player.name == f"Spieler {player.number}"
