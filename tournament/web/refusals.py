"""Show refusals as messages or form errors, and forms that were not accepted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from decks.shared.refusals import Refused

Outcome = TypeVar("Outcome")

# Why a part of a page was refused, for the script of that page: signed-out or form-too-old.
REASON_HEADER = "X-Ringside-Why"

# Behind the address of a page: what was typed on it is put in again.
RESTORE_QUERY = "typed=again"

# Fields of a form that no one typed.
HIDDEN_FIELDS = frozenset(
    ("csrfmiddlewaretoken", "next", "revision", "match", "show", "seen", "mark", "check", "credential")
)

# The last part of addresses of a player to which only forms are sent.
PLAYER_STEPS = frozenset(
    ("answer", "check", "check-in", "confirm", "cut", "drop", "judge", "new-link", "withdraw")
)


def show_refusal(request: HttpRequest, refusal: Refused) -> None:
    """Show a refusal, each of its problems in a line of its own."""
    for problem in refusal.problems:
        messages.error(request, problem.message)


def refusal_page(
    request: HttpRequest, status: int, code: str, sentence: str, fix: str = "", *, typed_text: str = ""
) -> HttpResponse:
    """Return a refused request, as JSON for programs and as a page for people.

    The body is not read here. `typed_text` is what was written in the form, to be copied from the page.
    """
    if request.path_info.startswith("/api/"):
        problem = {"code": code, "sentence": sentence, "fix": fix, "field": None}
        return JsonResponse({"problems": [problem]}, status=status)
    context = {"code": code, "sentence": sentence, "fix": fix, "typed_text": typed_text}
    context["way_back"] = get_return_url(request)
    answer = render(request, "refused.html", context, status=status)
    answer[REASON_HEADER] = code
    return answer


def list_problems(refusal: Refused) -> list[dict[str, object]]:
    """Return every problem of a refusal in machine-readable form.

    Each has a code and parameters, a sentence and a fix, and a field.
    """
    return [each.to_json() for each in refusal.problems]


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a form that came without its CSRF token.

    Nothing is done, and what was written in it is shown again.
    """
    answer = render(request, "403_csrf.html", _sent_form_context(request), status=403)
    answer[REASON_HEADER] = "form-too-old"
    return answer


def signed_out_response(request: HttpRequest) -> HttpResponse:
    """Return a form of someone who was signed out meanwhile.

    It has the typed values, and the link to its page.
    """
    answer = render(request, "tournament/web/signed_out.html", _sent_form_context(request), status=403)
    answer[REASON_HEADER] = "signed-out"
    return answer


def _sent_form_context(request: HttpRequest) -> dict[str, object]:
    return {
        "typed_text": get_typed_text(request),
        "way_back": get_return_url(request),
        "had_file": bool(request.FILES),
    }


def get_return_url(request: HttpRequest) -> str:
    """Return the page of a refused form, which restores what was typed.

    It is empty for a page itself. Asks no one, neither the database nor who is signed in. What is behind the
    address makes it another one than that of the answer: a browser would stay where it is.
    """
    if request.method != "POST":
        return ""
    page = _get_form_path(request)
    return f"{page}{'&' if '?' in page else '?'}{RESTORE_QUERY}"


def _get_form_path(request: HttpRequest) -> str:
    """Return the address within this site that the form was on.

    If that is not known, it is the address that the form was sent to. Private pages are not named by
    browsers. Their buttons are sent to addresses below the page.
    """
    page, _, step = request.path.rstrip("/").rpartition("/")
    if step in PLAYER_STEPS and request.path.startswith("/p/"):
        return f"{page}/"
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return request.path
    parts = urlsplit(came_from)
    if parts.path in ("", "/"):
        return request.path
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def get_typed_text(request: HttpRequest) -> str:
    """Return what was written in a form that could not be taken.

    The one text, or each field with its name.
    """
    fields = {
        name: "\n".join(values)
        for name, values in request.POST.lists()
        if name not in HIDDEN_FIELDS and not name.startswith("initial-") and "password" not in name
    }
    typed_fields = {name: text for name, text in fields.items() if text.strip()}
    if len(typed_fields) == 1:
        return next(iter(typed_fields.values()))
    return "\n".join(f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in typed_fields.items())


def attempt_form_step(form: forms.BaseForm, run: Callable[[], Outcome]) -> Outcome | None:
    """Run one step for a form; what is refused is beside the field it names.

    None when refused.
    """
    try:
        return run()
    except Refused as refusal:
        add_form_errors(form, refusal)
        return None


def add_form_errors(form: forms.BaseForm, refusal: Refused) -> None:
    """Put each problem beside the field it names, or above the form."""
    for problem in refusal.problems:
        field = problem.field if problem.field in form.fields else None
        form.add_error(field, forms.ValidationError(problem.message, code=problem.code))
