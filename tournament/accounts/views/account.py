"""My account: where I am signed in, another password, a forgotten one."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views as django_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordResetForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.forms import ChangePasswordForm, ForgottenForm, NewPasswordForm
from tournament.accounts.services import devices
from tournament.accounts.services import rate_limits as limits
from tournament.accounts.services.rate_limits import TooOften, client_address
from tournament.events.selectors.time_zones import zone_of
from tournament.shared import addresses as links


@login_required
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Name, address, and every browser in which this person is signed in."""
    context = {
        "devices": request.user.devices.all(),
        "here": request.session.session_key,
        "zone": zone_of(request.user),
    }
    return render(request, "tournament/accounts/account.html", context)


@login_required
@require_POST
def sign_out_device(request: HttpRequest, device: int) -> HttpResponse:
    """Sign one browser out."""
    gone = devices.sign_out(request.user, device=min(device, 2**63 - 1))
    messages.success(request, "Signed out there." if gone else "That browser was signed out already.")
    return redirect("account")


@login_required
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Sign every browser out but this one."""
    gone = devices.sign_out(request.user, keep=request.session.session_key)
    messages.success(request, f"Signed out in {gone} other browser{'' if gone == 1 else 's'}.")
    return redirect("account")


class ChangePassword(django_views.PasswordChangeView):
    """Another password; every other browser is signed out."""

    template_name = "tournament/accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep this browser signed in."""
        answer = super().form_valid(form)
        devices.moved(self.request, self.request.user)
        messages.success(self.request, "Your password is changed; all other browsers are signed out.")
        return answer


class AskForPassword(django_views.PasswordResetView):
    """A link to set a new password, by e-mail. The answer is the same whether there is an account or not."""

    template_name = "tournament/accounts/password_forgotten.html"
    form_class = ForgottenForm
    email_template_name = "tournament/accounts/mail_new_password.txt"
    subject_template_name = "tournament/accounts/mail_new_password_subject.txt"
    success_url = reverse_lazy("password_sent")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say how it is done where no mail leaves the machine."""
        return {**super().get_context_data(**kwargs), "sends_mail": links.sends_mail()}

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """Send the mail, if there is somebody to send it to, and not too often."""
        if not links.sends_mail():
            return self.form_invalid(form)
        wanted = (
            (limits.RESET_ADDRESS, client_address(self.request.META)),
            (limits.RESET_MAILBOX, form.cleaned_data["email"]),
        )
        try:
            limits.count(wanted)
        except TooOften as refusal:
            form.add_error(None, refusal.message)
            return self.form_invalid(form)
        if settings.BASE_URL:  # never the name a stranger's request gave
            host = settings.BASE_URL.split("://", 1)[1]
            self.extra_email_context = {"domain": host, "protocol": settings.BASE_URL.split("://", 1)[0]}
        return super().form_valid(form)


class PasswordSent(django_views.PasswordResetDoneView):
    """What to do now."""

    template_name = "tournament/accounts/password_sent.html"


class SetPassword(django_views.PasswordResetConfirmView):
    """The page behind the link of the mail."""

    template_name = "tournament/accounts/password_set.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("sign_in")

    def form_valid(self, form: Any) -> HttpResponse:
        """Whoever was signed in before is signed out."""
        answer = super().form_valid(form)
        devices.sign_out(form.user)
        messages.success(self.request, "Your new password holds. Sign in with it.")
        return answer
