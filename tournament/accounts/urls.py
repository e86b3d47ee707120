"""Addresses of accounts: the views of django-allauth, at our addresses and with our templates."""

from __future__ import annotations

from allauth.account import views as account_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as passkey_views
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, path, reverse_lazy
from django.views.decorators.http import require_POST

from tournament.accounts import views

ACCOUNT = reverse_lazy("account")
PROTECTION = reverse_lazy("mfa_index")


def _page(
    route: str,
    name: str,
    view: type,
    heading: str,
    *,
    template: str = "form",
    success_url: object = None,
    **shown: object,
) -> URLPattern:
    """A page with a heading. What else `form.html` shows: lead, button, back, is_danger."""
    values = {} if success_url is None else {"success_url": success_url}
    page = view.as_view(  # type: ignore[attr-defined]
        template_name=f"tournament/accounts/{template}.html",
        extra_context={"heading": heading, **shown},
        **values,
    )
    return path(route, page, name=name)


CONFIRM = "Confirm that it is you"
CONFIRM_LEAD = "You are about to change how you sign in."

public_urlpatterns = [
    _page(
        "sign-in/",
        "account_login",
        views.SignIn,
        "Sign in",
        template="sign_in",
        lead="For organizers, judges and scorekeepers. Players use their private link and need no account.",
    ),
    _page(
        "sign-in/code/",
        "mfa_authenticate",
        mfa_views.AuthenticateView,
        "Enter a code",
        template="sign_in_code",
        lead="Your account asks for a second step.",
        button="Sign in",
    ),
    _page(
        "sign-in/trust/",
        "mfa_trust",
        mfa_views.TrustView,
        "Trust this device",
        template="sign_in_trust",
        lead="You will need only your password here for 60 days.",
    ),
    path("sign-in/passkey/", passkey_views.LoginWebAuthnView.as_view(), name="mfa_login_webauthn"),
    path("sign-out/", require_POST(account_views.LogoutView.as_view()), name="account_logout"),
    _page(
        "sign-up/",
        "account_signup",
        views.SignUp,
        "Create an account",
        template="sign_up",
        lead="For people who run events. To play, register on the page of the event.",
        button="Create account",
    ),
    _page(
        "sign-up/code/",
        "account_email_verification_sent",
        account_views.ConfirmEmailVerificationCodeView,
        "Enter the code",
        template="sign_up_code",
    ),
    _page("account/", "account", views.Account, "My account", template="account"),
    path("account/sign-out/<int:device>/", views.sign_out_device, name="sign_out_device"),
    _page(
        "account/closed/",
        "account_inactive",
        account_views.AccountInactiveView,
        "This account is closed",
        template="account_closed",
        lead="Contact the operator of this server.",
    ),
    _page("account/name/", "change_name", views.ChangeName, "Change name", back=ACCOUNT),
    _page(
        "account/email/",
        "account_email",
        views.ChangeEmail,
        "Change email",
        template="email_change",
        back=ACCOUNT,
    ),
    _page(
        "account/password/",
        "account_change_password",
        views.ChangePassword,
        "Change password",
        lead="Every other device is signed out.",
        back=ACCOUNT,
    ),
    _page(
        "account/password/first/",
        "account_set_password",
        account_views.PasswordSetView,
        "Change password",
        lead="Every other device is signed out.",
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/",
        "account_reauthenticate",
        account_views.ReauthenticateView,
        CONFIRM,
        template="confirm",
        lead=CONFIRM_LEAD,
        button="Continue",
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/code/",
        "mfa_reauthenticate",
        mfa_views.ReauthenticateView,
        CONFIRM,
        template="confirm",
        lead=CONFIRM_LEAD,
        button="Continue",
        back=ACCOUNT,
    ),
    _page(
        "account/confirm/passkey/",
        "mfa_reauthenticate_webauthn",
        passkey_views.ReauthenticateWebAuthnView,
        CONFIRM,
        template="passkey_form",
        lead=CONFIRM_LEAD,
        button="Use a passkey",
        passkey_form="authenticateForm",
        back=ACCOUNT,
    ),
    _page(
        "account/protection/",
        "mfa_index",
        mfa_views.IndexView,
        "Passkeys and codes",
        template="protection",
        lead="More ways to sign in, and a second step after the password.",
    ),
    _page(
        "account/protection/app/",
        "mfa_activate_totp",
        totp_views.ActivateTOTPView,
        "Add authenticator app",
        template="app_add",
        lead="Scan the code with the app, then enter the 6 digits that it shows.",
        button="Add app",
        back=PROTECTION,
    ),
    _page(
        "account/protection/app/remove/",
        "mfa_deactivate_totp",
        totp_views.DeactivateTOTPView,
        "Remove authenticator app",
        lead="Your password alone will be enough to sign in.",
        button="Remove app",
        is_danger=True,
        back=PROTECTION,
    ),
    _page(
        "account/protection/codes/",
        "mfa_view_recovery_codes",
        recovery_views.ViewRecoveryCodesView,
        "Recovery codes",
        template="recovery_codes",
        lead="Store these codes away from your phone. Each code works once.",
    ),
    _page(
        "account/protection/codes/new/",
        "mfa_generate_recovery_codes",
        recovery_views.GenerateRecoveryCodesView,
        "Create new recovery codes",
        template="recovery_codes_new",
        button="Create new codes",
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
        "Add passkey",
        template="passkey_form",
        lead="Your browser asks you to confirm.",
        passkey_form="addForm",
        back=PROTECTION,
    ),
    _page(
        "account/protection/passkeys/<int:pk>/",
        "mfa_edit_webauthn",
        passkey_views.EditWebAuthnView,
        "Rename passkey",
        success_url=PROTECTION,
        button="Save name",
        back=PROTECTION,
    ),
    _page(
        "account/protection/passkeys/<int:pk>/remove/",
        "mfa_remove_webauthn",
        passkey_views.RemoveWebAuthnView,
        "Remove passkey",
        template="passkey_remove",
        success_url=PROTECTION,
        back=PROTECTION,
    ),
    _page(
        "password/",
        "account_reset_password",
        views.RequestPasswordReset,
        "New password",
        template="password_forgotten",
        lead="For people with an account. Players use their private link and need no password.",
        button="Send link",
    ),
    _page(
        "password/sent/",
        "account_reset_password_done",
        account_views.PasswordResetDoneView,
        "Check your email",
        template="password_sent",
        lead="If there is an account with this email, a link is on its way. It works for 3 days.",
    ),
    _page(
        "password/<str:uidb36>/<str:key>/",
        "account_reset_password_from_key",
        account_views.PasswordResetFromKeyView,
        "New password",
        template="password_set",
        success_url=ACCOUNT,
        lead="The link works once.",
        button="Set password",
    ),
]
