"""The addresses as the code writes them.

They are filled with what an event and the installation hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from decks.catalogue.models import Card, CardSet, CatalogueImport
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.rechecks.models import Recheck
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.leagues.models import League

# Addresses that are not pages for people: the API has tests of its own, the administration is Django's.
NO_SCREENS = ("admin", "api/")
OF_STAFF = ("console/", "judge/", "print/", "account/", "catalogue/", "lists/", "leagues/")
# Their number is that of a round, and not of a player.
OF_A_ROUND = (
    "console_round",
    "console_restore",
    "pairings_round",
    "standings_round",
    "judge_table",
    "judge_lists",
)
# These look different with another choice in the query.
MORE_QUERIES = {
    "console_round": ("?show=playing",),
    "pairings": ("?by=name",),
    "console_players": ("?show=missing",),
}


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page in one moment of an event.

    It holds its name, who looks at it (public, player or staff) and its address.
    """

    moment: str
    page: str
    who: str
    address: str

    @property
    def name(self) -> str:
        """Return the name that its pictures start with."""
        return f"{self.page}--{self.moment}"


def screens(moments: Mapping[str, Event]) -> list[PageAddress]:
    """Return every address that can be filled.

    It occurs once for each moment of an event, or once without an event. Addresses that only take forms, send
    files or do not exist in that moment are among them; callers skip addresses that are not pages.
    """
    patterns = list(_list_named_routes(get_resolver()))
    screens = []
    for moment, values in [("always", _of_installation()), *((m, _of_event(e)) for m, e in moments.items())]:
        for name, route, pattern in patterns:
            if _is_of_event(route) or moment == "always":
                screens += _fill_route(moment, name, route, pattern, values)
    return screens


def _is_of_event(route: str) -> bool:
    names_one = any(word in route for word in (":slug>", ":token>"))
    return names_one and "join/" not in route and not route.startswith("leagues/")


def _list_named_routes(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, str, URLPattern]]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if route.startswith(NO_SCREENS):
            continue
        if isinstance(pattern, URLResolver):
            yield from _list_named_routes(pattern, route)
        elif pattern.name:
            yield pattern.name, route, pattern


def _fill_route(
    moment: str, name: str, route: str, pattern: URLPattern, values: Mapping[str, Any]
) -> list[PageAddress]:
    converters = pattern.pattern.converters
    merged_values = {**values, **values.get(name, {})}
    if any(merged_values.get(word) is None for word in converters):
        return []
    try:
        address = reverse(name, kwargs={word: merged_values[word] for word in converters})
    except NoReverseMatch:
        return []
    asked_texts = ("", *MORE_QUERIES.get(name, ()))
    return [
        PageAddress(moment, f"{name}-{query.partition('=')[2]}".rstrip("-"), _who(route), f"{address}{query}")
        for query in asked_texts
    ]


def _who(route: str) -> str:
    if route.startswith("p/"):
        return "player"
    return "staff" if route.startswith(OF_STAFF) else "public"


def _of_event(event: Event) -> dict[str, Any]:
    """Return what the addresses of one event are filled with.

    This is the newest round, and a player who is in it.
    """
    last = Round.objects.filter(stage__event=event).select_related("stage").last()
    match = _match(last)
    player = _player(event, match)
    entry = event.log.first()
    invitation = event.invitations.first()
    role = event.staff.order_by("pk").last()
    in_rounds = {"stage": last and last.stage.position, "number": last and last.number}
    return {
        "slug": event.slug,
        "token": player and player.token,
        "number": player and player.number,
        "stage": last and last.stage.position,
        "match_id": match and match.pk,
        "entry": entry and entry.pk,
        "invitation": invitation and invitation.pk,
        "role": role and role.pk,
        "version": 1,
        "check": 1,
        "pair": 1,
        "sheet": "standings",
        "views": "pairings,standings",
        "table": match and match.table,
        **dict.fromkeys(OF_A_ROUND, in_rounds),
        "player_list_version": {"number": 1},
        "player_list_days": {"number": 1},
    }


def _match(last: Round | None) -> Match | None:
    """Return a table of the round, one that still plays if there is one."""
    return last and last.matches.order_by("outcome", "table").filter(p2__isnull=False).first()


def _player(event: Event, match: Match | None) -> Player | None:
    return match.p1 if match else event.players.order_by("-deck_list", "number").first()


def _of_installation() -> dict[str, Any]:
    """Return what the other addresses are filled with."""
    card = Card.objects.filter(game="ufs").first()
    card_set = CardSet.objects.filter(game="ufs").first()
    draft = ListEdition.objects.filter(state=ListEdition.State.DRAFT).first()
    catalogue_import, job = CatalogueImport.objects.first(), Job.objects.filter(kind="print_sheet").first()
    recheck, league = Recheck.objects.first(), League.objects.first()
    return {
        "slug": league and league.slug,
        "game": "ufs",
        "format_key": "constructed",
        "set_code": card_set and card_set.code,
        "old": "1.8",
        "new": "1.9",
        "kind": "bans",
        "number": 1,
        "place": 1,
        "key": card and card.key,
        "page": "tutorial/your-first-event",
        "draft_id": draft and draft.pk,
        "import_id": catalogue_import and catalogue_import.pk,
        "recheck_id": recheck and recheck.pk,
        "job_id": job and job.pk,
    }
