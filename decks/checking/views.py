"""Pages: check a list, download it as a file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from decks.checking.deck_files import FILE_TYPES
from decks.checking.forms import CheckForm
from decks.checking.result import DayComparison, day_verdict
from decks.importers.decoding import decode
from decks.shared.refusals import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def deck_check(request: HttpRequest) -> HttpResponse:
    """Check a list without saving it. Returns only the verdict for HTMX."""
    is_sent = request.method == "POST"
    form = CheckForm(request.POST, request.FILES) if is_sent else CheckForm(initial=request.GET.dict())
    context: dict[str, object] = {"form": form}
    if is_sent and form.is_valid():
        context |= _checked(form)
    if is_sent and request.headers.get("HX-Request") == "true":
        return render(request, "decks/checking/_check_result.html", {**context, "is_partial": True})
    return render(request, "decks/checking/check.html", context)


def _checked(form: CheckForm) -> dict[str, object]:
    """The verdict on the first day, or a comparison if a second day is given."""
    source = form.source()
    if not source.strip():
        return {}
    day, beside = form.cleaned_data["on"] or timezone.localdate(), form.cleaned_data["beside"]
    checked = form.check(source, day)
    take_away = {"file_types": FILE_TYPES.values(), "source_text": decode(source).text}
    if beside is None:
        return {"checked": checked, "day": day_verdict(checked, day), **take_away}
    both = DayComparison.of(day_verdict(checked, day), day_verdict(form.check(source, beside), beside))
    return {"checked": checked, "two_days": both, **take_away}


@require_http_methods(["POST"])
def deck_export(request: HttpRequest) -> HttpResponse:
    """Export the checked list in another file type. Refused if the type cannot hold all of it."""
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
