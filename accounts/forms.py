"""Forms of the account pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth_forms
from django import forms
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.names import readable_name, tidy_name

# Only the stubs know that a ModelForm is generic.
if TYPE_CHECKING:
    _UserForm = forms.ModelForm[User]
else:
    _UserForm = forms.ModelForm


class LoginForm(allauth_forms.LoginForm):
    """Username or e-mail, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or e-mail"
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["password"].help_text = ""
        _without_placeholders(self)


class SignupForm(allauth_forms.SignupForm):
    """A new member: username, perhaps an address, a password, and the name others see."""

    display_name = forms.CharField(
        label="Name at the table",
        max_length=40,
        required=False,
        validators=[readable_name],
        help_text="What others see. Left empty, it is your username.",
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    field_order = ["username", "display_name", "email", "password1", "password2"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = "For logging in. Letters, digits and . _ - + @"
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "For a lost password, and to hear of your turn."
        self.fields["password1"].help_text = "At least 8 signs, not a common word."
        self.fields["password2"].label = "The password again"
        _without_placeholders(self)

    def clean_display_name(self) -> str:
        return tidy_name(self.cleaned_data["display_name"])

    def save(self, request: HttpRequest) -> User:
        # The guest's row is locked from the look at it until it is a member's.
        with transaction.atomic():
            user: User = super().save(request)
            return user


class ProfileForm(_UserForm):
    """What people may change about themselves."""

    class Meta:
        model = User
        fields = ["display_name", "theme", "mail_my_turn"]
        labels = {
            "display_name": "Name at the table",
            "theme": "Light or dark",
            "mail_my_turn": "Tell me by e-mail when it is my turn",
        }
        widgets = {
            "display_name": forms.TextInput(attrs={"autocomplete": "nickname"}),
            "theme": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["display_name"].required = True
        if not self.instance.email:
            self.fields["mail_my_turn"].help_text = "You have not given an address yet."

    def clean_display_name(self) -> str:
        return tidy_name(self.cleaned_data["display_name"])


class ThemeForm(forms.Form):
    """The theme switch in the header."""

    theme = forms.ChoiceField(choices=User.Theme.choices)


def _without_placeholders(form: forms.Form) -> None:
    """The label says it already, and a placeholder vanishes when one types."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
