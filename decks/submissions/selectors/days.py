"""What a list is worth on a day, and on two days side by side: the lists in force and what they change."""

from __future__ import annotations

from datetime import date

from decks.catalogue.selectors.catalogue import catalogue
from decks.checking.days import DayVerdict, _note
from decks.checking.judge import Judge
from decks.editions.selectors.editions import published
from decks.submissions.models import DeckVersion
from decks.submissions.stored import stored_of, terms_of


def verdict_on(version: DeckVersion, day: date) -> DayVerdict:
    """The verdict on a submitted version as it would have been, or will be, on a day.

    It is judged from the cards that it holds, under the rules and local rules it was handed in under. Raises
    `rules.UnknownFormat` where no rules of the game were in force, and `rules.BadOverlay`.
    """
    game = version.deck_list.game
    judged = Judge(catalogue(game), published(game)).judge(stored_of(version), terms_of(version, day))
    return DayVerdict(day, judged.outcome, judged.verdict, _note(judged.verdict, day))
