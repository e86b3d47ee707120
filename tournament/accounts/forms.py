"""Forms to sign in, to create an account and to change or reset a password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model, password_validation
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
)
from django.contrib.auth.models import User

STRENGTH_HINT = "At least ten characters. A few words in a row are easy to remember and hard to guess."


def normalize_email(email: str) -> str:
    """The spelling under which an address is kept: no space around it, lower case."""
    return email.strip().lower()


class SignInForm(AuthenticationForm):
    """E-mail address and password."""

    error_messages = {
        "invalid_login": "E-mail address and password do not match. Capitals count in the password.",
        "inactive": "This account is closed. Ask the people who run this Ringside.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "E-mail address"
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autocomplete": "username", "autofocus": True}
        )

    def clean_username(self) -> str:
        """However the address was capitalised, it is one account."""
        return normalize_email(self.cleaned_data["username"])


class AccountDetailsForm(forms.Form):
    """Who wants an account: name and address."""

    name = forms.CharField(
        max_length=120,
        label="Your name",
        help_text="The log of your events shows it.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        max_length=150,
        label="E-mail address",
        help_text="You sign in with it. It is never shown.",
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )

    def clean_email(self) -> str:
        """However the address is capitalised, it is one account."""
        return normalize_email(self.cleaned_data["email"])


class InitialPasswordForm(forms.Form):
    """The password of an account that is opened; `user` is who it must not remind of."""

    password = forms.CharField(
        label="Password",
        strip=False,
        help_text=STRENGTH_HINT,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    user: User | None = None

    def clean(self) -> dict[str, Any]:
        """Hold the password against name and address too."""
        values = super().clean() or {}
        if values.get("password"):
            typed_user = User(username=values.get("email", ""), first_name=values.get("name", ""))
            try:
                password_validation.validate_password(values["password"], self.user or typed_user)
            except forms.ValidationError as refusal:
                self.add_error("password", refusal)
        return values


class SignUpForm(InitialPasswordForm, AccountDetailsForm):
    """Name, address and a password, where an account is opened at once."""

    field_order = ("name", "email", "password")

    def clean_email(self) -> str:
        """The address, unless it already has an account."""
        email = super().clean_email()
        if get_user_model().objects.filter(username=email).exists():
            sentence = "There is already an account with this address. Sign in instead."
            raise forms.ValidationError(sentence, code="account_exists")
        return email

    def save(self) -> User:
        """Open the account."""
        values = self.cleaned_data
        first, _, last = values["name"].partition(" ")
        return User.objects.create_user(
            values["email"],
            email=values["email"],
            password=values["password"],
            first_name=first,
            last_name=last,
        )


class PasswordResetRequestForm(PasswordResetForm):
    """The address to which a link goes."""

    email = forms.EmailField(
        max_length=254,
        label="E-mail address",
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
    )


def _set_help_texts(form: forms.Form) -> None:
    """The same words for a new password wherever one is chosen."""
    new, again = form.fields["new_password1"], form.fields["new_password2"]
    new.help_text = STRENGTH_HINT
    again.label, again.help_text = "The new password again", ""


class NewPasswordForm(SetPasswordForm):
    """A new password, twice, for the reader of a reset link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_help_texts(self)


class ChangePasswordForm(PasswordChangeForm):
    """The old password, and a new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_help_texts(self)
