"""Choose what the venue screen shows, and which sites may embed pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from decks.shared.refusals import Refused, refuse_all
from rules.reason import Reason
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.log.step import step
from tournament.screens.models import EmbeddingSite
from tournament.screens.selectors import VIEW_LABELS, known_views


def choose_views(event: Event, actor: Actor, views: Iterable[str]) -> None:
    """Choose what the venue screen shows in turn; nothing for what fits the moment.

    Raises Refused for a view that there is not.
    """
    requested_names = list(views)
    strange = [view for view in requested_names if view not in VIEW_LABELS]
    if strange:
        raise Refused("view_unknown", field="views", view=str(strange[0])[:40], views=tuple(VIEW_LABELS))
    chosen_views = known_views(requested_names)
    with step(event, actor) as recorder:
        if recorder.update(recorder.event, screen=chosen_views):
            recorder.log(
                "screen_changed",
                views=[Reason("screen_view", {"view": view}) for view in chosen_views],
                count=len(chosen_views),
            )


MAX_SITES = 10
MAX_ORIGIN_LENGTH = 200
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*", re.ASCII)


def allow_embedding(event: Event, actor: Actor, sites: Iterable[str]) -> list[str]:
    """Let exactly these sites embed pairings, standings and bracket.

    Returns them as origins. Raises Refused with every line that is not an address of a site.
    """
    given_sites = list(dict.fromkeys(site.strip() for site in sites if site.strip()))
    refuse_all(list(_site_problems(given_sites)))
    origins = sorted({_find_origin(site) for site in given_sites})
    with step(event, actor) as recorder:
        current = {site.origin: site for site in recorder.event.embedding_sites.all()}
        for origin in set(current) - set(origins):
            recorder.delete(current[origin])
        for origin in sorted(set(origins) - set(current)):
            recorder.create(EmbeddingSite(event=recorder.event, origin=origin))
        if recorder.changes:
            recorder.log("embedding_changed", sites=tuple(origins), count=len(origins))
    return origins


def _site_problems(sites: list[str]) -> Iterator[Refused]:
    for site in sites:
        if not _find_origin(site):
            yield Refused("site_wrong", field="sites", site=site[:80])
    if len(sites) > MAX_SITES:
        yield Refused("sites_too_many", field="sites", most=MAX_SITES)


def _find_origin(site: str) -> str:
    """Return the origin of an address, as policies name it; empty for what is none."""
    try:
        parts = urlsplit(site if "://" in site else f"https://{site}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    is_site = parts.scheme in ("https", "http") and HOST.fullmatch(host) and len(site) <= MAX_ORIGIN_LENGTH
    if not is_site or parts.username is not None:
        return ""
    return f"{parts.scheme}://{host}" + (f":{port}" if port else "")
