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


def _page(route: str, name: str, view: type, template: str = "", **values: object) -> URLPattern:
    template_name = {"template_name": f"tournament/accounts/{template}.html"} if template else {}
    return path(route, view.as_view(**template_name, **values), name=name)  # type: ignore[attr-defined]


public_urlpatterns = [
    _page("sign-in/", "account_login", views.SignIn),
    _page("sign-in/code/", "mfa_authenticate", mfa_views.AuthenticateView, "sign_in_code"),
    _page("sign-in/trust/", "mfa_trust", mfa_views.TrustView, "sign_in_trust"),
    _page("sign-in/passkey/", "mfa_login_webauthn", passkey_views.LoginWebAuthnView),
    path("sign-out/", require_POST(account_views.LogoutView.as_view()), name="account_logout"),
    _page("sign-up/", "account_signup", views.SignUp),
    _page(
        "sign-up/code/",
        "account_email_verification_sent",
        account_views.ConfirmEmailVerificationCodeView,
        "sign_up_code",
    ),
    _page("account/", "account", views.Account),
    path("account/sign-out/<int:device>/", views.sign_out_device, name="sign_out_device"),
    _page("account/closed/", "account_inactive", account_views.AccountInactiveView, "account_closed"),
    _page("account/name/", "change_name", views.ChangeName),
    _page("account/email/", "account_email", views.ChangeEmail),
    _page("account/password/", "account_change_password", views.ChangePassword),
    _page(
        "account/password/first/", "account_set_password", account_views.PasswordSetView, "password_change"
    ),
    _page("account/confirm/", "account_reauthenticate", account_views.ReauthenticateView, "confirm_password"),
    _page("account/confirm/code/", "mfa_reauthenticate", mfa_views.ReauthenticateView, "confirm_code"),
    _page(
        "account/confirm/passkey/",
        "mfa_reauthenticate_webauthn",
        passkey_views.ReauthenticateWebAuthnView,
        "confirm_passkey",
    ),
    _page("account/protection/", "mfa_index", mfa_views.IndexView, "protection"),
    _page("account/protection/app/", "mfa_activate_totp", totp_views.ActivateTOTPView, "app_add"),
    _page(
        "account/protection/app/remove/", "mfa_deactivate_totp", totp_views.DeactivateTOTPView, "app_remove"
    ),
    _page(
        "account/protection/codes/",
        "mfa_view_recovery_codes",
        recovery_views.ViewRecoveryCodesView,
        "recovery_codes",
    ),
    _page(
        "account/protection/codes/new/",
        "mfa_generate_recovery_codes",
        recovery_views.GenerateRecoveryCodesView,
        "recovery_codes_new",
    ),
    path(
        "account/protection/codes/download/",
        login_required(recovery_views.DownloadRecoveryCodesView.as_view()),
        name="mfa_download_recovery_codes",
    ),
    _page(
        "account/protection/passkeys/add/", "mfa_add_webauthn", passkey_views.AddWebAuthnView, "passkey_add"
    ),
    _page(
        "account/protection/passkeys/<int:pk>/",
        "mfa_edit_webauthn",
        passkey_views.EditWebAuthnView,
        "passkey_rename",
        success_url=PROTECTION,
    ),
    _page(
        "account/protection/passkeys/<int:pk>/remove/",
        "mfa_remove_webauthn",
        passkey_views.RemoveWebAuthnView,
        "passkey_remove",
        success_url=PROTECTION,
    ),
    _page("password/", "account_reset_password", views.RequestPasswordReset),
    _page(
        "password/sent/",
        "account_reset_password_done",
        account_views.PasswordResetDoneView,
        "password_sent",
    ),
    _page(
        "password/<str:uidb36>/<str:key>/",
        "account_reset_password_from_key",
        account_views.PasswordResetFromKeyView,
        "password_set",
        success_url=ACCOUNT,
    ),
]
