"""Whose columns mean what: our own form, and those of five collection managers.

A dialect is known by headers that only it has, never by one column that several sites share. What
a column of a site means here is written down once and used for reading and for writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

OWN_COLUMNS = (
    "game", "set", "number", "name", "finish", "condition", "language", "quantity", "tradelist",
    "wanted", "tags", "notes", "acquired", "source",
)  # fmt: skip
"""What a column can mean: these, ``set_name`` (a set in words) and ``rarity``, which is not read.

``finish`` is a card's colour, ``tradelist`` how many copies may go, ``wanted`` how many there shall
be in all, ``source`` whether copies were dealt here or recorded by their owner.
"""
KEPT = ("condition", "language", "acquired")
"""What is understood, checked and kept with a holding, but means nothing else here."""
FOIL = "foil"
"""The column that says of a copy that it shines; ``finish`` is the card's own colour."""
REST = "other columns"
"""Where an export has no room for a column each: a JSON object, column → value."""

DEALT, RECORDED = "dealt", "recorded"
SOURCES = (DEALT, RECORDED)

CONDITIONS = ("mint", "near_mint", "excellent", "good", "played", "heavily_played", "damaged")
"""From best to worst; each site has words of its own for them."""
LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "it": "Italian", "es": "Spanish",
    "pt": "Portuguese", "nl": "Dutch", "pl": "Polish", "cs": "Czech", "sv": "Swedish",
    "da": "Danish", "fi": "Finnish", "hu": "Hungarian", "ru": "Russian", "uk": "Ukrainian",
    "tr": "Turkish", "el": "Greek", "ja": "Japanese", "ko": "Korean", "zh": "Chinese",
    "zhs": "Chinese Simplified", "zht": "Chinese Traditional", "la": "Latin", "he": "Hebrew",
    "ar": "Arabic", "sa": "Sanskrit", "ph": "Phyrexian",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dialect:
    """The columns of one site, in its order, and its words for values.

    ``columns`` maps headers to fields ("" for what means nothing here and is kept as it stands);
    ``only`` are headers that no other dialect has; ``conditions`` its word for each of
    ``CONDITIONS``; ``plain`` its word for cards that do not shine; ``also`` are columns that it
    has only where they are needed.
    """

    slug: str
    name: str
    columns: Mapping[str, str]
    only: frozenset[str]
    needed: tuple[frozenset[str], ...]
    conditions: Mapping[str, str] = field(default_factory=dict)
    codes: bool = False  # languages as codes instead of names
    plain: str = ""
    first_line: str = ""
    also: Mapping[str, str] = field(default_factory=dict)

    def meaning(self, header: str) -> str:
        """The field of a header, whatever its case; "" for a column that means nothing here."""
        return _meanings(self).get(_key(header), "")

    def condition_word(self, condition: str) -> str:
        """The site's word for a condition; where it has none, that for the next worse one."""
        for word in CONDITIONS[CONDITIONS.index(condition) :]:
            if word in self.conditions:
                return self.conditions[word]
        return ""

    def fits(self, headers: Iterable[str]) -> int:
        """How many of its own headers are there; 0 when it cannot be this dialect."""
        here = {_key(header) for header in headers}
        if not all(any(_key(name) in here for name in names) for names in self.needed):
            return 0
        return sum(_key(name) in here for name in self.only)


def _key(header: str) -> str:
    return " ".join(header.casefold().split())


#: Columns that mean the same wherever they are.
_EVERYWHERE = ("game", "wanted", "tags", "notes", "acquired", "source", "condition", "language")


def _meanings(dialect: Dialect) -> dict[str, str]:
    columns = (*dialect.columns.items(), *dialect.also.items())
    theirs = {_key(header): meaning for header, meaning in columns}
    return {name: name for name in _EVERYWHERE} | theirs


def _columns(names: str, **meanings: str) -> dict[str, str]:
    """Headers as a site writes them, with the field that each of some means."""
    by_header = {header.replace("_", " "): meaning for header, meaning in meanings.items()}
    return {name: by_header.get(name, "") for name in names.split(",")}


_COUNT_AND_NAME = (frozenset({"Count"}), frozenset({"Name"}))
_QUANTITY_AND_NAME = (frozenset({"Quantity"}), frozenset({"Name"}))

OWN = Dialect(
    slug="riffle",
    name="Riffle",
    columns={name: name for name in OWN_COLUMNS},
    only=frozenset({"game", "tradelist", "wanted", "acquired", "source"}),
    needed=(frozenset({"quantity", "wanted"}), frozenset({"name", "number"})),
    conditions={word: word for word in CONDITIONS},
    codes=True,
    also={REST: REST},
)
MOXFIELD = Dialect(
    slug="moxfield",
    name="Moxfield",
    columns=_columns(
        "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,"
        "Collector Number,Alter,Proxy,Purchase Price",
        Count="quantity",
        Tradelist_Count="tradelist",
        Name="name",
        Edition="set",
        Condition="condition",
        Language="language",
        Foil="finish",
        Tags="tags",
        Collector_Number="number",
    ),
    only=frozenset({"Last Modified", "Alter", "Proxy"}),
    needed=_COUNT_AND_NAME,
    conditions={
        "mint": "Mint",
        "near_mint": "Near Mint",
        "good": "Good (Lightly Played)",
        "played": "Played",
        "heavily_played": "Heavily Played",
        "damaged": "Damaged",
    },
)
DECKBOX = Dialect(
    slug="deckbox",
    name="Deckbox",
    columns=_columns(
        "Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,"
        "Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,"
        "My Price",
        Count="quantity",
        Tradelist_Count="tradelist",
        Name="name",
        Edition="set_name",
        Edition_Code="set",
        Card_Number="number",
        Condition="condition",
        Language="language",
        Foil="finish",
        Tags="tags",
    ),
    only=frozenset(
        {"Artist Proof", "Altered Art", "Textless", "Printing Id", "Printing Note", "My Price"}
    ),
    needed=_COUNT_AND_NAME,
    conditions={
        "mint": "Mint",
        "near_mint": "Near Mint",
        "good": "Good (Lightly Played)",
        "played": "Played",
        "heavily_played": "Heavily Played",
        "damaged": "Poor",
    },
)
MANABOX = Dialect(
    slug="manabox",
    name="ManaBox",
    columns=_columns(
        "Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,"
        "ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,"
        "Purchase price currency",
        Name="name",
        Set_code="set",
        Set_name="set_name",
        Collector_number="number",
        Foil="finish",
        Rarity="rarity",
        Quantity="quantity",
        Condition="condition",
        Language="language",
    ),
    only=frozenset({"Binder Name", "Binder Type", "ManaBox ID", "Purchase price currency"}),
    needed=_QUANTITY_AND_NAME,
    conditions={
        "mint": "mint",
        "near_mint": "near_mint",
        "excellent": "excellent",
        "good": "good",
        "played": "light_played",
        "heavily_played": "played",
        "damaged": "poor",
    },
    codes=True,
    plain="normal",
)
ARCHIDEKT = Dialect(
    slug="archidekt",
    name="Archidekt",
    columns=_columns(
        "Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,"
        "Edition Code,Multiverse Id,Scryfall ID,MTGO ID,Collector Number",
        Quantity="quantity",
        Name="name",
        Finish="finish",
        Condition="condition",
        Language="language",
        Tags="tags",
        Edition_Name="set_name",
        Edition_Code="set",
        Collector_Number="number",
    ),
    only=frozenset({"Date Added", "Multiverse Id", "MTGO ID", "Edition Name"}),
    needed=_QUANTITY_AND_NAME,
    conditions={
        "near_mint": "NM",
        "good": "LP",
        "played": "MP",
        "heavily_played": "HP",
        "damaged": "D",
    },
    codes=True,
    plain="Normal",
)
DRAGON_SHIELD = Dialect(
    slug="dragon-shield",
    name="Dragon Shield",
    columns=_columns(
        "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,"
        "Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET",
        Quantity="quantity",
        Trade_Quantity="tradelist",
        Card_Name="name",
        Set_Code="set",
        Set_Name="set_name",
        Card_Number="number",
        Condition="condition",
        Printing="finish",
        Language="language",
    ),
    only=frozenset({"Folder Name", "Trade Quantity", "Price Bought", "Date Bought"}),
    needed=(frozenset({"Quantity"}), frozenset({"Card Name"})),
    conditions={
        "mint": "Mint",
        "near_mint": "NearMint",
        "excellent": "Excellent",
        "good": "Good",
        "played": "LightPlayed",
        "heavily_played": "Played",
        "damaged": "Poor",
    },
    plain="Normal",
    first_line='"sep=,"\r\n',
)
SITES = (MOXFIELD, DECKBOX, MANABOX, ARCHIDEKT, DRAGON_SHIELD)
#: A table of somebody's own, with the usual words for the usual things. It is only ever read.
TABLE = Dialect(
    slug="table",
    name="a table",
    columns={
        "quantity": "quantity", "count": "quantity", "qty": "quantity", "amount": "quantity",
        "name": "name", "card": "name", "card name": "name", "title": "name",
        "game": "game",
        "set": "set", "set code": "set", "edition code": "set",
        "edition": "set_name", "set name": "set_name", "edition name": "set_name",
        "number": "number", "card number": "number", "collector number": "number",
        "colour": "finish", "color": "finish", "finish": "finish", "foil": "finish",
        "condition": "condition", "language": "language",
        "tradelist": "tradelist", "tradelist count": "tradelist", "trade quantity": "tradelist",
        "spare": "tradelist", "for trade": "tradelist",
        "wanted": "wanted", "wants": "wanted",
        "tags": "tags", "notes": "notes", "source": "source", "acquired": "acquired",
    },
    only=frozenset(),
    needed=(
        frozenset({"quantity", "count", "qty", "amount"}),
        frozenset({"name", "card", "card name", "title", "number", "card number"}),
    ),
)  # fmt: skip
TEXT, JSON = "text", "json"
WORDS = {dialect.slug: dialect.name for dialect in (OWN, *SITES, TABLE)} | {
    TEXT: "plain text",
    JSON: "JSON",
}


def recognise(headers: Iterable[str]) -> Dialect | None:
    """Whose headers these are: the dialect with most of its own among them, or a plain table."""
    here = list(headers)
    best = max((OWN, *SITES), key=lambda dialect: dialect.fits(here))
    if best.fits(here):
        return best
    found = {_key(header) for header in here}
    return TABLE if all(names & found for names in TABLE.needed) else None


_CONDITION_WORDS: dict[str, str] = {
    "m": "mint", "nm": "near_mint", "near mint (nm)": "near_mint", "ex": "excellent",
    "gd": "good", "lp": "good", "lightly played": "good", "light played": "good",
    "good (lightly played)": "good", "sp": "good", "slightly played": "good",
    "mp": "played", "moderately played": "played", "pl": "played",
    "hp": "heavily_played", "po": "damaged", "poor": "damaged", "d": "damaged",
}  # fmt: skip


def condition_of(word: str, dialect: Dialect | None) -> str:
    """The condition that a site's word means, or "" where it means none."""
    key = _key(word.replace("_", " "))
    if dialect:
        for condition, theirs in dialect.conditions.items():
            if _key(theirs.replace("_", " ")) == key:
                return condition
    plain = key.replace(" ", "_")
    return plain if plain in CONDITIONS else _CONDITION_WORDS.get(key, "")


def language_of(word: str) -> str:
    """The code of a language that is written as a code or as a name; "" for an unknown one."""
    key = _key(word)
    if key in LANGUAGES:
        return key
    return next((code for code, name in LANGUAGES.items() if name.casefold() == key), "")
