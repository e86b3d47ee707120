"""Pages to sign in, sign up, manage signed-in devices and change a password."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as django_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import LoginView, LogoutView
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.accounts import services
from tournament.accounts.forms import (
    AccountDetailsForm,
    ChangePasswordForm,
    InitialPasswordForm,
    NewPasswordForm,
    PasswordResetRequestForm,
    SignInForm,
    SignUpForm,
    normalize_email,
)
from tournament.accounts.services import RateLimit, RateLimitExceeded, SignUpMethod, get_client_ip
from tournament.events.selectors import get_user_time_zone
from tournament.shared import links

ACCOUNT_CREATED = "Your account is open. Create your first event."


class SignIn(LoginView):
    """Sign in with email and password, then return to the page before."""

    template_name = "tournament/accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    next_page = "console"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse after too many wrong passwords."""
        form = self.get_form()
        try:
            services.check_rate_limits(self._counted())
        except RateLimitExceeded as refusal:
            form.errors.clear()
            form.add_error(None, f"{refusal.message} If you forgot your password, have a new one sent.")
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return self.form_valid(form) if form.is_valid() else self.form_invalid(form)

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, and reset the count of wrong passwords."""
        services.reset_attempts(*self._counted()[0])
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Count the wrong one."""
        with suppress(RateLimitExceeded):
            services.count_attempt(self._counted())
        return super().form_invalid(form)

    def _counted(self) -> tuple[tuple[RateLimit, str], ...]:
        mailbox = normalize_email(self.request.POST.get("username", ""))[:254]
        return (services.SIGN_IN_PER_EMAIL, mailbox), (
            services.SIGN_IN_PER_IP,
            get_client_ip(self.request.META),
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
    next_url = request.POST.get("next", request.GET.get("next", ""))
    method = services.get_sign_up_method(request.META, next_url)
    if method == SignUpMethod.CLOSED:
        status = 403 if request.method == "POST" else 200
        return render(request, "tournament/accounts/sign_up_closed.html", {"next": next_url}, status=status)
    form = (AccountDetailsForm if method == SignUpMethod.MAIL else SignUpForm)(request.POST or None)
    if (
        request.method == "POST"
        and _is_within_invitation_limit(request, form, method, next_url)
        and form.is_valid()
    ):
        if method == SignUpMethod.MAIL and _send_sign_up_email(request, form):
            return redirect("sign_up_sent")
        if isinstance(form, SignUpForm) and _create_account(request, form):
            messages.success(request, ACCOUNT_CREATED)
            return redirect(_get_redirect_target(request, next_url))
    context = {"form": form, "next": next_url, "by_mail": method == SignUpMethod.MAIL}
    return render(request, "tournament/accounts/sign_up.html", context, status=422 if form.errors else 200)


def _is_within_invitation_limit(
    request: HttpRequest, form: AccountDetailsForm, method: SignUpMethod, next_url: str
) -> bool:
    """Limit the accounts that one invitation can create in an hour."""
    if method != SignUpMethod.INVITED:
        return True
    try:
        services.count_attempt(
            [(services.SIGN_UP_PER_INVITATION, services.get_invitation_token(next_url) or "")]
        )
    except RateLimitExceeded as refusal:
        form.errors.clear()
        form.add_error(None, refusal.message)
        return False
    return True


def _send_sign_up_email(request: HttpRequest, form: AccountDetailsForm) -> bool:
    values = form.cleaned_data
    limited_keys = (
        (services.SIGN_UP_PER_IP, get_client_ip(request.META)),
        (services.SIGN_UP_PER_EMAIL, values["email"]),
    )
    try:
        services.count_attempt(limited_keys)
    except RateLimitExceeded as refusal:
        form.add_error(None, refusal.message)
        return False
    services.send_sign_up_email(
        services.SignUpRequest(values["name"], values["email"], request.POST.get("next", "")[:200])
    )
    return True


@never_cache
@require_safe
def sign_up_sent(request: HttpRequest) -> HttpResponse:
    """Say what to do now; the same page for every address."""
    return render(request, "tournament/accounts/sign_up_sent.html")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up_finish(request: HttpRequest, token: str) -> HttpResponse:
    """Set the password behind the emailed link, and sign in."""
    sign_up_request = services.read_sign_up_token(token)
    if sign_up_request is None:
        return render(request, "tournament/accounts/sign_up_finish.html", {"wish": None}, status=404)
    form = InitialPasswordForm(request.POST or None)
    form.user = sign_up_request.user
    if request.method == "POST" and form.is_valid():
        return _complete_sign_up(request, sign_up_request, form.cleaned_data["password"])
    context = {"wish": sign_up_request, "form": form}
    return render(
        request, "tournament/accounts/sign_up_finish.html", context, status=422 if form.errors else 200
    )


def _complete_sign_up(
    request: HttpRequest, sign_up_request: services.SignUpRequest, password: str
) -> HttpResponse:
    user = services.create_account(sign_up_request, password)
    if user is None:
        messages.info(request, "Your account is open already. Sign in.")
        return redirect("sign_in")
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    messages.success(request, ACCOUNT_CREATED)
    return redirect(_get_redirect_target(request, sign_up_request.then))


def _create_account(request: HttpRequest, form: SignUpForm) -> bool:
    try:
        services.count_attempt([(services.SIGN_UP_PER_IP, get_client_ip(request.META))])
    except RateLimitExceeded as refusal:
        form.add_error(None, refusal.message)
        return False
    try:
        with transaction.atomic():
            user = form.save()
    except IntegrityError:
        form.add_error("email", "There is already an account with this address. Sign in instead.")
        return False
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return True


def _get_redirect_target(request: HttpRequest, target: str) -> str:
    if url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return target
    return resolve_url("console")


@login_required
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Name, address, and every browser in which this person is signed in."""
    context = {
        "devices": request.user.devices.all(),
        "here": request.session.session_key,
        "zone": get_user_time_zone(request.user),
    }
    return render(request, "tournament/accounts/account.html", context)


@login_required
@require_POST
def sign_out_device(request: HttpRequest, device: int) -> HttpResponse:
    """Sign one browser out."""
    signed_out_count = services.sign_out_devices(request.user, device=min(device, 2**63 - 1))
    messages.success(
        request, "Signed out there." if signed_out_count else "That browser was signed out already."
    )
    return redirect("account")


@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Sign every browser out but this one."""
    signed_out_count = services.sign_out_devices(request.user, keep=request.session.session_key)
    messages.success(
        request, f"Signed out in {signed_out_count} other browser{'' if signed_out_count == 1 else 's'}."
    )
    return redirect("account")


class ChangePassword(django_views.PasswordChangeView):
    """Another password; every other browser is signed out."""

    template_name = "tournament/accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep this browser signed in."""
        answer = super().form_valid(form)
        services.sign_out_other_devices(self.request, self.request.user)
        messages.success(self.request, "Your password is changed; all other browsers are signed out.")
        return answer


class RequestPasswordReset(django_views.PasswordResetView):
    """A link to set a new password, by e-mail. The answer is the same whether there is an account or not."""

    template_name = "tournament/accounts/password_forgotten.html"
    form_class = PasswordResetRequestForm
    email_template_name = "tournament/accounts/mail_new_password.txt"
    subject_template_name = "tournament/accounts/mail_new_password_subject.txt"
    success_url = reverse_lazy("password_sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say how it is done where no mail leaves the machine."""
        return {**super().get_context_data(**kwargs), "sends_mail": links.can_send_email()}

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """Send the mail, if there is somebody to send it to, and not too often."""
        if not links.can_send_email():
            return self.form_invalid(form)
        limited_keys = (
            (services.RESET_PER_IP, get_client_ip(self.request.META)),
            (services.RESET_PER_EMAIL, form.cleaned_data["email"]),
        )
        try:
            services.count_attempt(limited_keys)
        except RateLimitExceeded as refusal:
            form.add_error(None, refusal.message)
            return self.form_invalid(form)
        if settings.BASE_URL:  # never the name a stranger's request gave
            host = settings.BASE_URL.split("://", 1)[1]
            self.extra_email_context = {"domain": host, "protocol": settings.BASE_URL.split("://", 1)[0]}
        return super().form_valid(form)


class PasswordResetSent(django_views.PasswordResetDoneView):
    """What to do now."""

    template_name = "tournament/accounts/password_sent.html"


class SetNewPassword(django_views.PasswordResetConfirmView):
    """The page behind the link of the mail."""

    template_name = "tournament/accounts/password_set.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("sign_in")

    def form_valid(self, form: Any) -> HttpResponse:
        """Whoever was signed in before is signed out."""
        answer = super().form_valid(form)
        services.sign_out_devices(form.user)
        messages.success(self.request, "Your new password holds. Sign in with it.")
        return answer
