"""An event with a mark in everything that some role must not read, and the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings

import rules
from decks.jobs.models import Job
from tests import machine
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import SETTINGS, make_event, make_user, open_matches, organizer, win
from tournament.access.models import Invitation
from tournament.access.permissions import Actor, Right
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.services import calls, deck_checks, penalties
from tournament.leagues import services as leagues
from tournament.leagues.models import League
from tournament.log.models import LogEntry
from tournament.pairing.services import player_facts, rounds
from tournament.printing.registry import list_sheets
from tournament.registration import services as registration
from tournament.registration.services import contact
from tournament.setup.services import events
from tournament.staff import services as staff

HIDDEN = "Markhidden Masters"
NAMES = ("Anna", "Bert", "Cleo", "Dora", "Egon", "Fred")


@dataclass(frozen=True, slots=True)
class EventMark:
    """A mark in the event.

    It holds its text in an answer, and the right that allows reading it. `right` is None if no one may. `own`
    of what Anna, whose private link is walked, may read there.
    """

    name: str
    pattern: re.Pattern[str]
    right: Right | None
    own: bool = False


def _text_mark(name: str, right: Right | None, *, own: bool = False) -> EventMark:
    return EventMark(name, re.compile(re.escape(f"mark-{name}".replace(" ", "-"))), right, own)


class MarkedEvent:
    """An event with marks, whose round 2 is being played.

    Round 1 was decided by penalties, and a league has a hidden event as well.
    """

    def __init__(self) -> None:
        self.event: Event = memory.build_once(type(self).__name__, self._build)
        self.jobs = [self._printed_sheet(key) for key in ("deck-check", "penalties", "standings")]

    @cached_property
    def olga(self) -> Actor:
        """The owner of both events and of the league."""
        return organizer()

    @cached_property
    def hidden_event(self) -> Event:
        """The event of the league that no one else may know of."""
        return Event.objects.get(name=HIDDEN)

    @cached_property
    def league(self) -> League:
        """The league of both events."""
        return League.objects.get()

    @cached_property
    def invitations(self) -> dict[str, Invitation]:
        """The invitations to the event by their role."""
        return {invitation.kind: invitation for invitation in self.event.invitations.all()}

    def _build(self) -> Event:
        """Write all but the sheets, whose files are no rows."""
        self.event = make_event(**{**SETTINGS, "cut": "top", "cut_size": 4})
        for name in NAMES:
            self._add_player(name)
        player_facts.forbid_pair(self.event, self.olga, 1, 4, reason="mark-pair-reason")
        self._submit_lists()
        events.start_event(self.event, self.olga)
        self._play_first_round()
        rounds.publish_round(rounds.pair_next_round(self.event, self.olga), self.olga)
        self._judge()
        self._add_staff_and_league()
        return self.event

    def player(self, name: str) -> Player:
        """Return the player of that name, as they are now."""
        return Player.objects.select_related("event", "deck_list").get(event=self.event, name=name)

    def _add_player(self, name: str) -> None:
        email = f"mark-email-{name.lower()}@example.org"
        details = {"organizer_note": f"mark-organizer-note-{name.lower()}"}
        registration.add_player(
            self.event, self.olga, name=name, email=email, character="Ken", details=details
        )

    def _submit_lists(self) -> None:
        for name in ("Anna", "Bert"):
            player = self.player(name)
            text = f"4 mark-list-{name.lower()}\n56 Ken"
            decklists.submit_list(player, Actor.of_player(player), text)

    def _play_first_round(self) -> None:
        draft = rounds.pair_next_round(self.event, self.olga)
        self._seat(draft, (("Anna", "Bert"), ("Cleo", "Dora"), ("Egon", "Fred")))
        round_ = rounds.publish_round(draft, self.olga)
        judge = Actor.of_user(make_user("mark-email-staff@example.org"))
        self._give(judge, "Anna", "warning")
        self._give(judge, "Bert", "match_loss")
        self._give(judge, "Dora", "disqualification")
        for match in open_matches(round_):
            win(match)
        registration.drop(self.player("Fred"), self.olga, reason="mark-drop-reason")

    def _seat(self, draft: Round, tables: tuple[tuple[str, str], ...]) -> None:
        """Put the players at the tables of a draft."""
        draft.matches.all().delete()
        players = {name: self.player(name) for pair in tables for name in pair}
        for table, (one, two) in enumerate(tables, start=1):
            match = Match.objects.create(round=draft, table=table, p1=players[one], p2=players[two])
            for name in (one, two):
                draft.seats.create(match=match, player=players[name])

    def _give(self, judge: Actor, name: str, degree: str) -> None:
        note = f"mark-penalty-{name.lower()}"
        penalties.give_penalty(self.player(name), judge, infraction="other", degree=degree, note=note)

    def _judge(self) -> None:
        bert, anna = self.player("Bert"), self.player("Anna")
        check = deck_checks.start_check(bert, self.olga)
        deck_checks.end_check(check, self.olga, outcome="problem", note="mark-deck-check")
        cleo = self.player("Cleo")
        call = calls.call_judge(cleo, Actor.of_player(cleo), topic="slow_play")
        calls.resolve_call(call, self.olga, ruling="mark-ruling-of-a-call", reason="Clause")
        calls.call_judge(bert, Actor.of_player(bert), words="mark-call-bert")
        calls.call_judge(anna, Actor.of_player(anna), words="mark-call-anna")
        match = bert.seats.select_related("match__round__stage__event").latest("pk").match
        calls.record_table_ruling(
            match, self.olga, ruling="mark-ruling", question="A question", reason="Clause"
        )

    def _add_staff_and_league(self) -> None:
        for kind in ("judge", "organizer"):
            staff.create_invitation(self.event, self.olga, kind=kind, uses=9, note=f"for a {kind}")
        hidden_settings = {**SETTINGS, "name": HIDDEN, "open_registration": False}
        hidden_event = events.create_event(self.olga, **hidden_settings)
        registration.add_player(hidden_event, self.olga, name="Gina", email="mark-email-gina@example.org")
        leagues.create_league(self.olga.user, name="Season", notes="", points={}, best_of=None)
        for event in (self.event, hidden_event):
            leagues.add_event(self.league, self.olga.user, event)

    def _printed_sheet(self, key: str) -> Job:
        """Return a sheet that a worker has made; what is in its PDF is said by its mark."""
        payload = {
            "event": self.event.pk, "sheet": key, "stage": 1, "round": 2, "paper": "A4", "player": None,
            "blank": False, "base": "",
        }  # fmt: skip
        job = Job.objects.create(kind="print_sheet", payload=payload, state=Job.State.DONE)
        words = {"deck-check": "mark-list-bert", "penalties": "mark-penalty-bert"}.get(key, "")
        job.result_file = f"{job.pk}/sheet.pdf"
        path = Path(settings.JOB_FILES_DIR) / job.result_file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
        job.save()
        return job

    def marks(self) -> list[EventMark]:
        """Return everything that is looked for in each answer."""
        anna, bert = (re.escape(self.player(name).token) for name in ("Anna", "Bert"))
        endings = r"(Bert|Dora) (lost by|was|is) ?(a penalty|disqualified)|Dora disqualified"
        codes = r'"ending": ?"(penalty|disqualified)"|Match loss by penalty|"Disqualified"|>Disqualified<'
        return [
            EventMark("private link of Anna", re.compile(anna), Right.LINKS, own=True),
            EventMark("private link of Bert", re.compile(bert), Right.LINKS),
            EventMark(
                "a private link", re.compile(rf'/p/(?!{anna})[\w-]{{20}}|"token": ?"(?!{anna})'), Right.LINKS
            ),
            EventMark("invitation", re.compile(re.escape(self.invitations["judge"].token)), Right.STAFF),
            EventMark(
                "invitation of an organizer", re.compile(self.invitations["organizer"].token), Right.OWN
            ),
            EventMark("result by a penalty", re.compile(f"{endings}|{codes}"), Right.SCORE),
            EventMark("word of a disqualification", re.compile("disqualif", re.IGNORECASE), Right.SCORE),
            EventMark("hidden event", re.compile(rf"{HIDDEN}|{self.hidden_event.slug}"), None),
            EventMark(
                "e-mail of a player", re.compile("mark-email-(bert|cleo|dora|egon|fred|gina)"), Right.PLAYERS
            ),
            EventMark("e-mail of Anna", re.compile("mark-email-anna"), Right.PLAYERS, own=True),
            EventMark("e-mail of staff", re.compile("mark-email-staff|olga@example"), Right.SEE),
            *self._text_marks(),
        ]

    def _text_marks(self) -> Iterator[EventMark]:
        for name, right in (
            ("list bert", Right.LISTS), ("penalty bert", Right.JUDGE), ("penalty dora", Right.JUDGE),
            ("deck check", Right.JUDGE), ("ruling", Right.JUDGE), ("call bert", Right.JUDGE),
            ("drop reason", Right.SEE), ("pair reason", Right.SEE), ("organizer note bert", Right.PLAYERS),
        ):  # fmt: skip
            yield _text_mark(name, right)
        for name, right in (
            ("list anna", Right.LISTS),
            ("penalty anna", Right.JUDGE),
            ("call anna", Right.JUDGE),
            ("organizer note anna", Right.PLAYERS),
        ):
            yield _text_mark(name, right, own=True)

    def addresses(self, route: str) -> Iterator[str]:
        """Yield every address of a route by which something marked could be read."""
        names = re.findall(r"<(?:\w+:)?(\w+)>", route)
        choices: list[dict[str, object]] = [{}]
        for name in names:
            choices = [
                {**known_values, name: value}
                for known_values in choices
                for value in self._values(route, name)
            ]
        for known_values in choices:
            yield "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match, c=known_values: str(c[match[1]]), route)

    def _values(self, route: str, name: str) -> list[Any]:
        if name == "token" and not route.startswith(("join", "sign-up", "password")):
            return [self.player("Anna").token]
        if name == "slug":
            return [self.league.slug if "leagues/" in route else self.event.slug]
        if route.startswith("leagues/") and name == "entry":
            return [self.league.entries.first().pk]
        return self._fixed[name]

    @cached_property
    def _fixed(self) -> dict[str, list[Any]]:
        """Values for the other parts of addresses, as long as nothing is written."""
        first = self.event.judge_calls.first()
        match = Match.objects.filter(round__stage__event=self.event, round__number=1).order_by("table")
        return {
            "event": [self.event.slug],
            "stage": [1],
            "version": [1],
            "table": [1],
            "number": [1, 2],
            "match_id": list(match.values_list("pk", flat=True)[:2]),
            "entry": list(self._entries()),
            "step": ["close-registration"],
            "role": [self.event.staff.first().pk],
            "invitation": [self.invitations["organizer"].pk],
            "device": [1],
            "pair": [self.event.forbidden_pairs.first().pk],
            "game": ["ufs"],
            "format_key": ["constructed"],
            "kind": ["text", "json"],
            "sheet": sorted(sheet.key for sheet in list_sheets(rules.get_game(self.event.game))),
            "key": ["ken"],
            "page": ["tutorial/your-first-event"],
            "check": [self.event.deck_checks.get().pk],
            "card": [1],
            "call": [first.pk if first else 1],
            "penalty": [self.event.penalties.first().pk],
            "action": ["check-in"],
            "act": ["start"],
            "change": ["swap"],
            "language": ["en"],
            "views": ["pairings,standings,clock"],
            "view": ["pairings", "standings"],
            "parts": ["round,clock,table,score,standings"],
            "set_code": ["ZZ1"],
            "old": ["1.8"],
            "new": ["1.9"],
            "uidb36": ["MQ"], "pk": [1],
            "job_id": [job.pk for job in self.jobs],
            "token": ["unknown-token-000000"],
            "draft_id": [1], "recheck_id": [1], "place": [1], "line": [1], "word": [1],
            "import_id": [self.jobs[0].pk],
        }  # fmt: skip

    def _entries(self) -> Iterator[int]:
        """Yield every line of the log that undoes nothing.

        An everyday run yields only the newest line of each kind.
        """
        lines = LogEntry.objects.filter(event=self.event, head=None).order_by("pk")
        if machine.whole():
            return iter(lines.values_list("pk", flat=True))
        return iter(dict(lines.values_list("action", "pk")).values())


def renew(player: Player) -> str:
    """Return a new private link, as an organizer makes it."""
    return contact.renew_private_link(player, organizer())


def of(name: str, event: Event) -> Player:
    """Return the player of that name."""
    return Player.objects.select_related("event").get(event=event, name=name)
