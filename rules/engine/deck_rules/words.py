"""Rules in plain English, and the sentences that are proposed for decks that break them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rules.engine.deck_checks import joined
from rules.engine.deck_rules.vocabulary import UNLIMITED

if TYPE_CHECKING:
    from rules.engine.definition import GameDefinition

FEW: Final = 6
"""So many cards are named, more of them counted."""
_RARITIES: Final[Mapping[str, str]] = {"ultra": "ultra rare"}


def spoken(word: object) -> str:
    """A word of the catalog as it stands in a sentence."""
    text = str(word).replace("_", " ").replace("-", " ")
    return text if text.isupper() else text.lower()


def capital(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def column_name(game: GameDefinition, column: str) -> str:
    """A column as people read it."""
    return spoken(game.words.get(column, column))


def value_of(game: GameDefinition, column: str, value: object) -> str:
    """A value of a column as people read it."""
    if column == "set":
        return game.set_names.get(str(value), str(value))
    return _RARITIES.get(str(value), spoken(value)) if column == "rarity" else spoken(value)


class Phrase:
    """The cards that a filter fits, in words: "rare red character cards of Emberfall"."""

    def __init__(self, game: GameDefinition, where: Mapping[str, Any]) -> None:
        self._game = game
        before: list[str] = []
        after: list[str] = []
        for column in ("rarity", "colour", "kind"):
            if column not in where:
                continue
            if isinstance(where[column], Mapping):
                after += self._tests(column, where[column])
            else:
                before.append(self._any(column, where[column]))
        for column, value in where.items():
            if column in ("rarity", "colour", "kind"):
                continue
            if isinstance(value, Mapping):
                after += self._tests(column, value)
            elif column == "set":
                after.append(f"of {self._any(column, value)}")
            elif column in ("card", "name"):
                after.append(f"named {self._any(column, value)}")
            else:
                after.append(f"with {self.column(column)} {self._any(column, value)}")
        self._before = " ".join(before)
        self._after = " ".join([after[0], *(f"and {part}" for part in after[1:])]) if after else ""
        self.everything = not where

    @property
    def plural(self) -> str:
        return " ".join(filter(None, (self._before, "cards", self._after)))

    @property
    def singular(self) -> str:
        return " ".join(filter(None, (self._before, "card", self._after)))

    def column(self, column: str) -> str:
        """A column as people read it."""
        return column_name(self._game, column)

    def _any(self, column: str, value: Any) -> str:
        values = value if isinstance(value, (list, tuple)) else [value]
        if len(values) > FEW:
            return f"one of {len(values)} on a list"
        return joined([self._word(column, each) for each in values], "or")

    def _word(self, column: str, value: Any) -> str:
        if column == "card":
            card = self._game.catalog.get(str(value))
            return card.title if card else str(value)
        return str(value) if column == "name" else value_of(self._game, column, value)

    def _tests(self, column: str, tests: Mapping[str, Any]) -> list[str]:
        name = self.column(column)
        parts = []
        for test, value in tests.items():
            if test == "not" and isinstance(value, Mapping):
                parts += [f"not {part}" for part in self._tests(column, value)]
            elif test == "not":
                article = "of" if column == "set" else ""
                parts.append(" ".join(filter(None, ("not", article, self._any(column, value)))))
            elif test == "has":
                parts.append(f"with the {name} {self._any(column, value)}")
            elif test == "none":
                parts.append(f"without {name}" if value else f"with any {name}")
            else:
                parts.append(f"with {name} {value} or {'more' if test == 'least' else 'less'}")
        return parts


@dataclass(frozen=True, slots=True)
class About:
    """A rule as far as words need it: its row, what it counts, and between which numbers."""

    row: Mapping[str, Any]
    measure: str
    least: int
    most: int
    game: GameDefinition

    @property
    def phrase(self) -> Phrase:
        """The cards that it concerns."""
        key = self.measure if self.measure in ("cards", "required") else "where"
        return Phrase(self.game, self.row.get(key, {}))

    @property
    def column(self) -> str:
        """The column that it names, as the game calls it in its data."""
        return str(self.row[self.measure])

    @property
    def sides(self) -> tuple[str, str]:
        """The two numbers that it compares, as nouns."""
        first, second = [
            f"number of {Phrase(self.game, side['cards']).plural}"
            if "cards" in side
            else f"{column_name(self.game, side['sum'])} of all {self.phrase.plural}"
            for side in self.row["apart"]
        ]
        return first, second


def plain(about: About) -> str:
    """A rule as a sentence."""
    text = _PLAIN[about.measure](about)
    if start := about.row.get("from"):
        text = f"{text} Only for decks of at least {start} cards."
    notice = about.row.get("severity") == "notice"
    return f"{text} Only a notice: decks stay legal." if notice else text


def proposed(about: About) -> str:
    """The sentence for a deck that breaks the rule, with slots."""
    return _PROPOSED[about.measure](about)


def _bounds(about: About) -> str:
    if about.least == about.most:
        return f"exactly {about.least}"
    if about.most == UNLIMITED:
        return f"at least {about.least}"
    if not about.least:
        return f"at most {about.most}"
    return f"{about.least} to {about.most}"


def _one(about: About) -> bool:
    """True if the last number of the bounds is 1."""
    return (about.least if about.most == UNLIMITED else about.most) == 1


def _plain_cards(about: About) -> str:
    phrase = about.phrase
    if not about.most:
        return f"No {phrase.plural}."
    return f"{capital(_bounds(about))} {phrase.singular if _one(about) else phrase.plural}."


def _plain_copies(about: About) -> str:
    phrase, number = about.phrase, about.most
    if about.column == "card":
        copies = "copy" if number == 1 else "copies"
        return f"At most {number} {copies} of each {phrase.singular}."
    cards = phrase.singular if number == 1 else phrase.plural
    return f"At most {number} {cards} with the same {phrase.column(about.column)}."


def _plain_sum(about: About) -> str:
    column = about.phrase.column(about.column)
    return f"The {column} of all {about.phrase.plural} adds up to {_bounds(about)}."


def _different(about: About) -> tuple[str, str, str]:
    """One and several different values as nouns, and among which cards they are."""
    if about.column == "card":
        return f"different {about.phrase.singular}", f"different {about.phrase.plural}", ""
    column = about.phrase.column(about.column)
    plural = {"kind": "kinds", "colour": "colours", "rarity": "rarities", "set": "sets"}
    plural |= {"name": "names"}
    among = f" among the {about.phrase.plural}"
    if about.column in plural:
        return f"different {column}", f"different {plural[about.column]}", among
    return f"different value of {column}", f"different values of {column}", among


def _plain_values(about: About) -> str:
    singular, plural, among = _different(about)
    return f"{capital(_bounds(about))} {singular if _one(about) else plural}{among}."


def _plain_points(about: About) -> str:
    points = about.row["points"]
    costs = [f"{about.game.title(slug)} {number}" for slug, number in points.items()]
    more = f" and {len(costs) - FEW} more" if len(costs) > FEW else ""
    limit = "1 point" if _one(about) else f"{_bounds(about)} points"
    return f"{capital(limit)} a deck: {', '.join(costs[:FEW])}{more}."


def _plain_required(about: About) -> str:
    return f"At least one copy of each {about.phrase.singular}."


def _plain_follows(about: About) -> str:
    source = about.row["follows"]
    of = source["of"]
    cards = spoken(of) if isinstance(of, str) else Phrase(about.game, of).plural
    by, column = (column_name(about.game, source[key]) for key in ("by", "column"))
    return f"The {by} of each {about.phrase.singular} is the {column} of the {cards}."


def _plain_apart(about: About) -> str:
    first, second = about.sides
    if not about.most:
        return f"The {first} equals the {second}."
    return f"The {first} and the {second} are at most {about.most} apart."


def _noun(phrase: Phrase) -> str:
    """A noun for ``{found:…}``: singular and plural."""
    return f"{without_slots(phrase.singular)}/{without_slots(phrase.plural)}"


def without_slots(text: str) -> str:
    """Words of a catalog without what a slot is made of."""
    return "".join(" " if sign in "{}/|" else sign for sign in text)


def _allowed(about: About) -> str:
    if about.most == UNLIMITED:
        return "at least {least} needed. Add {missing}."
    if not about.least:
        return "at most {most} allowed. Take out {surplus}."
    span = "{least}" if about.least == about.most else "{least} to {most}"
    return f"{span} needed. {{Add|Take out}} {{gap}}."


def _proposed_cards(about: About) -> str:
    if not about.most:
        return (
            "{card} is not allowed in {format}: {found} in the deck, 0 allowed. Take out {found}."
        )
    return f"The deck has {{found:{_noun(about.phrase)}}}, {_allowed(about)}"


def _proposed_copies(about: About) -> str:
    if about.column == "card":
        return "{card}: {found} in the deck, {most} allowed. Take out {surplus}."
    if about.column == "name":
        start = "{value}: {found:card} with this name"
    else:
        column = without_slots(about.phrase.column(about.column))
        start = f"{capital(column)} {{value}}: {{found:card}}"
    return f"{start} in the deck, {{most}} allowed. Take out {{surplus}}."


def _proposed_sum(about: About) -> str:
    column = about.phrase.column(about.column)
    ends: Sequence[str] = (
        "at least {least} needed." if about.most == UNLIMITED else "",
        "at most {most} allowed." if not about.least else "",
    )
    span = "exactly {least} needed." if about.least == about.most else "{least} to {most} needed."
    end = next(filter(None, ends), span)
    return f"The {column} of all {about.phrase.plural} adds up to {{found}}, {end}"


def _proposed_values(about: About) -> str:
    singular, plural, among = map(without_slots, _different(about))
    held = f"The deck has {{found:{singular}/{plural}}}{among}"
    if about.most == UNLIMITED:
        return f"{held}, at least {{least}} needed."
    if not about.least:
        return f"{held}, at most {{most}} allowed."
    span = "exactly {least}" if about.least == about.most else "{least} to {most}"
    return f"{held}, {span} needed."


def _proposed_points(about: About) -> str:
    return f"The deck has {{found:point}}, {_allowed(about)}".replace(
        "Take out {surplus}", "Save {surplus:point}"
    )


def _proposed_required(about: About) -> str:
    return "{card} is missing: {format} asks for at least one copy."


def _proposed_follows(about: About) -> str:
    return "{card} does not go with {value}: {found} in the deck, 0 allowed. Take out {found}."


def _proposed_apart(about: About) -> str:
    first, second = map(without_slots, about.sides)
    held = f"The {first} is {{first}}, the {second} {{second}}"
    return f"{held}; at most {{most}} apart allowed." if about.most else f"{held}: make them equal."


_PLAIN: Final = {
    "cards": _plain_cards,
    "copies": _plain_copies,
    "sum": _plain_sum,
    "values": _plain_values,
    "points": _plain_points,
    "required": _plain_required,
    "follows": _plain_follows,
    "apart": _plain_apart,
}
_PROPOSED: Final = {
    "cards": _proposed_cards,
    "copies": _proposed_copies,
    "sum": _proposed_sum,
    "values": _proposed_values,
    "points": _proposed_points,
    "required": _proposed_required,
    "follows": _proposed_follows,
    "apart": _proposed_apart,
}
