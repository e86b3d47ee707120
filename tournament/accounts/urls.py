"""Addresses of accounts.

They are the views of django-allauth, at our addresses and with our templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account import views as account_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as passkey_views
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, path, reverse_lazy
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournament.accounts import views

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

ACCOUNT = reverse_lazy("account")
PROTECTION = reverse_lazy("mfa_index")


def _page(
    route: str,
    name: str,
    view: type,
    heading: StrOrPromise,
    *,
    template: str = "form",
    success_url: object = None,
    **context: object,
) -> URLPattern:
    """Return a page with a heading.

    What else `form.html` shows: lead, button, back, is_danger.
    """
    values = {} if success_url is None else {"success_url": success_url}
    page = view.as_view(  # type: ignore[attr-defined]
        template_name=f"tournament/accounts/{template}.html",
        extra_context={"heading": heading, **context},
        **values,
    )
    return path(route, page, name=name)


CONFIRM = gettext_lazy("Confirm that it is you")
CONFIRM_LEAD = gettext_lazy("You are about to change how you sign in.")

public_urlpatterns = [
    _page(
        "sign-in/",
        "account_login",
        views.SignIn,
        gettext_lazy("Sign in"),
        template="sign_in",
        lead=gettext_lazy(
            "For organizers, judges and scorekeepers. Players use their private link and need no account."
        ),
    ),
    _page(
        "sign-in/code/",
        "mfa_authenticate",
        mfa_views.AuthenticateView,
        gettext_lazy("Enter a code"),
        template="sign_in_code",
        lead=gettext_lazy("Your account asks for a second step."),
        button=gettext_lazy("Sign in"),
    ),
    _page(
        "sign-in/trust/",
        "mfa_trust",
        mfa_views.TrustView,
        gettext_lazy("Trust this device"),
        template="sign_in_trust",
        lead=gettext_lazy("You will need only your password here for 60 days."),
    ),
    path("sign-in/passkey/", passkey_views.LoginWebAuthnView.as_view(), name="mfa_login_webauthn"),
    path("sign-out/", require_POST(account_views.LogoutView.as_view()), name="account_logout"),
    _page(
        "sign-up/",
        "account_signup",
        views.SignUp,
        gettext_lazy("Create an account"),
        template="sign_up",
        lead=gettext_lazy("For people who run events. To play, register on the page of the event."),
        button=gettext_lazy("Create account"),
    ),
    _page(
        "sign-up/code/",
        "account_email_verification_sent",
        account_views.ConfirmEmailVerificationCodeView,
        gettext_lazy("Enter the code"),
        template="sign_up_code",
    ),
    _page("account/", "account", views.Account, gettext_lazy("My account"), template="account"),
    path("account/sign-out/<int:device>/", views.sign_out_device, name="sign_out_device"),
    _page(
        "account/closed/",
        "account_inactive",
        account_views.AccountInactiveView,
        gettext_lazy("This account is closed"),
        template="account_closed",
        lead=gettext_lazy("Contact the operator of this server."),
    ),
    _page("account/name/", "change_name", views.ChangeName, gettext_lazy("Change name"), back=ACCOUNT),
    _page(
        "account/email/",
        "account_email",
        views.ChangeEmail,
        gettext_lazy("Change email"),
        template="email_change",
        back=ACCOUNT,
    ),
    _page(
        "account/password/",
        "account_change_password",
        views.ChangePassword,
        gettext_lazy("Change password"),
        lead=gettext_lazy("This signs out every other device."),
        back=ACCOUNT,
    ),
    _page(
        "account/password/first/",
        "account_set_password",
        account_views.PasswordSetView,
        gettext_lazy("Change password"),
        lead=gettext_lazy("This signs out every other device."),
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/",
        "account_reauthenticate",
        account_views.ReauthenticateView,
        CONFIRM,
        template="confirm",
        lead=CONFIRM_LEAD,
        button=gettext_lazy("Continue"),
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/code/",
        "mfa_reauthenticate",
        mfa_views.ReauthenticateView,
        CONFIRM,
        template="confirm",
        lead=CONFIRM_LEAD,
        button=gettext_lazy("Continue"),
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/passkey/",
        "mfa_reauthenticate_webauthn",
        passkey_views.ReauthenticateWebAuthnView,
        CONFIRM,
        template="passkey_form",
        lead=CONFIRM_LEAD,
        button=gettext_lazy("Use a passkey"),
        passkey_form="authenticateForm",
        back=ACCOUNT,
    ),
    _page(
        "account/protection/",
        "mfa_index",
        mfa_views.IndexView,
        gettext_lazy("Passkeys and codes"),
        template="protection",
        lead=gettext_lazy("More ways to sign in, and a second step after the password."),
    ),
    _page(
        "account/protection/app/",
        "mfa_activate_totp",
        totp_views.ActivateTOTPView,
        gettext_lazy("Add authenticator app"),
        template="app_add",
        lead=gettext_lazy("Scan the code with the app, then enter the 6 digits that it shows."),
        button=gettext_lazy("Add app"),
        back=PROTECTION,
    ),
    _page(
        "account/protection/app/remove/",
        "mfa_deactivate_totp",
        totp_views.DeactivateTOTPView,
        gettext_lazy("Remove authenticator app"),
        lead=gettext_lazy("Your password alone will be enough to sign in."),
        button=gettext_lazy("Remove app"),
        is_danger=True,
        back=PROTECTION,
    ),
    _page(
        "account/protection/codes/",
        "mfa_view_recovery_codes",
        recovery_views.ViewRecoveryCodesView,
        gettext_lazy("Recovery codes"),
        template="recovery_codes",
        lead=gettext_lazy("Store these codes away from your phone. Each code works once."),
    ),
    _page(
        "account/protection/codes/new/",
        "mfa_generate_recovery_codes",
        recovery_views.GenerateRecoveryCodesView,
        gettext_lazy("Create new recovery codes"),
        template="recovery_codes_new",
        button=gettext_lazy("Create new codes"),
        back=PROTECTION,
    ),
    path(
        "account/protection/codes/download/",
        login_required(recovery_views.DownloadRecoveryCodesView.as_view()),
        name="mfa_download_recovery_codes",
    ),
    _page(
        "account/protection/passkeys/add/",
        "mfa_add_webauthn",
        passkey_views.AddWebAuthnView,
        gettext_lazy("Add passkey"),
        template="passkey_form",
        lead=gettext_lazy("Your browser asks you to confirm."),
        passkey_form="addForm",
        back=PROTECTION,
    ),
    _page(
        "account/protection/passkeys/<int:pk>/",
        "mfa_edit_webauthn",
        passkey_views.EditWebAuthnView,
        gettext_lazy("Rename passkey"),
        success_url=PROTECTION,
        button=gettext_lazy("Save name"),
        back=PROTECTION,
    ),
    _page(
        "account/protection/passkeys/<int:pk>/remove/",
        "mfa_remove_webauthn",
        passkey_views.RemoveWebAuthnView,
        gettext_lazy("Remove passkey"),
        template="passkey_remove",
        success_url=PROTECTION,
        back=PROTECTION,
    ),
    _page(
        "password/",
        "account_reset_password",
        views.RequestPasswordReset,
        gettext_lazy("New password"),
        template="password_forgotten",
        lead=gettext_lazy("For people with an account. Players use their private link and need no password."),
        button=gettext_lazy("Send link"),
    ),
    _page(
        "password/sent/",
        "account_reset_password_done",
        account_views.PasswordResetDoneView,
        gettext_lazy("Check your email"),
        template="password_sent",
        lead=gettext_lazy(
            "If there is an account with this email, a link is on its way. It works for 3 days."
        ),
    ),
    _page(
        "password/<str:uidb36>/<str:key>/",
        "account_reset_password_from_key",
        account_views.PasswordResetFromKeyView,
        gettext_lazy("New password"),
        template="password_set",
        success_url=ACCOUNT,
        lead=gettext_lazy("The link works once."),
        button=gettext_lazy("Set password"),
    ),
]
