"""Filters that turn a state into the CSS classes, or the icon, that show it."""

from __future__ import annotations

from collections.abc import Sized

from django import forms, template

from decks.catalogue.models import CatalogueImport
from rules import games
from rules.finding import Finding
from tournament.engine.outlook.projections import Projection
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.pairing.selectors.pairings import PairingRow, PlayerPairing
from tournament.penalties.models import Penalty, PenaltyLevel
from tournament.standings.selectors.standings import StandingsLine
from tournament.standings.selectors.table import StandingsRow
from tournament.templatetags.ringside import is_long, is_tick

register = template.Library()


def join_classes(**classes: object) -> str:
    """Return the names whose value is true, in the form of a class attribute.

    Underscores become hyphens.
    """
    return " ".join(name.replace("_", "-") for name, is_on in classes.items() if is_on)


@register.filter
def phase_badge(event: Event) -> str:
    """Return the look of an event's phase."""
    if event.is_playing:
        return "badge-live"
    return "badge-plain" if event.phase == Event.Phase.FINISHED else "badge-info"


ROUND_BADGES = {
    Round.State.DRAFT: "badge-unknown",
    Round.State.PUBLISHED: "badge-live",
    Round.State.FINISHED: "badge-plain",
}


@register.filter
def round_badge(shown_round: Round) -> str:
    """Return the look of a round's state."""
    return ROUND_BADGES[Round.State(shown_round.state)]


@register.filter
def penalty_badge(penalty: Penalty) -> str:
    """Return the look of a penalty's level: red from a game loss on."""
    is_mild = penalty.degree in (PenaltyLevel.NOTE, PenaltyLevel.WARNING)
    return "badge-plain" if is_mild else "badge-illegal"


IMPORT_BADGES = {
    CatalogueImport.State.DONE: "badge-legal",
    CatalogueImport.State.OPEN: "badge-live",
    CatalogueImport.State.UNREADABLE: "badge-illegal",
    CatalogueImport.State.THROWN_AWAY: "badge-plain",
    CatalogueImport.State.FORGOTTEN: "badge-plain",
    CatalogueImport.State.UNDONE: "badge-plain",
}


@register.filter
def game_name(key: str) -> str:
    """Return the name of a game; the key where the game is not installed."""
    return next((game.name for game in games() if game.key == key), key)


@register.filter
def import_badge(state: str) -> str:
    """Return the look of the state of an imported catalogue file."""
    return IMPORT_BADGES.get(CatalogueImport.State(state), "badge-info")


FINDING_CLASSES = {"error": "finding", "note": "finding finding-note"}


@register.filter
def finding_class(finding: Finding) -> str:
    """Return the classes of a finding: red, pale, or else yellow."""
    return FINDING_CLASSES.get(finding.severity, "finding finding-warning")


OUTLOOK_CLASSES = {"in": "alert alert-success", "out": "alert"}


@register.filter
def outlook_class(outlook: Projection) -> str:
    """Return the classes of the box that tells a player how the cut looks for them."""
    return OUTLOOK_CLASSES.get(outlook.outlook, "alert alert-info")


MESSAGE_ICONS = {"success": "check", "info": "info", "debug": "info"}


@register.filter
def message_icon(level: str) -> str:
    """Return the icon beside a message of that level."""
    return MESSAGE_ICONS.get(level, "alert")


@register.filter
def field_class(field: forms.BoundField) -> str:
    """Return the classes of a form field.

    They mark a tick box, a field with a problem, and one as wide as the form.
    """
    return join_classes(
        field=True, field_check=is_tick(field), field_problem=field.errors, field_wide=is_long(field)
    )


FEW_ROWS, MANY_ROWS = 12, 72


@register.filter
def screen_density(rows: Sized) -> str:
    """Return how close the rows of the venue screen are: 200 players take four turns."""
    if len(rows) <= FEW_ROWS:
        return "is-few"
    return "is-many" if len(rows) > MANY_ROWS else "is-some"


@register.filter
def standings_row_class(row: StandingsRow, viewer: Player | None) -> str:
    """Return the classes of a standings row.

    They mark the visitor's own row, the last one in the cut, and a player who dropped.
    """
    line = row.line
    return join_classes(is_me=_is_me(line.player.pk, viewer), cut_line=row.is_last_in, is_out=line.is_dropped)


@register.filter
def group_line_class(line: StandingsLine, viewer: Player | None) -> str:
    """Return the classes of a line of a group: the visitor's own, one who dropped."""
    return join_classes(is_me=_is_me(line.player.pk, viewer), is_out=line.player.is_dropped)


@register.filter
def table_class(table: PairingRow, viewer: Player | None) -> str:
    """Return the classes of a table of a round.

    They mark the visitor's own table, and one that is still playing.
    """
    is_mine = any(_is_me(side.id, viewer) for side in (table.red, table.blue) if side)
    return join_classes(is_me=is_mine, is_open=table.is_open)


@register.filter
def seat_class(place: PlayerPairing, viewer: Player | None) -> str:
    """Return the classes of a player's place in a round.

    They mark the visitor's own place, and one that is still playing.
    """
    return join_classes(is_me=_is_me(place.player.id, viewer), is_open=place.table.is_open)


def _is_me(player_id: int, viewer: Player | None) -> bool:
    return viewer is not None and viewer.pk == player_id
