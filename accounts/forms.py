"""Forms of the account pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth_forms
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.utils import encrypt
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import BlockKind, User
from accounts.names import readable_name, tidy_name
from core.scopes import Scope

LENGTH_HELP = "At least 8 characters, not a common word."

# Only the stubs know that a ModelForm is generic.
if TYPE_CHECKING:
    _UserForm = forms.ModelForm[User]
else:
    _UserForm = forms.ModelForm


class LoginForm(allauth_forms.LoginForm):
    """Username or email, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self, {"login": "Username or email", "password": "Password"})
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(allauth_forms.SignupForm):
    """A new member: username, perhaps an address, a password, and the name others see."""

    display_name = forms.CharField(
        label="Display name",
        max_length=40,
        required=False,
        validators=[readable_name],
        help_text="Shown to other players. Leave empty to use your username.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    field_order = ["username", "display_name", "email", "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(
            self,
            {
                "username": "Username",
                "email": "Email",
                "password1": "Password",
                "password2": "Confirm password",
            },
        )
        self.fields["username"].help_text = "For logging in. Letters, digits and . _ - + @"
        self.fields["email"].help_text = "For password resets and turn notifications."
        self.fields["password1"].help_text = LENGTH_HELP

    def clean_display_name(self) -> str:
        return tidy_name(self.cleaned_data["display_name"])

    def save(self, request: HttpRequest) -> User:
        # The guest's row is locked from the look at it until it is a member's.
        with transaction.atomic():
            user: User = super().save(request)
            return user


class AddEmailForm(allauth_forms.AddEmailForm):
    """A further email address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self, {"email": "Add email address"})


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Where to send the link for a lost password: to confirmed addresses alone."""

    users: list[User]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self, {"email": "Email"})

    def clean_email(self) -> str:
        email: str = super().clean_email()
        confirmed = EmailAddress.objects.filter(email=email.lower(), verified=True)
        owners = set(confirmed.values_list("user_id", flat=True))
        self.users = [user for user in self.users if user.pk in owners]
        return email


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    """A new password, from the link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self, {"password1": "New password", "password2": "Confirm new password"})
        self.fields["password1"].help_text = LENGTH_HELP


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    """A new password for somebody who knows the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(
            self,
            {
                "oldpassword": "Current password",
                "password1": "New password",
                "password2": "Confirm new password",
            },
        )
        self.fields["password1"].help_text = LENGTH_HELP


class ReauthenticateForm(allauth_forms.ReauthenticateForm):
    """The password once more, before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self, {"password": "Password"})


class SecondFactorForm(mfa_forms.AuthenticateForm):
    """The code of the moment, or one of the recovery codes, when logging in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, "Code", "From your authenticator app; or one of your recovery codes.")


class SecondFactorAgainForm(mfa_forms.ReauthenticateForm):
    """The password once more, before a sensitive change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, "Code", "From your authenticator app; or one of your recovery codes.")


class ActivateSecondFactorForm(totp_forms.ActivateTOTPForm):
    """The first code, which shows that the app has understood."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, "Code that the app shows", "Six digits.")

    def clean_code(self) -> str:
        code: str = super().clean_code()
        # Used up, as by a login, so that whoever read it here cannot log in with it.
        factor = Authenticator(user=self.user, data={"secret": encrypt(self.secret)})
        if not TOTP(factor).validate_code(code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class TokenForm(forms.Form):
    """A new API token: what for, what it may, how long."""

    EXPIRIES = (
        ("30", "in 30 days"),
        ("90", "in 90 days"),
        ("365", "in a year"),
        ("never", "never"),
    )

    name = forms.CharField(
        label="Name",
        max_length=60,
        validators=[readable_name],
        help_text="A name to recognise it by.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="Permissions",
        required=False,
        initial=[Scope.PLAY],
        help_text="Every token sees what you see.",
        widget=forms.CheckboxSelectMultiple,
    )
    expires = forms.ChoiceField(label="Expiry", choices=EXPIRIES, initial="365")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        hidden = {Scope.READ} if user.is_staff else {Scope.READ, Scope.STAFF}
        offered = [(scope.value, scope.label) for scope in Scope if scope not in hidden]
        self.fields["scopes"].choices = offered  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"])

    def expires_at(self) -> datetime | None:
        """The moment that was chosen, if there is one."""
        days = self.cleaned_data["expires"]
        return None if days == "never" else timezone.now() + timedelta(days=int(days))


class ProfileForm(_UserForm):
    """A person's profile."""

    class Meta:
        model = User
        fields = ["display_name", "theme"]
        labels = {
            "display_name": "Display name",
            "theme": "Theme",
        }
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname"}),
            "theme": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["display_name"].required = True

    def clean_display_name(self) -> str:
        return tidy_name(self.cleaned_data["display_name"])


class PublicForm(_UserForm):
    """The public part of a profile, and the mark of an account that a program plays."""

    class Meta:
        model = User
        fields = ["shows_record", "shows_matches", "shows_decks", "is_bot"]
        labels = {
            "shows_record": "My statistics and ratings",
            "shows_matches": "My recent public matches",
            "shows_decks": "My most-played decks at public tables",
            "is_bot": "This is a bot account",
        }
        help_texts = {
            "shows_record": "If hidden, you won't appear on leaderboards or among the players. "
            "Your public matches can still be watched, replayed and exported."
        }


class ThemeForm(forms.Form):
    """The theme switch in the header."""

    theme = forms.ChoiceField(choices=User.Theme.choices)


class TableSettingsForm(forms.Form):
    """How tables show what happens."""

    pace = forms.ChoiceField(choices=User.ShownPace.choices)
    sound = forms.BooleanField(required=False)


def _word(form: forms.Form, labels: dict[str, str]) -> None:
    """Our words on allauth's fields: a label that stays, no placeholder that vanishes."""
    for name, label in labels.items():
        field = form.fields[name]
        field.label = label
        field.help_text = ""
        field.widget.attrs.pop("placeholder", None)


def _ask_for_code(form: forms.Form, label: str, help_text: str) -> None:
    _word(form, {"code": label})
    field = form.fields["code"]
    field.help_text = help_text
    field.widget.attrs |= {"inputmode": "numeric", "autocomplete": "one-time-code"}


class FriendForm(forms.Form):
    """Whom to ask to be friends."""

    username = forms.CharField(
        label="Username",
        max_length=150,
        help_text="Shown on their profile, under their name.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )


class BlockForm(forms.Form):
    """Whom to block, and from what."""

    username = forms.CharField(
        label="Username",
        max_length=150,
        help_text="You can also block someone from one of their chat messages.",
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    kind = forms.ChoiceField(label="Block", choices=BlockKind.choices, initial=BlockKind.ALL)
