"""An event in which one player has an unusual name.

The name is in every place that a name gets to.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.models import Model
from pypdf import PdfReader

from decks.jobs.models import Job
from decks.submissions.models import DeckVersion, Rechecked
from rules.reason import plain_reason, reasons_to_json
from tests.scenarios.factories import open_matches
from tests.tournament.access.marked_event import MarkedEvent
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.judging.services import calls, penalties
from tournament.leagues import services as leagues
from tournament.log.services import undo_step
from tournament.pairing.services import player_facts
from tournament.registration import services as registration
from tournament.results.services import results

NAME = "Zebedee Quillon"
EMAIL = "zebedee.quillon@example.org"
TRACES = ("quillon", "zebedee")


class PlantedEvent(MarkedEvent):
    """The marked event; its player Anna is called by the planted name after round 1."""

    def __init__(self) -> None:
        super().__init__()
        zebedee = Player.objects.get(name=NAME)
        self.number, self.pk = zebedee.number, zebedee.pk
        self._name_in_jobs()

    def _build(self) -> Event:
        super()._build()
        anna = self.player("Anna")
        registration.change_details(anna, self.olga, name=NAME, email=EMAIL, character="Ken")
        self.number, self.pk = anna.number, anna.pk
        player_facts.change_player_facts(self.zebedee, self.olga, club="Quillon Family")
        self._name_in_texts()
        self._report_and_undo()
        self._name_in_league()
        return self.event

    @property
    def zebedee(self) -> Player:
        """The player, as they are now."""
        return Player.objects.select_related("event", "deck_list").get(pk=self.pk)

    def player(self, name: str) -> Player:
        """Return the player of that name; Anna is another name of the planted player."""
        return self.zebedee if name == "Anna" and hasattr(self, "pk") else super().player(name)

    def _name_in_texts(self) -> None:
        zebedee, bert = self.zebedee, self.player("Bert")
        actor = Actor.of_player(zebedee)
        text = f"# Deck of {NAME}\n4 Kubi Ori\n{NAME}\n56 Ken"
        decklists.submit_list(
            zebedee,
            self.olga,
            text,
            original=f"# {NAME}\n{text}",
            by_staff=True,
            reason=f"{NAME} wrote on paper",
        )
        version = DeckVersion.objects.get(deck_list=zebedee.deck_list, number=2)
        Rechecked.objects.create(
            version=version, causes=reasons_to_json([plain_reason("An edition")]),
            day=self.event.starts_local.date(), outcome=version.outcome,
            verdict=version.verdict, judged_under=version.judged_under, brings_news=False,
            checked_at=version.submitted_at,
        )  # fmt: skip
        decklists.overrule_verdict(zebedee, self.olga, "legal", number=2, reason=f"{NAME} was misread")
        decklists.record_answer(zebedee, actor, number=2, agrees=False, words=f"I, {NAME}, wrote another")
        note = f"{NAME.lower()} looked on"
        penalties.give_penalty(bert, self.olga, infraction="outside", degree="warning", note=note)
        call = calls.call_judge(self.player("Egon"), Actor.of_player(self.player("Egon")), words=f"{NAME}!")
        calls.resolve_call(call, self.olga, ruling=f"{NAME} plays on", reason="Clause")
        player_facts.forbid_pair(self.event, self.olga, self.number, 2, reason=f"{NAME} is kin")
        self.event.refresh_from_db()
        self.event.log.create(
            at=self.event.starts_at, actor=NAME, action="player_changed",
            params={"told": f"{NAME} changed something long ago."},
        )  # fmt: skip
        # As rows were written before they kept no name of a player.
        self._last_round().matches.update(result_by=f"{NAME} and Bert")

    def _report_and_undo(self) -> None:
        match = next(m for m in open_matches(self._last_round()) if self.pk in (m.p1_id, m.p2_id))
        for player in (match.p1, match.p2):
            results.report_result(match, player, p1_games=2, p2_games=0)
        undo_entry = undo_step(
            self.event.log.filter(action="player_changed", head=None).exclude(changes=[])[0], self.olga
        )
        undo_step(undo_entry, self.olga)

    def _last_round(self) -> Round:
        return self.event.stages.last().rounds.last()

    def _name_in_jobs(self) -> None:
        payload = {"event": self.event.pk, "table": f"number,name\n1,{NAME}\n"}
        Job.objects.create(kind="import_players", payload=payload, state=Job.State.DONE)
        Job.objects.create(kind="mail_private_link", payload={"player": self.pk})
        Job.objects.create(kind="mail_requested_link", payload={"event": self.event.pk, "email": EMAIL})
        job = self._printed_sheet("standings")
        self.file = Path(settings.JOB_FILES_DIR) / job.result_file
        self.file.write_text(NAME)

    def _name_in_league(self) -> None:
        gina = self.hidden_event.players.get(name="Gina")
        leagues.mark_same_person(self.league, self.olga, self.pk, gina.pk)


def find_traces(models: Iterable[type[Model]] | None = None) -> list[str]:
    """Return the table, column and value of each trace of the name in the database.

    All models are searched, or those that are given.
    """
    traces = []
    for model in apps.get_models() if models is None else models:
        if not model._meta.managed or model._meta.proxy:
            continue
        for row in model._default_manager.order_by().values():
            traces += [
                f"{model._meta.label}.{column} of {row.get('id')}: {str(value)[:200]}"
                for column, value in row.items()
                if any(trace in str(value).casefold() for trace in TRACES)
            ]
    return traces


def printed_text(document: bytes) -> str:
    """Return the words on all pages of a PDF."""
    return " ".join(page.extract_text() for page in PdfReader(BytesIO(document)).pages)
