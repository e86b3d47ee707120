"""The forms of django-allauth with our words; a name for new accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy

from tournament.accounts import services

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as StrOrPromise

Words: TypeAlias = "dict[str, tuple[StrOrPromise, StrOrPromise]]"

STRENGTH_HINT = gettext_lazy(
    "At least 10 characters. A few words in a row are easy to remember and hard to guess."
)
NEW_PASSWORD: Words = {
    "password1": (gettext_lazy("New password"), STRENGTH_HINT),
    "password2": (gettext_lazy("New password again"), ""),
}
APP_CODE: Words = {
    "code": (
        gettext_lazy("Code"),
        gettext_lazy("6 digits from your authenticator app, or one of your recovery codes."),
    )
}


class _OurWords:
    """Labels and help texts by the name of the field.

    There are no placeholders, because they vanish with the first letter.
    """

    words: ClassVar[Words] = {}
    attributes: ClassVar[dict[str, object]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        for field in fields.values():
            field.widget.attrs.pop("placeholder", None)
        for number, (name, (label, help_text)) in enumerate(self.words.items()):
            fields[name].label, fields[name].help_text = label, help_text
            fields[name].widget.attrs.update(self.attributes if number == 0 else {})


def _word(form: type, words: Words, **attributes: Any) -> type:
    """Return the same form with our words; the first field gets the attributes."""
    return type(form.__name__, (_OurWords, form), {"words": words, "attributes": attributes})


TYPED_AT_ONCE = {"autofocus": True}
DIGITS = {"inputmode": "numeric"}

EmailCodeForm = _word(
    account_forms.ConfirmEmailVerificationCodeForm,
    {"code": (gettext_lazy("Code from the email"), "")},
    **TYPED_AT_ONCE,
)
PasswordResetRequestForm = _word(
    account_forms.ResetPasswordForm, {"email": (gettext_lazy("Email"), "")}, **TYPED_AT_ONCE
)
FirstPasswordForm = _word(account_forms.SetPasswordForm, NEW_PASSWORD)
ChangePasswordForm = _word(
    account_forms.ChangePasswordForm, {"oldpassword": (gettext_lazy("Current password"), ""), **NEW_PASSWORD}
)
ConfirmPasswordForm = _word(
    account_forms.ReauthenticateForm, {"password": (gettext_lazy("Password"), "")}, **TYPED_AT_ONCE
)
SignInCodeForm = _word(mfa_forms.AuthenticateForm, APP_CODE, **TYPED_AT_ONCE, **DIGITS)
ConfirmCodeForm = _word(mfa_forms.ReauthenticateForm, APP_CODE, **TYPED_AT_ONCE, **DIGITS)
ActivateAppForm = _word(
    ActivateTOTPForm, {"code": ("Code", gettext_lazy("The 6 digits that the app shows now."))}, **DIGITS
)
RenamePasskeyForm = _word(passkey_forms.EditWebAuthnForm, {"name": (gettext_lazy("Name"), "")})


class SignInForm(_OurWords, account_forms.LoginForm):
    """Email and password."""

    words: ClassVar[Words] = {
        "login": (gettext_lazy("Email"), ""),
        "password": (gettext_lazy("Password"), ""),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Accounts from the command line may have a name that is not an email.
        self.fields["login"].validators.append(MaxLengthValidator(254))
        self.fields["login"].widget = forms.TextInput(
            attrs={
                "autocomplete": "username",
                "inputmode": "email",
                "autocapitalize": "none",
                "maxlength": 254,
            }
        )
        self.fields["password" if self.is_bound else "login"].widget.attrs["autofocus"] = True

    def user_credentials(self) -> dict[str, str]:
        """Name the account in one way only.

        A second lookup would take longer if the account exists.
        """
        login = self.cleaned_data["login"]
        return {"email" if "@" in login else "username": login, "password": self.cleaned_data["password"]}


class NameField(forms.CharField):
    """The name of a person."""

    def __init__(self) -> None:
        super().__init__(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name"}))


class ChangeNameForm(_OurWords, forms.Form):
    """A new name."""

    words: ClassVar[Words] = {
        "name": (gettext_lazy("Your name"), gettext_lazy("The log of your events shows it from now on."))
    }
    name = NameField()


class ChangeEmailForm(_OurWords, account_forms.AddEmailForm):
    """A new email."""

    words: ClassVar[Words] = {
        "email": (gettext_lazy("New email"), gettext_lazy("You sign in with it. It is never shown."))
    }
    attributes: ClassVar[dict[str, object]] = {"autocomplete": "email", "maxlength": 150}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The email is the name of the account too, which has room for 150 characters.
        self.fields["email"].validators.append(MaxLengthValidator(150))

    def clean_email(self) -> str:
        """Refuse the email of another account, unless a code tells its owner alone."""
        email = super().clean_email()
        if services.verifies_email():
            return email
        others = User.objects.exclude(pk=self.user.pk).filter(Q(username=email) | Q(email=email))
        if others.exists() or EmailAddress.objects.filter(email=email).exclude(user=self.user).exists():
            raise get_adapter().validation_error("email_taken")
        return email

    def save(self, request: HttpRequest) -> EmailAddress:
        """Send a code to the new email; if none can be sent, the email changes at once."""
        if services.verifies_email():
            return super().save(request)
        messages.success(request, gettext("Email changed."))
        return services.change_email(self.user, self.cleaned_data["email"])


class SignUpForm(_OurWords, account_forms.SignupForm):
    """Name, email and a password."""

    words: ClassVar[Words] = {
        "name": (gettext_lazy("Your name"), gettext_lazy("The log of your events shows it.")),
        "email": (gettext_lazy("Email"), gettext_lazy("You sign in with it. It is never shown.")),
        "password1": (gettext_lazy("Password"), STRENGTH_HINT),
    }
    field_order = ("name", "email", "password1")

    name = NameField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The email is the name of the account too, which has room for 150 characters.
        self.fields["email"].validators.append(MaxLengthValidator(150))
        self.fields["email"].widget.attrs.update(autocomplete="username", maxlength=150)

    def clean_password1(self) -> str:
        """Refuse a password that is like the name or the email."""
        email, name = self.cleaned_data.get("email", ""), self.cleaned_data.get("name", "")
        user = User(username=email, email=email, first_name=name)
        return get_adapter().clean_password(self.cleaned_data["password1"], user)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account; the answer takes as long if there is one already."""
        if self.account_already_exists:
            User().set_password(self.cleaned_data["password1"])
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.info(request, gettext("There is already an account with this email. Sign in."))
            return None, redirect("account_login")

    def save(self, request: HttpRequest) -> User:
        """Create the account; if no code can be sent, the email counts as verified."""
        if not services.verifies_email():
            get_adapter().stash_verified_email(request, self.cleaned_data["email"])
        return super().save(request)


class NewPasswordForm(_OurWords, account_forms.ResetPasswordKeyForm):
    """A new password, twice, for the reader of a link."""

    words = NEW_PASSWORD

    def save(self) -> None:
        """Set the password; a person with the link has read the email."""
        super().save()
        self.user.emailaddress_set.filter(email=self.user.email).update(verified=True)


def _refuse_any_fault(read_value: Callable[[], Any]) -> Any:
    """Refuse any fault in a passkey answer with a message.

    A program may send anything, and allauth fails at some shapes.
    """
    try:
        return read_value()
    except forms.ValidationError:
        raise
    except Exception as error:
        raise get_mfa_adapter().validation_error("incorrect_code") from error


class _AnyAnswer:
    def clean_credential(self) -> Any:
        """Return the passkey that has answered."""
        return _refuse_any_fault(super().clean_credential)  # type: ignore[misc]


class PasskeySignInForm(_AnyAnswer, passkey_forms.LoginWebAuthnForm):
    """The answer of a passkey in place of the password."""


class PasskeyCodeForm(_AnyAnswer, passkey_forms.AuthenticateWebAuthnForm):
    """The answer of a passkey after the password."""


class ConfirmPasskeyForm(_AnyAnswer, passkey_forms.ReauthenticateWebAuthnForm):
    """The answer of a passkey once more, before a change of how one signs in."""


class AddPasskeyForm(_OurWords, passkey_forms.AddWebAuthnForm):
    """A name for the passkey, and whether it takes the place of the password."""

    words: ClassVar[Words] = {
        "name": ("Name", gettext_lazy("To distinguish it from others.")),
        "passwordless": (
            gettext_lazy("Sign in without a password"),
            gettext_lazy("Clear this for a security key without a PIN."),
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True

    def clean(self) -> dict[str, object]:
        """Check what the new passkey has answered."""
        return _refuse_any_fault(super().clean)
