"""Which form a deck comes in, from what is in the file: names and endings of files may lie."""

from __future__ import annotations

from django.conf import settings

from decks.lists import cockatrice, code, game_json, tabletop
from decks.lists.contents import Contents
from decks.lists.errors import NotOurs, TooLarge, Unreadable

MAX_BYTES: int = settings.DECK_BYTES
TEXT = "text"
FORMS = {
    TEXT: "a list",
    game_json.FORM: "Riffle’s own JSON",
    cockatrice.FORM: "a deck from Cockatrice",
    tabletop.FORM: "a saved object from Tabletop Simulator",
    code.FORM: "a deck code",
}
"""Names of the kinds of lists, as people call them."""
_BINARY = (
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a compressed file"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
)
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_any(data: bytes | str) -> Contents:
    """The deck in a file or in what was pasted; raises ``Unreadable`` with a sentence."""
    if len(data) > MAX_BYTES:
        most = MAX_BYTES // 1024 // 1024
        raise TooLarge(f"Too large for a deck (limit: {most} MB).")
    text = data if isinstance(data, str) else decoded(data)
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise NotOurs("Not a text file.")
    begin = text.lstrip()
    if not begin:
        raise Unreadable("The file is empty.")
    if code.looks_like_code(begin.rstrip()):
        return code.read(begin.rstrip())
    if begin[0] == "<":
        return cockatrice.read(begin)
    if begin[0] == "{":
        parsed = game_json.parse(begin)
        return tabletop.read(parsed) if tabletop.is_saved_object(parsed) else game_json.read(parsed)
    return Contents(text="\n".join(text.splitlines()) + "\n", form=TEXT)


def decoded(data: bytes) -> str:
    """The text of a file, whatever its encoding; raises ``Unreadable`` where it is none."""
    for begin, what in _BINARY:
        if data.startswith(begin):
            raise NotOurs(f"This is {what}. Use text, JSON or a Cockatrice file.")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        pass
    # What older programs on Windows write; control signs give away what is no text at all.
    text = data.decode("cp1252", errors="replace")
    if encoding != "utf-8" or any(sign < " " and sign not in "\t\r\n" for sign in text):
        raise NotOurs("Not a text file.")
    return text
