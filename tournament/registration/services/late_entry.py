"""Late entry while Swiss rounds run: what was missed, and whom the player meets at once.

That a missed round is a loss or a bye as the organizer says, and that who comes late meets the player with
the bye, is ours: the documents are silent.
"""

from __future__ import annotations

from typing import Any

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.selectors.stages import table_rounds, tables_of
from tournament.log.step import Recorder
from tournament.matches.carried_losses import enter_carried
from tournament.pairing.services import halls, rounds
from tournament.registration.services import waiting_list as waiting

LOSS, BYE = "loss", "bye"
CHOICES = ((LOSS, "A loss for each round he missed"), (BYE, "A bye for each round he missed"))
MISSED_LOSS = "Came after this round had begun: a loss, as the organizer said."
MISSED_BYE = "Came after this round had begun: a bye, as the organizer said."


def refuse_full(event: Event) -> None:
    """Raise Refused where all places are taken: while rounds run nobody waits for one."""
    if waiting.free_places(event) == 0:
        raise Refused(
            "event_full",
            f"All {event.capacity} places are taken.",
            fix="Allow more players in the settings first.",
        )


def let_in(recorder: Recorder, player: Player, missed: str) -> None:
    """Give the player his missed rounds, and a table where one can be had. Raises Refused without any."""
    if missed not in (LOSS, BYE):
        raise Refused("missed_wrong", "A missed round is a loss or a bye.", field="missed")
    out = list(table_rounds(recorder.event).exclude(state=Round.State.DRAFT).order_by("number"))
    alone = _match_with_bye(out[-1]) if out else None
    _refuse_without_rounds(recorder.event, len(out), has_table=alone is not None)
    gone = out[:-1] if alone else out
    for each in gone:
        rounds.place(recorder, each, [_missed(recorder, player, missed)])
    recorder.update(player, entered_round=out[-1].number if alone else len(out) + 1)
    if gone:
        recorder.say("rounds_missed", f"{player.name} has a {missed} for {_rounds(gone)}.")
    if alone is not None:
        _seat(recorder, alone, player)


def _rounds(gone: list[Round]) -> str:
    numbers = [str(each.number) for each in gone]
    return f"round {numbers[0]}" if len(numbers) == 1 else f"rounds {numbers[0]} to {numbers[-1]}"


def _refuse_without_rounds(event: Event, out: int, *, has_table: bool) -> None:
    stage = tables_of(event)
    planned = stage.planned_rounds if stage else None
    if planned is not None and out >= planned and not has_table:
        raise Refused(
            "no_round_left",
            f"All {planned} rounds are paired, and nobody has a bye that could still become a match.",
            fix="Plan another round in the settings first.",
        )


def _match_with_bye(running: Round) -> Match | None:
    """The bye of a round that is still being played, whose player is there: none given before the event."""
    if running.state != Round.State.PUBLISHED:
        return None
    byes = running.matches.filter(p2__isnull=True, outcome=Match.Outcome.BYE, p1__dropped_after__isnull=True)
    byes = byes.exclude(why__in=(rounds.GIVEN_BYE, MISSED_BYE))
    return byes.select_related("round", "p1").order_by("pk").first()


def _missed(recorder: Recorder, player: Player, missed: str) -> dict[str, Any]:
    if missed == BYE:
        return rounds.bye(recorder, player.pk, MISSED_BYE)
    return {
        "p1_id": player.pk,
        "outcome": Match.Outcome.LOSS_NO_OPPONENT.value,
        "why": MISSED_LOSS,
        "result_at": recorder.now,
        "result_by": "Ringside",
    }


def _seat(recorder: Recorder, match: Match, player: Player) -> None:
    table = halls.free_table(recorder, match.round)
    recorder.update(
        match,
        p2=player,
        table=table,
        outcome=Match.Outcome.PLAYING,
        p1_games=0,
        result_by="",
        result_at=None,
        revision=match.revision + 1,
        why=f"{player.name} came late, and {match.p1.name} had the bye of this round.",
    )
    recorder.create(Seat(round=match.round, match=match, player=player))
    recorder.say(
        "bye_became_match",
        f"{match.p1.name}, who had the bye of round {match.round.number}, plays {player.name} "
        f"at table {table}.",
    )
    if enter_carried(recorder, match.round):
        rounds.settle(recorder, match.round)
