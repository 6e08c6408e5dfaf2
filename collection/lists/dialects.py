"""Whose columns mean what: our own form, and those of seven collection managers.

A dialect is known by headers that only it has, never by one column that several sites share. What
a column of a site means here is written down once and used for reading and for writing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from collection.copies import CONDITIONS, ETCHED, LANGUAGES
from collection.copies import FOIL as SHINES

OWN_COLUMNS = (
    "game", "set", "number", "name", "finish", "condition", "language", "foil", "binder",
    "quantity", "tradelist", "wishlist", "tags", "notes", "copy tags", "note", "acquired", "source",
)  # fmt: skip
"""The meanings a column can have.

Besides these: ``set_name`` (a set in words), ``binder_type``, and ``rarity`` and ``simple_name``,
which are not read.

``finish`` is a card's colour, ``foil`` how copies of it shine, ``tradelist`` how many copies are
for trade, ``wishlist`` how many the owner wants in all, ``source`` if copies are digital or
physical. ``tags`` and ``notes`` are a card's, ``copy tags`` and ``note`` those of its copies.
"""
FOIL, BINDER, NOTE, COPY_TAGS = "foil", "binder", "note", "copy tags"
COPY_COLUMNS = "copy columns"
"""Details that our own format keeps with copies, not with a card: a JSON object."""
COPIES = ("condition", "language", FOIL, BINDER, NOTE, COPY_TAGS, COPY_COLUMNS)
"""Details of copies, each in a column of its own."""
SET = "set"
"""Which printing copies are of, where it is not the card's first: a set's slug."""
KEPT = (*COPIES, "acquired", SET)
"""Columns that are understood and checked, and kept under these names with a line."""
AS_WRITTEN = {
    "condition": "written condition",
    "language": "written language",
    FOIL: "written finish",
}
"""Where a word is kept that means no condition, language or finish here."""
REST = "other columns"
"""Where an export has no room for a column each: a JSON object, column → value."""

DIGITAL, PHYSICAL = "digital", "physical"
SOURCES = (DIGITAL, PHYSICAL)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The columns of one site, in its order, and its words for values.

    ``columns`` maps headers to fields ("" for what means nothing here and is kept as it stands);
    ``only`` are headers that no other dialect has; ``conditions`` its word for each of
    ``CONDITIONS`` and ``languages`` for each language that it calls otherwise than by its code or
    name; ``finishes`` its words for copies that shine, ``plain`` for those that do not; ``usual``
    what a column of its own says unless somebody said otherwise; ``also`` are columns that it has
    only where they are needed. ``times`` is written behind a count.
    """

    slug: str
    name: str
    columns: Mapping[str, str]
    only: frozenset[str]
    needed: tuple[frozenset[str], ...]
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    codes: bool = False  # languages as codes instead of names
    finishes: Mapping[str, str] = field(default_factory=lambda: {SHINES: SHINES, ETCHED: ETCHED})
    plain: str = ""
    usual: Mapping[str, str] = field(default_factory=dict)
    times: str = ""
    first_line: str = ""
    also: Mapping[str, str] = field(default_factory=dict)

    def meaning(self, header: str) -> str:
        """The field of a header, whatever its case; "" for a column that means nothing here."""
        return _meanings(self).get(_key(header), "")

    def condition_word(self, condition: str) -> str:
        """The site's word for a condition; where it has none, that for the next worse one."""
        grades = list(CONDITIONS)
        for word in grades[grades.index(condition) :] if condition else ():
            if word in self.conditions:
                return self.conditions[word]
        return ""

    def language_word(self, language: str) -> str:
        """The site's word for a language."""
        return self.languages.get(language) or (
            language if self.codes else LANGUAGES.get(language, "")
        )

    def finish_word(self, finish: str) -> str:
        """The site's word for how copies shine; where it has none, that for foil."""
        if not finish:
            return self.plain
        return self.finishes.get(finish) or (self.finishes[SHINES] if finish == ETCHED else finish)

    def lacks(self) -> list[str]:
        """Details of copies for which it has no column, in words."""
        meant = set(self.columns.values())
        columns = {BINDER: "binders", NOTE: "notes", "tags": "tags", "language": "languages"}
        lacking = [words for name, words in columns.items() if name not in meant]
        if ETCHED not in self.finishes:
            lacking.append("etched foil")
        missing = [words for name, words in CONDITIONS.items() if name not in self.conditions]
        return lacking + [f"“{words}”" for words in missing]

    def fits(self, headers: Iterable[str]) -> int:
        """How many of its own headers are there; 0 when it cannot be this dialect."""
        here = {_key(header) for header in headers}
        if not all(any(_key(name) in here for name in names) for names in self.needed):
            return 0
        return sum(_key(name) in here for name in self.only)


def _key(header: str) -> str:
    return " ".join(header.casefold().split())


#: Columns that mean the same wherever they are.
_EVERYWHERE = (
    "game", "wishlist", "tags", "notes", "acquired", "source", "condition", "language", BINDER,
    NOTE,
)  # fmt: skip


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
    only=frozenset({"game", "tradelist", "wishlist", "acquired", "source"}),
    needed=(frozenset({"quantity", "wishlist"}), frozenset({"name", "number"})),
    conditions={word: word for word in CONDITIONS},
    codes=True,
    also={REST: REST, COPY_COLUMNS: COPY_COLUMNS},
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
    languages={"zhs": "Chinese"},
    usual={"Alter": "False", "Proxy": "False"},
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
    languages={"zhs": "Chinese"},
    finishes={SHINES: "foil"},
    also=_columns("Cost,Rarity,Price,TcgPlayer ID,Scryfall ID", Rarity="rarity"),
)
MANABOX = Dialect(
    slug="manabox",
    name="ManaBox",
    columns=_columns(
        "Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,"
        "ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,"
        "Purchase price currency",
        Binder_Name=BINDER,
        Binder_Type="binder_type",
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
    languages={"zhs": "zh_CN", "zht": "zh_TW"},
    codes=True,
    plain="normal",
    usual={"Misprint": "false", "Altered": "false"},
    also=_columns("Signed,Proxy,Added"),
)
ARCHIDEKT = Dialect(
    slug="archidekt",
    name="Archidekt",
    columns=_columns(
        "Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,"
        "Edition Code,Multiverse Id,Scryfall ID,Collector Number",
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
    languages={code: code.upper() for code in LANGUAGES}
    | {"ja": "JP", "ko": "KR", "zhs": "CS", "zht": "CT", "cs": "CZ"},
    finishes={SHINES: "Foil", ETCHED: "Etched"},
    plain="Normal",
    usual={"Multiverse Id": "0"},
    also=_columns("MTGO ID"),
)
DRAGON_SHIELD = Dialect(
    slug="dragon-shield",
    name="Dragon Shield",
    columns=_columns(
        "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,"
        "Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET",
        Folder_Name=BINDER,
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
    finishes={SHINES: "Foil", ETCHED: "Etched"},
    plain="Normal",
    also=_columns("AVG,TREND"),
    first_line='"sep=,"\r\n',
)
DELVER = Dialect(
    slug="delver",
    name="Delver Lens",
    columns=_columns(
        "Name,Edition,Edition code,Collector's number,QuantityX,Foil,Condition,Language,List name",
        Name="name",
        Edition="set_name",
        Edition_code="set",
        QuantityX="quantity",
        Foil="finish",
        Condition="condition",
        Language="language",
        List_name=BINDER,
    )
    | {"Collector's number": "number"},
    only=frozenset({"QuantityX", "Collector's number", "List name"}),
    needed=(frozenset({"QuantityX", "Quantity"}), frozenset({"Name"})),
    conditions={
        "mint": "Mint",
        "near_mint": "Near Mint",
        "good": "Slightly Played",
        "played": "Moderately Played",
        "heavily_played": "Heavily Played",
        "damaged": "Damaged",
    },
    finishes={SHINES: "Foil"},
    times="x",
    also=_columns("Rarity,Price,Acquired Price,Scryfall ID,MultiverseID", Rarity="rarity")
    | {"Quantity": "quantity", "Set code": "set", "Number": "number", "Card number": "number"},
)
TCGPLAYER = Dialect(
    slug="tcgplayer",
    name="TCGplayer",
    columns=_columns(
        "Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,"
        "Product ID,SKU",
        Quantity="quantity",
        Name="name",
        Simple_Name="simple_name",
        Set="set_name",
        Card_Number="number",
        Set_Code="set",
        Printing="finish",
        Condition="condition",
        Language="language",
        Rarity="rarity",
    ),
    only=frozenset({"Simple Name", "Product ID", "SKU"}),
    needed=_QUANTITY_AND_NAME,
    conditions={
        "near_mint": "Near Mint",
        "good": "Lightly Played",
        "played": "Moderately Played",
        "heavily_played": "Heavily Played",
        "damaged": "Damaged",
    },
    finishes={SHINES: "Foil"},
    plain="Normal",
    also=_columns("External ID,Price,Price Each"),
)
SITES = (MOXFIELD, DECKBOX, MANABOX, ARCHIDEKT, DRAGON_SHIELD, DELVER, TCGPLAYER)
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
        "colour": "finish", "color": "finish", "finish": "finish", "foil": FOIL,
        "condition": "condition", "language": "language",
        "tradelist": "tradelist", "tradelist count": "tradelist", "trade quantity": "tradelist",
        "spare": "tradelist", "for trade": "tradelist",
        "wishlist": "wishlist", "wanted": "wishlist", "wants": "wishlist",
        "tags": "tags", "notes": "notes", "source": "source", "acquired": "acquired",
    },
    only=frozenset(),
    needed=(
        frozenset({"quantity", "count", "qty", "amount"}),
        frozenset({"name", "card", "card name", "title", "number", "card number"}),
    ),
)  # fmt: skip
APART = frozenset(dialect.slug for dialect in (*SITES, TABLE))
"""In tables like these each line says of its copies alone what it says, tags and all."""
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
    keys = {_key(header) for header in here}
    return TABLE if all(names & keys for names in TABLE.needed) else None


_CONDITION_WORDS: dict[str, str] = {
    "m": "mint", "nm": "near_mint", "near mint (nm)": "near_mint", "ex": "excellent",
    "gd": "good", "lp": "good", "lightly played": "good", "light played": "good",
    "good (lightly played)": "good", "good (light played)": "good", "sp": "good",
    "slightly played": "good", "slighty played": "good",
    "mp": "played", "moderately played": "played", "pl": "played",
    "hp": "heavily_played", "po": "damaged", "poor": "damaged", "d": "damaged", "dm": "damaged",
    "dmg": "damaged",
}  # fmt: skip


def condition_of(word: str, dialect: Dialect | None) -> str:
    """The condition that a site's word means, or "" where it means none."""
    key = _key(word.replace("_", " "))
    if dialect:
        for condition, theirs in dialect.conditions.items():
            if _key(theirs.replace("_", " ")) == key:
                return condition
    plain = key.replace(" ", "_")
    known = plain if plain in CONDITIONS else _CONDITION_WORDS.get(key, "")
    # One site writes the finish with the condition: “Near Mint Foil”.
    return known or (condition_of(key[: -len(" foil")], dialect) if key.endswith(" foil") else "")


_LANGUAGE_WORDS: dict[str, str] = {
    "jp": "ja", "kr": "ko", "sp": "es", "ct": "zht", "tw": "zht", "zh-tw": "zht", "cn": "zhs",
    "zh": "zhs", "zh-cn": "zhs", "chinese": "zhs", "chinese simplified": "zhs",
    "chinese (simplified)": "zhs", "chinese traditional": "zht", "chinese (traditional)": "zht",
    "cz": "cs",
}  # fmt: skip


def language_of(word: str, dialect: Dialect | None = None) -> str:
    """The code of a language that is written as a code or as a name; "" for an unknown one."""
    key = _key(word).replace("_", "-")
    if dialect:
        for code, theirs in dialect.languages.items():
            if _key(theirs).replace("_", "-") == key:
                return code
    if key in LANGUAGES:
        return key
    named = (code for code, name in LANGUAGES.items() if name.casefold() == key)
    code = next(named, "") or _LANGUAGE_WORDS.get(key, "")
    region = _REGION.match(key)
    return code or (language_of(region["language"], dialect) if region else "")


_REGION = re.compile(r"^(?P<language>[a-z ]+?)(?:-[a-z0-9]{2,4}| ?\([a-z .]+\))$")
"""A language with where it is spoken: ``en-US``, ``English (US)``."""


_SHINING = {
    "foil": SHINES, "true": SHINES, "yes": SHINES, "holo": SHINES, "holofoil": SHINES,
    "*f*": SHINES, "*e*": ETCHED,
    "etched": ETCHED, "foil etched": ETCHED, "etched foil": ETCHED, "foil-etched": ETCHED,
}  # fmt: skip


def shining(word: str) -> str:
    """How copies shine of which this is said; "" where it says nothing of that."""
    key = _key(word)
    if key in _SHINING:
        return _SHINING[key]
    shines = key == "glossy" or key.endswith("foil")
    return " ".join(word.split()) if shines and "non" not in key else ""
