"""Penalties, and what they do to the match that is being played.

The games' documents say nothing of penalties: the ladder and its effects are ours. A game loss is a game that
the opponent has won; as many as win a match decide it at once. A match loss decides the match in the games
that it takes. A disqualification decides the match too, and the player leaves the event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.decklists.services.exchanges import current_match
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.models import DeckCheck
from tournament.judging.services.places import concern, place_of_match
from tournament.log.step import Recorder, step
from tournament.matches.result import build
from tournament.penalties.models import Degree, Infraction, Penalty
from tournament.penalties.selectors import losers, losses_in
from tournament.registration.services import waiting_list as waiting
from tournament.results.services import drops
from tournament.results.services.writing import follow, fresh, write
from tournament.shared.refusals import Conflict

Phase = Event.Phase
LEFT_BY = "Disqualified"
NEED_A_NOTE = (Degree.GAME_LOSS, Degree.MATCH_LOSS, Degree.DISQUALIFICATION)
COSTLY = (Degree.GAME_LOSS, Degree.MATCH_LOSS)
Ending = Match.Ending


def give_penalty(
    player: Player,
    actor: Actor,
    *,
    infraction: str,
    degree: str,
    note: str = "",
    is_next: bool = False,
    check: DeckCheck | None = None,
    seen: int | None = None,
) -> Penalty:
    """Give a player a penalty, and let it do to his match what it does.

    `is_next` lets a game or match loss count in his next match. `seen` is how many penalties of his the page
    showed: when another was given since, Conflict is raised. Raises Refused with every problem at once.
    """
    given = _Given(infraction, degree, note.strip(), is_next)
    with step(player.event, actor) as recorder:
        held = Player.objects.get(pk=player.pk, event=recorder.event)
        match = current_match(held)
        _refuse_unseen(held, seen)
        refuse_all(list(_problems(match, given)))
        made = _write(recorder, held, match, given, check)
        _take_effect(recorder, made, match)
    return made


@dataclass(frozen=True, slots=True)
class _Given:
    """What the judge decided."""

    infraction: str
    degree: str
    note: str
    is_next: bool


def _write(
    recorder: Recorder, player: Player, match: Match | None, given: _Given, check: DeckCheck | None
) -> Penalty:
    made = recorder.create(
        Penalty(
            event=recorder.event,
            player=player,
            deck_check=check,
            infraction=given.infraction,
            degree=given.degree,
            note=given.note,
            is_next=given.is_next and given.degree in COSTLY,
            given_at=recorder.now,
            given_by=recorder.actor.label[:120],
            **(place_of_match(match) if match else {}),
        )
    )
    words = f"{made.get_degree_display().lower()} for {made.get_infraction_display().lower()}"
    recorder.say("penalty_given", f"{made.given_by} gave {player.name} a {words}.", reason=given.note)
    concern(recorder, match)
    return made


def _refuse_unseen(player: Player, seen: int | None) -> None:
    if seen is None or player.penalties.count() <= seen:
        return
    last = player.penalties.first()
    sentence = f"{last.given_by} gave {player.name} a {last.get_degree_display().lower()} meanwhile."
    raise Conflict(
        "penalty_given_meanwhile", sentence, fix="Look at it, and press again if yours stands too."
    )


def _problems(match: Match | None, given: _Given) -> Iterator[Refused]:
    if given.infraction not in Infraction.values:
        yield Refused("infraction_unknown", "Say what went wrong.", field="infraction")
    if given.degree not in Degree.values:
        yield Refused("degree_unknown", "Choose one of the steps of the ladder.", field="degree")
    if given.degree in NEED_A_NOTE and not given.note:
        sentence = f"A {Degree(given.degree).label.lower()} needs a note: what happened."
        yield Refused("note_missing", sentence, field="note")
    if len(given.note) > 400:
        yield Refused("note_too_long", "A note has at most 400 characters.", field="note")
    if given.degree in COSTLY and not given.is_next and not _is_running(match):
        sentence = (
            f"There is no match being played that a {Degree(given.degree).label.lower()} could count in."
        )
        fix = "Let it count in his next match, or take the result back first."
        yield Refused("no_match_runs", sentence, fix=fix, field="counts")


def _is_running(match: Match | None) -> bool:
    return match is not None and match.p2_id is not None and not match.is_finished


def _take_effect(recorder: Recorder, made: Penalty, match: Match | None) -> None:
    if made.degree == Degree.DISQUALIFICATION:
        if match is not None and _is_running(match):
            _decide(recorder, match, made.player, Ending.DISQUALIFIED)
        _leave(recorder, made.player)
    elif match is not None and made.degree in COSTLY and not made.is_next:
        side = _side(match, made.player)
        lost = losers(match, losses_in(match))
        if side in lost and not (len(lost) == 2 and match.round.stage.is_elimination):
            _decide(recorder, match, made.player, Ending.PENALTY)


def _side(match: Match, player: Player) -> str:
    return "p1" if player.pk == match.p1_id else "p2"


def _decide(recorder: Recorder, match: Match, loser: Player, ending: str) -> None:
    """The opponent wins with the games that a match takes; what was played of it no longer counts.

    Where he has lost it by penalties as well, or is disqualified, nobody wins; in a bracket one goes on.
    """
    side, standing = _side(match, loser), fresh(match)
    lost = losers(standing, losses_in(standing), besides=side)
    both = len(lost) == 2 and not match.round.stage.is_elimination
    result = build(recorder.event, ending=ending, loser="both" if both else side)
    write(recorder, standing, result, recorder.actor)
    winner = standing.p2 if side == "p1" else standing.p1
    sentence = f"Table {standing.table} goes to {winner} by the penalty of {loser.name}, {standing.score}."
    if both:
        sentence = f"Table {standing.table} is lost for both by their penalties."
    recorder.say("result_by_penalty", sentence)
    follow(recorder, standing)


def _leave(recorder: Recorder, player: Player) -> None:
    """Whoever is disqualified is paired no more, and in no cut; before the start he loses his place."""
    if recorder.event.phase in (Phase.SWISS, Phase.CUT):
        drops.leave(recorder, player, reason=LEFT_BY)
    elif recorder.event.phase != Phase.FINISHED and player.status != Player.Status.WITHDRAWN:
        recorder.update(player, status=Player.Status.WITHDRAWN, checked_in_at=None, waiting_since=None)
        recorder.say("player_withdrew", f"{player.name} is not in the event: disqualified.")
        waiting.move_up(recorder)
