"""Registration fields of a game, besides name and email address."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.tables import get_words, pick_fields

MAX_WHOLE = 999_999_999

KINDS = ("text", "long_text", "choice", "yes_no", "whole")
ASKERS = ("both", "player", "staff")
# Readers of an answer: everyone, all staff of the event, or staff who may change players.
READERS = ("players", "see", "public")

Value = str | bool | int | None


@dataclass(frozen=True, slots=True)
class RegistrationField:
    """One field of a registration form.

    `asked` says on whose form it is. `may_read` is "public" or the right that reading needs. A choice is
    stored as its words. `required` holds where players register themselves.
    """

    key: str
    label: str
    kind: str = "text"
    help: str = ""
    max_length: int = 80
    choices: tuple[str, ...] = ()
    asked: str = "both"
    may_read: str = "players"
    required: bool = False

    @classmethod
    def from_mapping(cls, table: Mapping[str, object]) -> RegistrationField:
        """Return a field from its table in `game.toml`.

        A part that is not there has its default.
        """
        make: Callable[..., RegistrationField] = cls
        texts = {"key": "", "label": "", **pick_fields(cls, table)}
        return make(**{**texts, "choices": get_words(table, "choices")})

    @property
    def empty(self) -> Value:
        """The value of a player who answered nothing."""
        return {"yes_no": False, "whole": None}.get(self.kind, "")

    def is_asked_of(self, asker: str) -> bool:
        """Return whether the form of a player or of staff has the field."""
        return self.asked in (asker, "both")

    def misfit(self, value: object) -> str:
        """Return the code of what is wrong with a value that is not empty.

        Empty if nothing is wrong.
        """
        if self.kind == "yes_no":
            return "" if isinstance(value, bool) else "value_wrong_kind"
        if self.kind == "whole":
            if type(value) is not int:
                return "value_wrong_kind"
            return "" if 0 <= value <= MAX_WHOLE else "number_out_of_range"
        return self._text_misfit(value) if isinstance(value, str) else "value_wrong_kind"

    def _text_misfit(self, text: str) -> str:
        if self.kind == "choice":
            return "" if text in self.choices else "choice_unknown"
        allowed_spaces = "\n\t" if self.kind == "long_text" else ""
        if any(unicodedata.category(char) in ("Cc", "Cs") and char not in allowed_spaces for char in text):
            return "text_unreadable"
        return "value_too_long" if len(text) > self.max_length else ""

    def read(self, values: Mapping[str, object]) -> Value:
        """Return the value among stored ones.

        Empty if there is none, or none that the field could have.
        """
        value = values.get(self.key, self.empty)
        if not isinstance(value, str | bool | int) or self.misfit(value):
            return self.empty
        return value
