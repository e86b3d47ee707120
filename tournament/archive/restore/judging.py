"""Bring back what judges kept with an archived event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import models

from decks.submissions.models import DeckVersion
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.penalties.models import Penalty

Values = Mapping[str, Any]
Build = Callable[..., Any]


def restore_judging(event: Event, document: Values, players: Mapping[int, Player], build: Build) -> None:
    """Write the draws, checks, penalties, calls and rulings of an archive; one may be without them.

    `build` makes a row of its archived values. Raises KeyError where something is named that is not there.
    """
    rows = _Rows(event, document, players, build)
    draws = rows.made(CheckDraw, "check_draws")
    checks = rows.made(DeckCheck, "deck_checks", draw=draws)
    rows.made(Penalty, "penalties", deck_check=checks)
    calls = rows.made(JudgeCall, "judge_calls")
    rows.made(TableRuling, "table_rulings", call=calls)


class _Rows:
    def __init__(self, event: Event, document: Values, players: Mapping[int, Player], build: Build) -> None:
        self.event = event
        self.document = document
        self.players = players
        self.build = build

    def made(self, model: type[models.Model], name: str, **targets: Sequence[models.Model]) -> list[Any]:
        """The rows of one list; `targets` are the lists that they point into."""
        return [
            self._row(model, values, f"{name}[{index}]", targets)
            for index, values in enumerate(self.document.get(name, []))
        ]

    def _row(
        self,
        model: type[models.Model],
        values: Values,
        at: str,
        targets: Mapping[str, Sequence[models.Model]],
    ) -> Any:
        links: dict[str, Any] = {"event": self.event}
        if values.get("player") is not None:
            links["player"] = self.players[values["player"]]
        if values.get("list_version") is not None:
            links["version"] = self._version(links["player"], values["list_version"], at)
        for name, rows in targets.items():
            if values[name] is not None:
                links[name] = dict(enumerate(rows))[values[name]]
        row = self.build(model, values, at, **links)
        row.save(force_insert=True)
        return row

    @staticmethod
    def _version(player: Player, number: int, at: str) -> DeckVersion:
        found = DeckVersion.objects.filter(deck_list=player.deck_list_id, number=number).first()
        if found is None:
            raise KeyError(f"{at}.list_version")
        return found
