"""Forms of the ways of being told."""

from __future__ import annotations

from django import forms

from notices.models.channels import LONGEST_ADDRESS, AddressUse, HookShape


class HookForm(forms.Form):
    """The address to call, and the form of its messages."""

    shape = forms.ChoiceField(
        label="Service",
        choices=[
            ("discord", "Discord"),
            ("slack", "Slack"),
            ("ntfy", "ntfy"),
            ("telegram", "Telegram"),
            ("json", "A program"),
        ],
        initial=HookShape.DISCORD,
        widget=forms.RadioSelect,
    )
    url = forms.CharField(
        label="Address",
        max_length=LONGEST_ADDRESS,
        help_text="It begins with https:// and is kept secret: anyone with it can post there.",
        error_messages={
            "required": "Give the address that is to be called.",
            "max_length": f"That address is too long; {LONGEST_ADDRESS} characters are allowed.",
        },
        widget=forms.URLInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}
        ),
    )


class SubscriptionForm(forms.Form):
    """A browser's subscription to web push."""

    endpoint = forms.CharField(max_length=LONGEST_ADDRESS)
    key = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)


class AddressForm(forms.Form):
    """Which secret address is meant."""

    use = forms.ChoiceField(choices=AddressUse.choices)
