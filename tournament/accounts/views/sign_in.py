"""Signing in, signing out, opening an account."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

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
from django.views.decorators.http import require_http_methods, require_safe

from tournament.accounts.forms import FirstPasswordForm, PersonForm, SignInForm, SignUpForm, as_username
from tournament.accounts.services import rate_limits as limits
from tournament.accounts.services import sign_up as by_mailbox
from tournament.accounts.services.rate_limits import Limit, TooOften, client_address
from tournament.accounts.services.sign_up import Way

OPEN = "Your account is open. Create your first event."


class SignIn(LoginView):
    """Sign in with e-mail address and password; afterwards back to where one came from."""

    template_name = "tournament/accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    next_page = "console"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse after too many wrong passwords, whoever counts them."""
        form = self.get_form()
        try:
            limits.refuse_if_over(self._counted())
        except TooOften as refusal:
            form.errors.clear()
            form.add_error(None, f"{refusal.message} If you forgot your password, have a new one sent.")
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        """Whoever knows the password starts anew."""
        limits.forget(*self._counted()[0])
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Count the wrong one."""
        with suppress(TooOften):
            limits.count(self._counted())
        return super().form_invalid(form)

    def _counted(self) -> tuple[tuple[Limit, str], ...]:
        mailbox = as_username(self.request.POST.get("username", ""))[:254]
        return (limits.SIGN_IN_MAILBOX, mailbox), (
            limits.SIGN_IN_ADDRESS,
            client_address(self.request.META),
        )


class SignOut(LogoutView):
    """Sign out, by button only."""

    next_page = "home"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Open an account to run events; players need none.

    Where mails leave the machine, the answer is the same whether the address has an account or not; where
    none do, strangers are asked nothing.
    """
    then = request.POST.get("next", request.GET.get("next", ""))
    way = by_mailbox.way(request.META, then)
    if way == Way.CLOSED:
        status = 403 if request.method == "POST" else 200
        return render(request, "tournament/accounts/sign_up_closed.html", {"next": then}, status=status)
    form = (PersonForm if way == Way.MAIL else SignUpForm)(request.POST or None)
    if request.method == "POST" and _may_try(request, form, way, then) and form.is_valid():
        if way == Way.MAIL and _send_mail(request, form):
            return redirect("sign_up_sent")
        if isinstance(form, SignUpForm) and _open_account(request, form):
            messages.success(request, OPEN)
            return redirect(_wanted(request, then))
    context = {"form": form, "next": then, "by_mail": way == Way.MAIL}
    return render(request, "tournament/accounts/sign_up.html", context, status=422 if form.errors else 200)


def _may_try(request: HttpRequest, form: PersonForm, way: Way, then: str) -> bool:
    """Each invitation opens few doors an hour: whoever holds one cannot ask for many addresses."""
    if way != Way.INVITED:
        return True
    try:
        limits.count([(limits.SIGN_UP_INVITATION, by_mailbox.invitation_of(then) or "")])
    except TooOften as refusal:
        form.errors.clear()
        form.add_error(None, refusal.message)
        return False
    return True


def _send_mail(request: HttpRequest, form: PersonForm) -> bool:
    values = form.cleaned_data
    wanted = (limits.SIGN_UP_ADDRESS, client_address(request.META)), (limits.SIGN_UP_MAILBOX, values["email"])
    try:
        limits.count(wanted)
    except TooOften as refusal:
        form.add_error(None, refusal.message)
        return False
    by_mailbox.ask(by_mailbox.Wish(values["name"], values["email"], request.POST.get("next", "")[:200]))
    return True


@never_cache
@require_safe
def sign_up_sent(request: HttpRequest) -> HttpResponse:
    """What to do now, whoever asked for which address."""
    return render(request, "tournament/accounts/sign_up_sent.html")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up_finish(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind the link of the mail: who has the mailbox chooses a password, and is signed in."""
    wish = by_mailbox.unsealed(token)
    if wish is None:
        return render(request, "tournament/accounts/sign_up_finish.html", {"wish": None}, status=404)
    form = FirstPasswordForm(request.POST or None)
    form.person = wish.person
    if request.method == "POST" and form.is_valid():
        return _finish(request, wish, form.cleaned_data["password"])
    context = {"wish": wish, "form": form}
    return render(
        request, "tournament/accounts/sign_up_finish.html", context, status=422 if form.errors else 200
    )


def _finish(request: HttpRequest, wish: by_mailbox.Wish, password: str) -> HttpResponse:
    person = by_mailbox.finish(wish, password)
    if person is None:
        messages.info(request, "Your account is open already. Sign in.")
        return redirect("sign_in")
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    messages.success(request, OPEN)
    return redirect(_wanted(request, wish.then))


def _open_account(request: HttpRequest, form: SignUpForm) -> bool:
    try:
        limits.count([(limits.SIGN_UP_ADDRESS, client_address(request.META))])
    except TooOften as refusal:
        form.add_error(None, refusal.message)
        return False
    try:
        with transaction.atomic():
            person = form.save()
    except IntegrityError:
        form.add_error("email", "There is already an account with this address. Sign in instead.")
        return False
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    return True


def _wanted(request: HttpRequest, target: str) -> str:
    if url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return target
    return resolve_url("console")
