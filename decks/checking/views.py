"""Pages: check a list, download it as a file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from decks.checking.deck_files import FILE_TYPES
from decks.checking.forms import CheckForm
from decks.checking.links import read_list_of_link, write_link
from decks.checking.offers import offer_cards
from decks.checking.plans import SHOW_PLAN
from decks.checking.result import DayComparison, day_verdict
from decks.editions.selectors.editions import load_format
from decks.importers.decoding import decode
from decks.shared.refusals import Refused
from rules import UnknownFormat


@require_http_methods(["GET", "HEAD", "POST"])
def deck_check(request: HttpRequest) -> HttpResponse:
    """Check a list without saving it. Returns only the verdict for HTMX."""
    is_sent = request.method == "POST"
    form = _read_form(request)
    context: dict[str, object] = {"form": form}
    if form.is_bound and form.is_valid():
        context |= _check_days(form)
    if is_sent and request.headers.get("HX-Request") == "true":
        if request.POST.get("plan") == SHOW_PLAN:
            terms = {"answers_form": "check-form", "answers_url": request.path, "is_partial": True}
            return render(request, "decks/checking/_plan.html", {**context, **terms})
        return render(request, "decks/checking/_check_result.html", {**context, "is_partial": True})
    return render(request, "decks/checking/check.html", context)


def _read_form(request: HttpRequest) -> CheckForm:
    """Return the form of a request.

    It is as sent, as a link to a list fills it, or has what the address names.
    """
    if request.method == "POST":
        return CheckForm(request.POST, request.FILES)
    linked_list = read_list_of_link(request.GET.get("list", ""))
    if linked_list:
        return CheckForm({"format": request.GET.get("format", ""), "text": linked_list})
    return CheckForm(initial=request.GET.dict())


def _check_days(form: CheckForm) -> dict[str, object]:
    """Return the verdict on the first day, or a comparison if a second day is given."""
    source = form.source()
    if not source.strip():
        return {}
    day, beside = form.cleaned_data["on"] or timezone.localdate(), form.cleaned_data["beside"]
    source = form.apply_pressed(source, day)
    checked_list = form.check(source, day, with_plan=form.data.get("plan") == SHOW_PLAN)
    text = decode(source).text
    take_away = {
        "file_types": FILE_TYPES.values(),
        "source_text": text,
        "link": write_link(form.cleaned_data["format"], text),
        "plan_values": form.plan_values(checked_list.planned_list) if checked_list.planned_list else None,
    }
    if beside is None:
        return {"checked_list": checked_list, "day": day_verdict(checked_list, day), **take_away}
    both = DayComparison.of(day_verdict(checked_list, day), day_verdict(form.check(source, beside), beside))
    return {"checked_list": checked_list, "two_days": both, **take_away}


@require_safe
def card_offers(request: HttpRequest) -> JsonResponse:
    """Return the cards offered while a line is typed, for the format that is chosen."""
    game, _, rest = request.GET.get("format", "").partition("/")
    key, _, version = rest.partition("/")
    try:
        loaded_format = load_format(game, key, rules_version=version or None, on=timezone.localdate())
    except UnknownFormat as error:
        raise Http404(gettext("There is no such format.")) from error
    offered_cards = offer_cards(loaded_format, request.GET.get("q", ""))
    return JsonResponse({"cards": [each.to_json() for each in offered_cards]})


@require_http_methods(["POST"])
def deck_export(request: HttpRequest) -> HttpResponse:
    """Export the checked list in another file type.

    Refused if the type cannot hold all of it.
    """
    form = CheckForm(request.POST, request.FILES)
    kind = FILE_TYPES.get(request.POST.get("kind", ""))
    if kind is None:
        raise Http404(gettext("There is no such type of file."))
    if form.is_valid():
        try:
            content = form.write_file(kind.key)
        except Refused as refusal:
            form.add_error(None, refusal.message)
        else:
            return _download(content, f"list.{kind.suffix}")
    return render(request, "decks/checking/check.html", {"form": form}, status=422)


def _download(content: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
