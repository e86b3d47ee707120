"""Names of the rounds that have standings, by their kind."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

# As a heading, and inside a sentence.
ROUNDS_LABELS = {
    "swiss": gettext_lazy("Swiss rounds"),
    "robin": gettext_lazy("Round robin"),
    "groups": gettext_lazy("Groups of four"),
    "both": gettext_lazy("Rounds"),
}
ROUNDS_WORDS = {
    "swiss": pgettext_lazy("inside a sentence", "Swiss rounds"),
    "robin": pgettext_lazy("inside a sentence", "round robin"),
    "groups": pgettext_lazy("inside a sentence", "groups of four"),
    "both": pgettext_lazy("inside a sentence", "rounds"),
}
