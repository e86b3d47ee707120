"""What somebody asked to be printed: of which event and round, for whom, on which paper, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round

PAPERS = tuple(Event.Paper.values)


@dataclass(frozen=True, slots=True)
class Asked:
    """One wish: `now` is the time of printing, `base` the address that codes lead to, as https://host.

    `player` narrows a form to one person; None is everybody, or an empty form.
    """

    event: Event
    round: Round | None
    paper: str
    now: datetime
    base: str = ""
    player: Player | None = None
    is_blank: bool = False
    for_browser: bool = False

    @property
    def shown(self) -> Round:
        """The round. Raises ValueError where the wish names none and its sheet is about one."""
        if self.round is None:
            raise ValueError("This sheet is about a round.")
        return self.round

    def in_a_browser(self) -> Asked:
        """The same wish for a page that a browser prints."""
        return replace(self, for_browser=True)


Builder = Callable[[Asked], dict[str, Any]]


def paper_of(event: Event) -> str:
    """The paper of an event: its own, else that of the installation."""
    return event.paper or settings.PAPER
