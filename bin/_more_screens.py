"""Screens besides those of the walk.

They are exhibits, addresses outside the table, and answers to forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.urls import reverse

from tests.screens.addresses import PageAddress, screens
from tournament.models import Event, Match

Act = Callable[[Any], None]
SHOWN = {
    "double": (
        "bracket",
        "console_cut",
        "player",
        "console_round",
        "judge_table",
        "report",
        "screen_bracket",
    ),
    "third": ("bracket", "ranking", "console_event", "standings"),
    "large": ("bracket",),
    "wide": ("bracket", "console_round"),
    "consolation": ("bracket", "console_cut", "console_round", "player", "ranking", "report"),
    "fours": (
        "standings",
        "groups",
        "event",
        "console_stages",
        "console_standings",
        "console_round",
        "player",
        "pairings",
    ),
    "groups": ("standings", "groups", "event", "console_stages", "console_standings", "pairings"),
    "highlander": (
        "player",
        "player_list",
        "console_time",
        "console_lists",
        "judge_player",
        "event",
        "print_page",
    ),
    "miniatures": ("console_time", "event", "player_report", "console_print"),
    "crowd": ("pairings", "pairings-name", "standings", "console_round", "console_players", "players"),
}
SCREENS = {
    "playing": ("pairings", "tables", "standings", "clock", "bracket", "hall"),
    "crowd": ("pairings", "standings"),
    "double": ("bracket",),
    "large": ("bracket",),
    "consolation": ("bracket",),
    "fours": ("standings", "pairings"),
    "cut": ("bracket",),
}


@dataclass(frozen=True, slots=True)
class More:
    """A screen, and an action before the picture is taken."""

    screen: PageAddress
    act: Act | None = None


def more_screens(moments: Mapping[str, Event], exhibits: Mapping[str, Event]) -> list[More]:
    """Return all additional screens.

    The caller skips addresses that are not pages at that moment.
    """
    shown_screens = [More(each) for each in screens(exhibits) if each.page in SHOWN.get(each.moment, ())]
    return [*shown_screens, *_hall_screens({**moments, **exhibits}), *_links(moments), *_answers(moments)]


def _hall_screens(events: Mapping[str, Event]) -> Iterator[More]:
    for moment, views in SCREENS.items():
        for view in views:
            address = reverse("screen", args=[events[moment].slug, view])
            yield More(PageAddress(moment, f"screen_{view}", "public", address))


def _links(moments: Mapping[str, Event]) -> Iterator[More]:
    """Yield pages that open from an email: an invitation, a new password."""
    invitation = moments["playing"].invitations.first()
    if invitation is not None:
        for who in ("public", "stranger"):
            address = reverse("join", args=[invitation.token])
            yield More(PageAddress("always", f"join-{who}", who, address))
        yield More(PageAddress("refused", "join", "public", reverse("join", args=["gone"])))
    # Signing in makes older links useless, so this account never does.
    person = User.objects.get_or_create(username="letter@example.org")[0]
    user_key = user_pk_to_url_str(person)
    for moment, token in (("always", default_token_generator.make_token(person)), ("refused", "gone-1")):
        address = reverse("account_reset_password_from_key", args=[user_key, token])
        yield More(PageAddress(moment, "password_set", "public", address))


def _answers(moments: Mapping[str, Event]) -> Iterator[More]:
    """Yield forms with errors, and pages that open after a press."""
    upcoming_event, running_event = moments["registration"], moments["playing"]
    yield from _judges(running_event)
    yield _badly_filled(
        "sign_in", "public", reverse("account_login"), {"login": "x@example.org", "password": "wrong"}
    )
    yield _badly_filled("sign_up", "public", reverse("account_signup"), {"email": "x@example.org"})
    yield _badly_filled(
        "register",
        "public",
        reverse("register", args=[upcoming_event.slug]),
        {"name": "Ada", "email": "ada@"},
    )
    yield _badly_filled(
        "console_settings", "staff", reverse("console_settings", args=[running_event.slug]), {"name": ""}
    )
    yield _badly_filled(
        "console_new_event", "staff", reverse("console_new_event", args=["ufs", "constructed"]), {"name": ""}
    )
    corrected_match = Match.objects.filter(round__stage__event=moments["finished"], round__number=1).first()
    if corrected_match is not None:
        address = reverse("console_match", args=[moments["finished"].slug, corrected_match.pk])
        yield More(PageAddress("corrected", "console_match", "staff", address), _swap_result)


def _judges(event: Event) -> Iterator[More]:
    """Yield a table that a judge opens, and a search without results."""
    round_ = event.stages.get().rounds.last()
    place = [event.slug, round_.stage.position, round_.number, 8]
    yield More(PageAddress("playing", "judge_table", "staff", reverse("judge_table", args=place)))
    address = reverse("judge", args=[event.slug])
    yield _badly_filled("judge_find", "staff", address, {"what": "nobody of that name"})


def _badly_filled(page: str, who: str, address: str, values: Mapping[str, str]) -> More:
    def fill_and_send(tab: Any) -> None:
        form = tab.locator("main form").filter(has=tab.locator(f"[name={next(iter(values))}]")).first
        for name, value in values.items():
            form.locator(f"[name={name}]").first.fill(value)
        form.evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
        tab.wait_for_load_state("load")
        tab.wait_for_timeout(500)

    return More(PageAddress("badly-filled", page, who, address), fill_and_send)


def _swap_result(tab: Any) -> None:
    one, two = tab.locator("[name=p1_games]").first, tab.locator("[name=p2_games]").first
    if not one.count():
        return
    before = one.input_value(), two.input_value()
    one.fill(before[1])
    two.fill(before[0])
    one.evaluate("field => { field.form.noValidate = true; field.form.requestSubmit(); }")
    tab.wait_for_timeout(900)
