"""Pages to sign in, to create an account and to manage it.

They build on the views of django-allauth.
"""

from __future__ import annotations

from typing import Any

from allauth.account import views as account_views
from allauth.account.decorators import reauthentication_required
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django.views.generic import FormView

from tournament.access.permissions import get_signed_in_user
from tournament.accounts import known_devices, services
from tournament.accounts.forms import ChangeNameForm
from tournament.accounts.services import RateLimitExceeded, SignUpMethod
from tournament.events.selectors import get_user_time_zone
from tournament.shared import links
from tournament.shared.text import describe_wait

TOO_MANY_TRIES = "too_many_login_attempts"


class SignIn(account_views.LoginView):
    """Sign in with email and password, then go on to the page that asked for it."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again; after too many tries programs can tell by the status."""
        response = super().form_invalid(form)
        if form.has_error("__all__", TOO_MANY_TRIES):
            response.status_code = 429
            response["Retry-After"] = str(services.get_seconds_to_wait("login_failed"))
        return response


class SignUp(account_views.SignupView):
    """Create an account to run events; players need none.

    If emails are sent, the answer is the same whether the email has an account or not. If none are,
    strangers are asked nothing.
    """

    def closed(self) -> HttpResponse:
        """Say how a visitor gets an account."""
        status = 403 if self.request.method == "POST" else 200
        context = {
            "heading": gettext("Accounts by invitation"),
            "lead": gettext("Players need no account. Register on the page of the event."),
            "next": self.get_next_url(),
        }
        return render(self.request, "tournament/accounts/sign_up_closed.html", context, status=status)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Limit the emails that can be tried with one invitation."""
        next_url = self.get_next_url() or ""
        if services.get_sign_up_method(request, next_url) == SignUpMethod.INVITED:
            try:
                token = services.get_invitation_token(next_url)
                services.count_attempt(request, "signup_by_invitation", token)
            except RateLimitExceeded as refusal:
                form = self.get_form()
                form.errors.clear()
                form.add_error(None, refusal.message)
                response = self.render_to_response(self.get_context_data(form=form), status=429)
                response["Retry-After"] = str(services.get_seconds_to_wait("signup_by_invitation"))
                return response
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again, with a status of its own."""
        response = super().form_invalid(form)
        response.status_code = 422
        return response


# The page that allauth answers with says for how long; these are the limits of its pages.
LIMITED_PAGES = {
    "account_signup": "signup",
    "account_email": "manage_email",
    "account_change_password": "change_password",
    "account_set_password": "change_password",
    "account_reauthenticate": "reauthenticate",
    "account_reset_password": "reset_password",
    "account_reset_password_from_key": "reset_password_from_key",
}


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer a request that is over a limit of allauth.

    After the stated time the limit is certain to be free.
    """
    match = request.resolver_match
    action = LIMITED_PAGES.get(match.view_name, "") if match else ""
    wait = services.get_seconds_to_wait(action or "signup")
    answer = render(request, "429.html", {"wait": describe_wait(wait)}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


class RequestPasswordReset(account_views.PasswordResetView):
    """Send a link to set a new password.

    The answer is the same whether there is an account or not.
    """

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        """Say how it is done if no email leaves the machine."""
        return {**super().get_context_data(**kwargs), "sends_email": links.can_send_email()}

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the link, if emails can be sent at all."""
        return super().form_valid(form) if links.can_send_email() else self.form_invalid(form)


class ChangePassword(account_views.PasswordChangeView):
    """Change the password; every other device is signed out and no longer known."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep this device known."""
        response = super().form_valid(form)
        known_devices.remember_device(self.request, response, self.request.user)
        return response


@method_decorator([login_required, reauthentication_required], name="dispatch")
class ChangeEmail(account_views.EmailView):
    """Change the email; a code confirms the new one, where codes can be sent."""

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        """Say whether a code is sent."""
        return {**super().get_context_data(**kwargs), "sends_code": services.verifies_email()}

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again, with a status of its own."""
        response = super().form_invalid(form)
        response.status_code = 422
        return response

    def get_success_url(self) -> str:
        """Lead on to the code, or back to the account."""
        return super().get_success_url() if services.verifies_email() else reverse("account")


@method_decorator(login_required, name="dispatch")
class ChangeName(FormView):
    """Change the name."""

    form_class = ChangeNameForm
    success_url = reverse_lazy("account")

    def get_initial(self) -> dict[str, object]:
        """Return the name as it is."""
        return {"name": get_signed_in_user(self.request.user).get_full_name()}

    def form_valid(self, form: ChangeNameForm) -> HttpResponse:
        """Store the name."""
        services.change_name(get_signed_in_user(self.request.user), form.cleaned_data["name"])
        messages.success(self.request, gettext("Name changed."))
        return super().form_valid(form)

    def form_invalid(self, form: ChangeNameForm) -> HttpResponse:
        """Show the form again, with a status of its own."""
        response = super().form_invalid(form)
        response.status_code = 422
        return response


@method_decorator(never_cache, name="dispatch")
class Account(ListUserSessionsView):
    """Name, email and every device that is signed in; the form signs out all others."""

    success_url = reverse_lazy("account")

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        """Put the newest devices first, with times in the zone of the last event."""
        context = super().get_context_data(**kwargs)
        devices = [
            (session, services.describe_browser(session.user_agent)) for session in context["sessions"]
        ]
        devices.sort(key=lambda device: device[0].last_seen_at, reverse=True)
        return {**context, "devices": devices, "zone": get_user_time_zone(self.request.user)}


@login_required
@require_POST
def sign_out_device(request: HttpRequest, device: int) -> HttpResponse:
    """Sign one device out."""
    session = UserSession.objects.filter(user=request.user, pk=min(device, 2**63 - 1)).first()
    if session is not None:
        session.end()
    messages.success(request, gettext("Device signed out."))
    return redirect("account")
