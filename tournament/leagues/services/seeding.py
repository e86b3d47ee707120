"""Seeds by last season: the places in a league's table become the seeds of an event's players."""

from __future__ import annotations

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League
from tournament.leagues.selectors import places_by_email
from tournament.log.step import step
from tournament.pairing.services import rounds


def seed_by_season(event: Event, actor: Actor, league: League) -> int:
    """Give every player the seed that is his place in the table of `league`; says how many have one now.

    People are known by their e-mail addresses. Who shares a place shares the seed, and whoever is not in the
    table has none: between equals the lot decides. A draft becomes stale by it. Raises Refused where the
    league has no table yet, or none of the event's players stands in it.
    """
    places = places_by_email(league)
    if not places:
        raise Refused(
            "league_without_table",
            f"In the league {league.name} nobody with an e-mail address has finished an event yet.",
            fix="Choose another league, or give the players their seeds one by one.",
            field="league",
        )
    with step(event, actor) as recorder:
        players = list(event.players.exclude(status=Player.Status.WITHDRAWN).order_by("number"))
        seeds = {player: places.get(player.email.casefold()) for player in players}
        known = sum(seed is not None for seed in seeds.values())
        if not known:
            raise Refused(
                "nobody_in_league",
                f"No player of this event stands in the table of {league.name} with his e-mail address.",
                fix="Choose another league, or add the players' addresses.",
                field="league",
            )
        changed = {player.pk: player for player, seed in seeds.items() if player.seed != seed}
        if changed:
            rows = {pk: {"seed": seeds[player]} for pk, player in changed.items()}
            recorder.update_all(Player, rows, stood=changed)
            rounds.discard_draft(recorder, f"the places in {league.name} became the players' seeds")
            of = f"{known} of {len(players)} players"
            recorder.say(
                "seeded_by_season", f"{actor.label} made the places in {league.name} the seeds of {of}."
            )
    return known
