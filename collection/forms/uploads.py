"""A form for what comes from elsewhere: as a file, or pasted."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

AS_TYPED = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
"""Attributes of a field for lists: no browser mends what is typed."""


class UploadForm(forms.Form):
    """A file or a text, whichever there is; a file goes before what is pasted.

    ``accept`` names the kinds of files, ``most`` is their size in bytes, ``file_help`` the line
    below the field; ``nothing`` is said where neither is there.
    """

    accept: ClassVar[str]
    most: ClassVar[int]
    file_help: ClassVar[str] = ""
    nothing: ClassVar[str]

    file = forms.FileField(
        required=False, allow_empty_file=True, label="A file", widget=forms.FileInput
    )
    text = forms.CharField(required=False, strip=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["file"].help_text = self.file_help
        self.fields["file"].widget.attrs |= {"accept": self.accept, "data-most": str(self.most)}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not (data.get("text") or "").strip() and not self.errors:
            self.add_error("file", self.nothing)
        return data

    def content(self) -> bytes | str:
        """The file's bytes or else the text."""
        if file := self.cleaned_data["file"]:
            # One byte more than is taken, so that the reader can say that it is too much.
            return bytes(file.read(self.most + 1))
        return str(self.cleaned_data["text"])
