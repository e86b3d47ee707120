"""Enter results: the line of a slip, and the buttons of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.entry_line.responses import WayOut, answer_entry, is_entry_request
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_game, get_games_to_win, get_stage_sides
from tournament.matches import EnteredResult, build_result, format_result
from tournament.results.change_lines import find_change_address
from tournament.results.forms import ParsedSlip, flatten_entry, parse_slip
from tournament.results.services import results
from tournament.results.services.writing import RepairStrategy
from tournament.results.views import places
from tournament.results.views.rounds import render_tables
from tournament.web.console_page import console_page, redirect_back
from tournament.web.refusals import show_refusal

QUESTION_CODES = frozenset({"way_needed", "reason_needed", "another_result_stands", "too_early_for_no_show"})

MAX_DIGITS = 10


def get_match(event: Event, match_id: int) -> Match:
    """Return a match of the event in a published round.

    Without such a match, the page that says so is shown.
    """
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return get_object_or_404(matches, pk=match_id, round__stage__event=event)


def _get_round(event: Event, stage: int, number: int) -> Round:
    rounds = Round.objects.select_related("stage__event").filter(stage__event=event)
    return get_object_or_404(rounds, stage__position=stage, number=number)


@console_page(Right.SCORE)
@require_POST
def quick_result(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """Enter one line of a slip.

    A conflict is asked about in its row or, without a script, on a page.
    """
    round_ = _get_round(event, stage, number)
    if not get_stage_sides(round_.stage).is_duel:
        return _quick_places(request, event, round_)
    if is_entry_request(request):
        return answer_entry(
            request,
            event,
            lambda: _enter_slip(request, event, round_),
            lambda refusal: _find_ways(request, event, round_, refusal),
            lambda: _find_table(request, event, round_),
        )
    try:
        if address := find_change_address(request.POST.get("line", ""), round_):
            return redirect(address)
        match, slip = _read_slip(request, event, round_)
    except Refused as refusal:
        show_refusal(request, refusal)
        return _after_result(request, event, stage, number)
    return _enter_result(request, event, match, slip.entry, drop=slip.drop, overwrite=False)


def _quick_places(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    """Enter one line of a table with more than two sides."""
    if not is_entry_request(request):
        return places.enter_slip_page(request, event, round_)
    return answer_entry(
        request,
        event,
        lambda: places.enter_line(request, event, round_),
        lambda refusal: places.find_ways(request, event, round_, refusal),
        lambda: places.find_table(request),
    )


def _read_slip(request: HttpRequest, event: Event, round_: Round) -> tuple[Match, ParsedSlip]:
    """Return a typed line and the match that it names.

    Raises Refused if it is neither.
    """
    slip = parse_slip(
        _read_line(request)[0],
        get_game(event),
        games_to_win=get_games_to_win(event),
        board_count=event.board_count,
    )
    match = round_.matches.filter(table=slip.table).first()
    if match is None:
        raise Refused("no_such_table.in_round", table=slip.table, round=round_.number)
    return get_match(event, match.pk), slip


def _find_table(request: HttpRequest, event: Event, round_: Round) -> int | None:
    """Return the table whose row asks about a refused line.

    It is None if the line names no table of this round.
    """
    try:
        return _read_slip(request, event, round_)[0].table
    except Refused:
        return None


def _read_line(request: HttpRequest) -> tuple[str, bool]:
    """Return the typed line without a final “!”, and whether it had one.

    With “!”, the line replaces the result.
    """
    line = request.POST.get("line", "").replace("\0", "").strip()
    return line.removesuffix("!"), line.endswith("!")


def _enter_slip(request: HttpRequest, event: Event, round_: Round) -> str:
    """Enter a typed line with the answers given so far; returns what was entered."""
    if find_change_address(request.POST.get("line", ""), round_) is not None:
        permissions.require_right(request.user, event, Right.PAIR)
        raise Refused("change_asked")
    match, slip = _read_slip(request, event, round_)
    if slip.drop:
        permissions.require_right(request.user, event, Right.PLAYERS)
    replaced_revision = _parse_number(request.POST.get("replace", ""))
    if replaced_revision is None and _read_line(request)[1]:
        replaced_revision = match.revision
    entered_match = results.enter_result(
        match,
        Actor.of_user(request.user),
        **slip.entry,
        drop=slip.drop,
        seen_revision=replaced_revision,
        overwrite=replaced_revision is not None,
        reason=request.POST.get("reason", "").replace("\0", "")[:400],
        way=request.POST.get("way", ""),
    )
    return " ".join(_result_sentences(event, entered_match))


def _find_ways(request: HttpRequest, event: Event, round_: Round, refusal: Refused) -> Iterator[WayOut]:
    """Yield how a refused line can be answered.

    Replace the result, say why, or choose what follows from it.
    """
    codes = {problem.code for problem in refusal.problems}
    if "change_asked" in codes:
        address = find_change_address(request.POST.get("line", ""), round_) or ""
        yield WayOut(gettext("Preview change"), href=address)
    if not codes & {*QUESTION_CODES, "result_changed_meanwhile"}:
        return
    match, slip = _read_slip(request, event, round_)
    if codes & {"reason_needed", "too_early_for_no_show"}:
        yield WayOut(gettext("Enter with this reason"), asks="reason")
    elif "way_needed" in codes:
        yield from _repair_ways(match, slip)
    else:
        scores = {"old": format_result(match), "new": build_result(event, **slip.entry).score}
        label = gettext("Replace %(old)s with %(new)s") % scores
        yield WayOut(label, values={"replace": str(match.revision)})


def _repair_ways(match: Match, slip: ParsedSlip) -> Iterator[WayOut]:
    if match.round.stage.is_elimination:
        yield WayOut(gettext("Enter and remove these results"), values={"way": RepairStrategy.FALL})
    else:
        yield WayOut(gettext("Enter and keep pairings"), values={"way": RepairStrategy.LEAVE})
    entry = {**slip.entry, "drop": slip.drop}
    yield WayOut(gettext("View all choices"), href=build_question_address("console_correction", match, entry))


@console_page(Right.SCORE)
@require_POST
def match_result(request: HttpRequest, event: Event, match_id: int) -> HttpResponse:
    """Show the buttons of one table.

    The page's revision prevents it from overwriting someone else's entry.
    """
    match = get_match(event, match_id)
    seen_revision = _parse_number(request.POST.get("revision", ""))
    score = request.POST.get("score", "").replace("\0", "")
    round_place = (event, match.round.stage.position, match.round.number)
    try:
        if match.is_pod:
            places.press_button(request, match, score)
            return _after_result(request, *round_place)
        if score != "clear":
            line, count = f"{match.table or 0} {score}", event.board_count
            entry = parse_slip(line, get_game(event), board_count=count).entry
            reason = request.POST.get("reason", "").replace("\0", "")[:400]
            return _enter_result(request, event, match, entry, seen_revision=seen_revision, reason=reason)
        results.clear_result(match, Actor.of_user(request.user), seen_revision=seen_revision)
    except Refused as refusal:
        show_refusal(request, refusal)
    return _after_result(request, *round_place)


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < MAX_DIGITS else None


def _enter_result(
    request: HttpRequest,
    event: Event,
    match: Match,
    entry: EnteredResult,
    *,
    drop: Iterable[str] = (),
    seen_revision: int | None = None,
    overwrite: bool = True,
    reason: str = "",
) -> HttpResponse:
    if drop:
        permissions.require_right(request.user, event, Right.PLAYERS)
    try:
        entered_match = results.enter_result(
            match,
            Actor.of_user(request.user),
            **entry,
            drop=drop,
            seen_revision=seen_revision,
            overwrite=overwrite,
            reason=reason,
        )
        entered_sentence, *further = _result_sentences(event, entered_match)
        messages.success(request, entered_sentence)
        for sentence in further:
            messages.info(request, sentence)
    except Refused as refusal:
        if refusal.code in QUESTION_CODES:
            return _redirect_to_question(request, match, {**entry, "drop": drop}, refusal)
        show_refusal(request, refusal)
    return _after_result(request, event, match.round.stage.position, match.round.number)


def _result_sentences(event: Event, match: Match) -> Iterator[str]:
    """Yield what was entered.

    Also say that an earlier round was meant, where that is easily missed.
    """
    result_values = {"table": match.table, "result": format_duel(match, format_result(match))}
    if match.table:
        yield gettext("Table %(table)s: %(result)s.") % result_values
    else:
        yield gettext("The match: %(result)s.") % result_values
    if (other := _other_round(event, match)) is not None:
        numbers = {"round": match.round.number, "other": other.number}
        if other.stage.is_elimination:
            yield gettext("This is round %(round)s. The bracket is in progress.") % numbers
        else:
            yield gettext("This is round %(round)s. Round %(other)s is in progress.") % numbers


def format_duel(match: Match, result: str) -> str:
    """Return a result between the names of its players: “Ada 2-1 Bob”."""
    return gettext("%(p1)s %(result)s %(p2)s") % {"p1": match.p1, "result": result, "p2": match.p2}


def _other_round(event: Event, match: Match) -> Round | None:
    """Return the running round if the result belongs to an earlier one; else None."""
    latest_round = events_selectors.get_latest_round(event)
    if latest_round is None or latest_round.pk == match.round_id or match.round.stage.is_elimination:
        return None
    return latest_round if latest_round.state == Round.State.PUBLISHED else None


def _redirect_to_question(
    request: HttpRequest, match: Match, entry: Mapping[str, object], refusal: Refused
) -> HttpResponse:
    """Redirect to the page that asks how to continue, with the typed values."""
    name = "console_correction" if refusal.code == "way_needed" else "console_match"
    if refusal.code != "way_needed":
        show_refusal(request, refusal)
    address = build_question_address(name, match, entry)
    if not getattr(request, "htmx", False):
        return redirect(address)
    return HttpResponse(status=204, headers={"HX-Redirect": address})


def build_question_address(name: str, match: Match, entry: Mapping[str, object]) -> str:
    values = flatten_entry(entry).items()
    typed_values = {
        key: value for key, value in values if value is not False and value not in ("", None, (), [])
    }
    query = urlencode({**typed_values, "revision": match.revision}, doseq=True)
    return f"{reverse(name, args=[match.round.stage.event.slug, match.pk])}?{query}"


def _after_result(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    if not getattr(request, "htmx", False):
        return redirect_back(request, "console_round", event.slug, stage, number)
    event.refresh_from_db()
    round_ = Round.objects.filter(stage__event=event, stage__position=stage, number=number).first()
    if round_ is None:
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("console_event", args=[event.slug])})
    return render_tables(request, event, round_)
