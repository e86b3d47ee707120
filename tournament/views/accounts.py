"""Signing in, signing out, opening an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament.forms.accounts import SignInForm, SignUpForm


class SignIn(LoginView):
    """Sign in with e-mail address and password; afterwards back to where one came from."""

    template_name = "registration/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    next_page = "console"


class SignOut(LogoutView):
    """Sign out, by button only."""

    next_page = "home"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Open an account to run events; players need none."""
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _open_account(request, form):
        messages.success(request, "Your account is open. Create your first event.")
        return redirect(_wanted(request))
    context = {"form": form, "next": request.POST.get("next", request.GET.get("next", ""))}
    return render(request, "registration/sign_up.html", context, status=422 if form.errors else 200)


def _open_account(request: HttpRequest, form: SignUpForm) -> bool:
    try:
        with transaction.atomic():
            person = form.save()
    except IntegrityError:
        form.add_error("email", "There is already an account with this address. Sign in instead.")
        return False
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return True


def _wanted(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return target
    return resolve_url("console")
