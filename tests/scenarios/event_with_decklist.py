"""An event in a round that is being played, with a list that Alice submitted.

It is for judges and ban list editors.
"""

from __future__ import annotations

from tests.decks.submissions.test_exchanges import REGISTERED
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer, publish_next
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.setup.services import events


@built_once
def event_with_alices_list(players: int) -> Event:
    """Return an event with round 1 published and with Alice's list.

    Alice, number 1, registered fifteen cards four times and eight cards in the sideboard.
    """
    small_catalogue()
    event = make_event()
    alice = add_players(event, players)[0]
    decklists.submit_list(alice, Actor.of_player(alice), REGISTERED)
    events.start_event(event, organizer())
    publish_next(event)
    return event
