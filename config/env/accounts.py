"""Settings of django-allauth: accounts, limits on tries, passkeys and codes."""

from __future__ import annotations

from datetime import timedelta

FORMS = "tournament.accounts.forms"

# "tries/time/per": per "key" is an account, an address or an invitation; per "ip" a network address.
# docs/reference/limits.md lists them.
RATE_LIMITS: dict[str, str | None] = {
    # Every sign-in page asks the adapter, which counts wrong tries by the next three limits.
    "login": None,
    "login_failed": "10/15m/key",
    "login_failed_from_address": "100/15m/ip",
    "login_failed_on_known_device": "10/15m/key",
    "signup": "30/h/ip",
    "signup_by_invitation": "5/h/key",
    "manage_email": "10/h/user",
    "confirm_email": "1/10s/key,3/h/key",
    "reset_password": "30/h/ip,3/h/key",
    "register": "300/10m/ip",
    "send_private_link": "30/h/ip,3/h/key",
    # Not by network address: a venue with many phones has one.
    "email_link": "3/h/key",
}


ACCOUNT_FORMS = {
    "login": f"{FORMS}.SignInForm",
    "signup": f"{FORMS}.SignUpForm",
    "add_email": f"{FORMS}.ChangeEmailForm",
    "confirm_email_verification_code": f"{FORMS}.EmailCodeForm",
    "reset_password": f"{FORMS}.PasswordResetRequestForm",
    "reset_password_from_key": f"{FORMS}.NewPasswordForm",
    "set_password": f"{FORMS}.FirstPasswordForm",
    "change_password": f"{FORMS}.ChangePasswordForm",
    "reauthenticate": f"{FORMS}.ConfirmPasswordForm",
}

MFA_FORMS = {
    "activate_totp": f"{FORMS}.ActivateAppForm",
    "authenticate": f"{FORMS}.SignInCodeForm",
    "reauthenticate": f"{FORMS}.ConfirmCodeForm",
    "login_webauthn": f"{FORMS}.PasskeySignInForm",
    "authenticate_webauthn": f"{FORMS}.PasskeyCodeForm",
    "reauthenticate_webauthn": f"{FORMS}.ConfirmPasskeyForm",
    "add_webauthn": f"{FORMS}.AddPasskeyForm",
    "edit_webauthn": f"{FORMS}.RenamePasskeyForm",
}


def settings(*, verifies_email: bool, behind_proxy: bool) -> dict[str, object]:
    """Return settings for an installation, with or without email verification.

    Email addresses are verified by a code.
    """
    return {
        "ALLAUTH_TRUSTED_PROXY_COUNT": 1 if behind_proxy else 0,
        **_account_settings(verifies_email=verifies_email),
        **_mfa_settings(verifies_email=verifies_email),
    }


def _account_settings(*, verifies_email: bool) -> dict[str, object]:
    return {
        "ACCOUNT_ADAPTER": "tournament.accounts.adapter.AccountAdapter",
        "ACCOUNT_FORMS": ACCOUNT_FORMS,
        "ACCOUNT_LOGIN_METHODS": {"email", "username"},
        "ACCOUNT_SIGNUP_FIELDS": ["email*", "password1*"],
        "ACCOUNT_CHANGE_EMAIL": True,
        "ACCOUNT_EMAIL_VERIFICATION": "mandatory" if verifies_email else "none",
        "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED": verifies_email,
        "ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND": True,
        "ACCOUNT_EMAIL_NOTIFICATIONS": verifies_email,
        "ACCOUNT_LOGIN_ON_PASSWORD_RESET": True,
        "ACCOUNT_RATE_LIMITS": RATE_LIMITS,
        "ACCOUNT_SESSION_REMEMBER": True,
        "ACCOUNT_USER_DISPLAY": "tournament.accounts.services.get_display_name",
    }


def _mfa_settings(*, verifies_email: bool) -> dict[str, object]:
    return {
        "MFA_ADAPTER": "tournament.accounts.adapter.MfaAdapter",
        "MFA_FORMS": MFA_FORMS,
        "MFA_SUPPORTED_TYPES": ["webauthn", "totp", "recovery_codes"],
        "MFA_PASSKEY_LOGIN_ENABLED": True,
        "MFA_ALLOW_UNVERIFIED_EMAIL": not verifies_email,
        # A passkey cannot be guessed, and a limit would let strangers lock people out.
        "MFA_RATE_LIMITS": {"webauthn_login": None},
        "MFA_TOTP_ISSUER": "Ringside",
        "MFA_TOTP_TOLERANCE": 1,
        "MFA_TRUST_ENABLED": True,
        "MFA_TRUST_COOKIE_AGE": timedelta(days=60),
    }
