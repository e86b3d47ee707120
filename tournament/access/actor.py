"""Who does something: a signed-in person, a player by private link, or Ringside itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournament.events.models.player import Player


@dataclass(frozen=True, slots=True)
class Actor:
    """`label` is what the log shows; `user` and `player` are set where there is one."""

    label: str
    user: User | None = None
    player: Player | None = None

    @classmethod
    def of_user(cls, user: User) -> Actor:
        """A signed-in person, by full name or e-mail."""
        return cls(label=user.get_full_name() or user.get_username(), user=user)

    @classmethod
    def of_player(cls, player: Player) -> Actor:
        """A player who came by private link."""
        return cls(label=player.name, player=player)


SYSTEM = Actor(label="Ringside")
