"""Adapter of django-allauth.

Contains limits on wrong tries, rules for new accounts, emails and words.
"""

from __future__ import annotations

import logging
from ipaddress import ip_address
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.utils import get_request_param
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from tournament.accounts import known_devices
from tournament.accounts.first_account import appoint_first_account
from tournament.accounts.services import SignUpMethod, describe_browser, get_sign_up_method
from tournament.languages.services import remember_account_language
from tournament.shared import links

logger = logging.getLogger(__name__)

ERRORS = {
    "account_inactive": gettext_lazy("This account is closed. Contact the operator of this server."),
    "email_password_mismatch": gettext_lazy("Email and password do not match. Check the capital letters."),
    "username_password_mismatch": gettext_lazy("Email and password do not match. Check the capital letters."),
    "duplicate_email": gettext_lazy("This is your email already. Enter a different one."),
    "email_taken": gettext_lazy("There is already an account with this email. Sign in instead."),
    "enter_current_password": gettext_lazy("This is not your current password. Enter it again."),
    "incorrect_password": gettext_lazy("This is not your password. Enter it again."),
    "incorrect_code": gettext_lazy("This code is wrong or has expired. Enter the newest code."),
    "too_many_login_attempts": gettext_lazy("Too many attempts. Wait 15 minutes, or set a new password."),
    "rate_limited": gettext_lazy("Too many attempts. Wait a few minutes, then try again."),
}

# Messages of allauth that are worth a sentence; it says nothing for the others.
MESSAGES = {
    "account/messages/password_changed.txt": gettext_lazy(
        "Password changed. All other devices are signed out."
    ),
    "account/messages/email_confirmation_failed.txt": gettext_lazy("Another account has this email."),
    "account/messages/password_set.txt": gettext_lazy("Password set."),
    "usersessions/messages/sessions_logged_out.txt": gettext_lazy("All other devices are signed out."),
    "mfa/messages/totp_activated.txt": gettext_lazy("Authenticator app added."),
    "mfa/messages/totp_deactivated.txt": gettext_lazy("Authenticator app removed."),
    "mfa/messages/webauthn_added.txt": gettext_lazy("Passkey added."),
    "mfa/messages/webauthn_removed.txt": gettext_lazy("Passkey removed."),
    "mfa/messages/recovery_codes_generated.txt": gettext_lazy("Recovery codes created."),
}

# Subject and template of each email; every other email says in one sentence what has changed.
EMAILS = {
    "email_confirmation_signup": (gettext_lazy("Your code for Ringside"), "email_code.txt"),
    "email_confirmation": (gettext_lazy("Your code for Ringside"), "email_code.txt"),
    "account_already_exists": (gettext_lazy("Your Ringside account"), "email_account_exists.txt"),
    "unknown_account": (gettext_lazy("No Ringside account"), "email_no_account.txt"),
    "password_reset_key": (gettext_lazy("A new password for Ringside"), "email_new_password.txt"),
}
NOTICES = {
    "email_changed": gettext_lazy("You now sign in to your account with another email."),
    "password_changed": gettext_lazy("The password of your account was changed."),
    "password_reset": gettext_lazy("A new password was set for your account."),
    "password_set": gettext_lazy("A password was set for your account."),
    "totp_activated": gettext_lazy("An authenticator app was added to your account."),
    "totp_deactivated": gettext_lazy("The authenticator app was removed from your account."),
    "webauthn_added": gettext_lazy("A passkey was added to your account."),
    "webauthn_removed": gettext_lazy("A passkey was removed from your account."),
    "recovery_codes_generated": gettext_lazy("New recovery codes were created for your account."),
}


class AccountAdapter(DefaultAccountAdapter):
    """Accounts by email, also without a mail server.

    Has limits that do not stop known devices.
    """

    error_messages = {**DefaultAccountAdapter.error_messages, **ERRORS}

    # ── Limits ───────────────────────────────────────────────────────────────────────────────────────────

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count this attempt before the password is read.

        A correct attempt is undone by `authenticate`.
        """
        login = self._get_login_attempts_cache_key(request, **credentials)
        device_key = known_devices.get_limit_key(request, login)
        limits = (
            [("login_failed_on_known_device", device_key)]
            if device_key
            else [("login_failed_from_address", None), ("login_failed", login)]
        )
        rate_usage = ratelimit.RateLimitUsage([])
        for action, key in limits:
            usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
            if not usage:
                raise self.validation_error("too_many_login_attempts")
            rate_usage.usage += usage.usage
        self._login_failed_rl_usage = rate_usage

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the account alone as the key.

        allauth adds the host name, and a client can invent many of these.
        """
        return str(credentials.get("email") or credentials.get("username") or "").strip().lower()

    def post_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponse:
        """Go to the next page and make this device known.

        The first account becomes an editor of the catalogue.
        """
        response = super().post_login(request, user, **details)
        known_devices.remember_device(request, response, user)
        remember_account_language(response, user)
        if appoint_first_account(user):
            messages.info(request, gettext("You edit the catalogue and the ban lists of this server."))
        return response

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network address, with IPv4 in IPv6 notation converted to IPv4.

        Otherwise all such addresses would be cut to the same one.
        """
        address = ip_address(super().get_client_ip(request))
        return str(getattr(address, "ipv4_mapped", None) or address)

    # ── New accounts ─────────────────────────────────────────────────────────────────────────────────────

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether this visitor can create an account."""
        next_url = get_request_param(request, "next", "")
        return get_sign_up_method(request, next_url) != SignUpMethod.CLOSED

    def new_user(self, request: HttpRequest) -> User:
        """Return an account whose email is not verified yet."""
        user = super().new_user(request)
        user.is_signing_up = True
        return user

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Store the name as well."""
        user.first_name, _, user.last_name = form.cleaned_data["name"].partition(" ")
        return super().save_user(request, user, form, commit)

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """Name the account by its email, so that one email has one account."""
        user.username = user.email

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Lead back to the account, whose email has changed."""
        if self.request.user.is_authenticated:
            return reverse("account")
        return super().get_email_verification_redirect_url(email_address)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Lead back to the account."""
        return reverse("account")

    # ── Words ────────────────────────────────────────────────────────────────────────────────────────────

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, object] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Show our sentence for what allauth reports, if there is one."""
        sentence = message or MESSAGES.get(message_template or "")
        if sentence:
            messages.add_message(request, level, sentence, extra_tags=extra_tags)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link in the email.

        Its host is never one that a stranger's request gave.
        """
        uid, _, token = key.partition("-")
        base_url = links.get_base_url(self.request)
        return f"{base_url}{reverse('account_reset_password_from_key', args=[uid, token])}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Send an email.

        If that fails, the page must not show it: it would tell who has an account.
        """
        try:
            self.render_mail(template_prefix, email, context).send()
        except OSError:
            logger.exception("an email about an account could not be sent")

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, object], headers: Any = None
    ) -> EmailMessage:
        """Return an email in our words, with links to this installation."""
        name = template_prefix.rpartition("/")[2]
        subject, template = EMAILS.get(name, (gettext("Your Ringside account"), "email_notice.txt"))
        words = {**context, "base_url": links.get_base_url(self.request), "notice": NOTICES.get(name)}
        if "user_agent" in words:
            words["device"] = describe_browser(str(words["user_agent"]))
        return EmailMessage(subject, render_to_string(f"tournament/accounts/{template}", words), to=[email])


class MfaAdapter(DefaultMFAAdapter):
    """Passkeys, authenticator apps and recovery codes."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy(
            "This did not work. Try again with the newest code or another passkey."
        ),
        "unverified_email": gettext_lazy("Verify your email first: sign out, and sign in again."),
    }

    def build_totp_svg(self, url: str) -> str:
        """Return the code that an authenticator app reads, without style attributes."""
        return segno.make_qr(url, error="m").svg_inline(scale=5, border=4, light="#fff", lineclass=None)

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """Name a passkey after the browser that created it."""
        return describe_browser(self.request.META.get("HTTP_USER_AGENT", ""))

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Describe this site as browsers show it beside a passkey."""
        return {**super().get_public_key_credential_rp_entity(), "name": "Ringside"}
