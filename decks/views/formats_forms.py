"""The form of a format: what it is called, the game's options, and the rules that are composed.

Each rule is a form of its own. Rows come and go by buttons of the page, with a script or without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from collection import examples
from decks.lists import textlist
from decks.queries.formats import FormatRules
from decks.services import formats as services
from rules.engine.deck_rules.columns import Columns, named
from rules.engine.deck_rules.house import MAX_ID, MAX_RULES, MAX_SENTENCE, MEASURES
from rules.engine.deck_rules.presets import Preset, presets
from rules.engine.deck_rules.vocabulary import BY_COLUMN, MAX_NUMBER
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData
from rules.engine.format_files import read_toml, written_value
from rules.engine.game import FormatOption, Game, Mode

_PLACEHOLDER = f"0 {examples.GAME.catalog[examples.FIRST].title} # always in every deck"
_REASON = re.compile(r"\s(?:#|//)\s*(?P<reason>.*)$")
_COUNT = "rules"
"""The field that says how many rules the form has."""


class FormatForm(forms.Form):
    """A format: what it is called, and its rules for one mode of one game."""

    name = forms.CharField(max_length=services.NAME_LENGTH, label="Name")
    summary = forms.CharField(
        max_length=services.SUMMARY_LENGTH,
        required=False,
        label="Short description",
        widget=forms.Textarea({"rows": 2}),
    )
    listed = forms.BooleanField(
        required=False, initial=True, label="List it for everyone who builds a deck"
    )
    owned_only = forms.BooleanField(
        required=False,
        label="Only cards that the player owns",
        help_text="Checked against the player’s collection. Decklists without a player account "
        "get a notice instead.",
    )
    sets = forms.MultipleChoiceField(
        required=False, label="Only cards of these sets", widget=forms.CheckboxSelectMultiple
    )
    restricted = forms.CharField(
        required=False,
        strip=False,
        label="Restricted list",
        help_text="One card per line: maximum copies, name, # reason. 0 bans the card.",
        widget=forms.Textarea({"rows": 6, "spellcheck": "false", "placeholder": _PLACEHOLDER}),
    )
    valid_from = forms.DateField(
        required=False,
        label="Effective date",
        help_text="Takes effect at the start of that day in your time zone. "
        "Leave empty to publish now.",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    note = forms.CharField(
        max_length=services.SUMMARY_LENGTH,
        required=False,
        label="What changed, and why",
        widget=forms.Textarea({"rows": 2}),
    )
    follows = forms.IntegerField(required=False, widget=forms.HiddenInput)

    ABOUT_THE_VERSION = ("name", "summary", "valid_from", "note", "follows")

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        game: Game,
        mode: Mode,
        rows: Sequence[Mapping[str, Any]] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.label_suffix = ""
        self.game, self.mode = game, mode
        self.acted = False
        self.fields["sets"].choices = [  # type: ignore[attr-defined]
            (card_set.slug, card_set.name) for card_set in game.sets
        ]
        self.switches = game.format_options_for(mode)
        for option in self.switches:
            self.fields[f"option-{option.slug}"] = _field(option)
        self.columns = Columns(game, mode)
        if data is None:
            self.rule_forms = [RuleForm.of_row(self.columns, n, row) for n, row in enumerate(rows)]
        else:
            self.rule_forms = _bound_rules(self.columns, data)

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[f"option-{option.slug}"] for option in self.switches]

    @property
    def presets(self) -> tuple[Preset, ...]:
        """Rules that a press adds."""
        return presets(self.game, self.mode)

    @property
    def is_full(self) -> bool:
        """True if no further rule can be added."""
        return len(self.rule_forms) >= MAX_RULES

    def act(self, data: QueryDict) -> bool:
        """Do what a button inside the form asks for; False where none was pressed.

        ``add`` a rule, ``remove`` one, or ``propose`` its sentence; ``check`` only looks.
        """
        if not data.keys() & {"add", "remove", "propose", "check"}:
            return False
        self.acted = True
        raw = [form.raw() for form in self.rule_forms]
        place = data.get("remove", "")
        if place.isdecimal() and int(place) < len(raw):
            del raw[int(place)]
        place = data.get("propose", "")
        if place.isdecimal() and int(place) < len(raw):
            raw[int(place)]["says"] = self.rule_forms[int(place)].proposed()
        preset = next((each for each in self.presets if each.slug == data.get("add")), None)
        if preset is not None and not self.is_full:
            raw.append(RuleForm.initial_of(self.columns, preset.row))
        self.rule_forms = [
            RuleForm(self.columns, number, _as_sent(number, values))
            for number, values in enumerate(raw)
        ]
        if "name" in self.fields:
            self.fields["name"].required = False
        return True

    def clean_restricted(self) -> dict[str, dict[str, Any]]:
        """The list by card; raises ``ValidationError`` that names every bad line."""
        restricted: dict[str, dict[str, Any]] = {}
        text = "\n".join(self.cleaned_data["restricted"].splitlines())
        lines = text.splitlines()
        for line in _cards_in(text, self.game):
            reason = _REASON.search(lines[line.number - 1])
            restricted[line.card] = {
                "most": line.count,
                "reason": reason["reason"] if reason else "",
            }
        return restricted

    def clean_valid_from(self) -> datetime | None:
        """The beginning of the day; None for now, which is also what today means."""
        day = self.cleaned_data["valid_from"]
        today = timezone.localdate()
        if day is not None and day < today:
            raise forms.ValidationError(
                "This day is in the past. Choose a later day, or leave it empty."
            )
        if day is None or day == today:
            return None
        return timezone.make_aware(datetime.combine(day, time.min))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number, form in enumerate(self.rule_forms, start=1):
            if not form.is_valid():
                words = " ".join(str(message) for each in form.errors.values() for message in each)
                self.add_error(None, f"Rule {number}: {words}")
        return data

    @property
    def rules(self) -> services.Rules:
        """The form's values, for the service."""
        data = self.cleaned_data
        return services.Rules(
            options={option.slug: data[f"option-{option.slug}"] for option in self.switches},
            restricted=data["restricted"],
            sets=data["sets"],
            owned_only=data["owned_only"],
            rules=[form.row for form in self.rule_forms],
        )


def initial_rules(rules_of: FormatRules, game: Game) -> dict[str, Any]:
    """Rules as they are filled in, those that are composed aside."""
    restricted = [
        (limit["most"], game.title(card), limit.get("reason", ""))
        for card, limit in rules_of.restricted.items()
        if card in game.catalog
    ]
    options = {
        f"option-{option.slug}": list(option.usual)
        if option.kind == "subset" and rules_of.options[option.slug] is True
        else rules_of.options[option.slug]
        for option in game.format_options
        if option.slug in rules_of.options
    }
    return {
        "restricted": restricted_text(restricted),
        "sets": list(rules_of.sets),
        "owned_only": rules_of.owned_only,
        **options,
    }


def restricted_text(rows: Iterable[tuple[int, str, str]]) -> str:
    """A restricted list as it is filled in, from most copies, title and reason of each card."""
    return "\n".join(f"{most} {title} # {reason}".rstrip(" #") for most, title, reason in rows)


def _as_sent(place: int, values: Mapping[str, Any]) -> QueryDict:
    """A rule's values as a browser would send them."""
    data = QueryDict(mutable=True)
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            data.setlist(f"rule-{place}-{name}", list(value))
        elif value is not None and value is not False and value != "":
            data[f"rule-{place}-{name}"] = "on" if value is True else str(value)
    return data


def _field(option: FormatOption) -> forms.Field:
    about: dict[str, Any] = {"required": False, "label": option.name, "help_text": option.help}
    if option.kind == "switch":
        return forms.BooleanField(**about)
    if option.kind == "integer":
        low, high = option.values
        return forms.IntegerField(min_value=low, max_value=high, **about)
    choices = [(str(value), option.word(value)) for value in option.values]
    if option.kind == "subset":
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=choices, widget=boxes, **about)
    values = {str(value): value for value in option.values}
    return forms.TypedChoiceField(
        choices=[("", "Any"), *choices], coerce=values.__getitem__, empty_value=None, **about
    )


def _bound_rules(columns: Columns, data: QueryDict) -> list[RuleForm]:
    count = data.get(_COUNT, "0")
    number = min(int(count), MAX_RULES) if count.isdecimal() else 0
    return [RuleForm(columns, place, data) for place in range(number)]


def _cards_in(text: str, game: GameDefinition) -> list[textlist.Line]:
    """The lines of a list; raises ``ValidationError`` that names each which is not a card."""
    lines = textlist.read_list(text, game.slug).lines
    wrong = [f"Line {line.number}: no card named “{line.name}”." for line in lines if not line.card]
    if wrong:
        raise forms.ValidationError(wrong)
    return list(lines)


class RuleForm(forms.Form):
    """A rule: what is counted, how many, which cards, and what players read."""

    measure = forms.ChoiceField(label="Count")
    least = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MAX_NUMBER,
        label="At least",
        widget=forms.NumberInput,
    )
    most = forms.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER, label="At most")
    named = forms.CharField(
        required=False,
        strip=False,
        label="Named cards",
        help_text="One card per line. For points: the points before the name, as in “3 Card Name”.",
        widget=forms.Textarea({"rows": 3, "spellcheck": "false"}),
    )
    other = forms.CharField(
        required=False,
        label="Other conditions",
        widget=forms.TextInput({"spellcheck": "false", "autocapitalize": "none"}),
    )
    than = forms.CharField(
        required=False,
        label="Compared with",
        widget=forms.TextInput({"spellcheck": "false", "autocapitalize": "none"}),
    )
    says = forms.CharField(
        required=False,
        max_length=MAX_SENTENCE,
        label="What players read",
        help_text="Leave it empty for the proposed sentence. Numbers and names go into slots such "
        "as {found} and {card}.",
        widget=forms.Textarea({"rows": 2}),
    )
    rule_id = forms.CharField(
        required=False,
        max_length=MAX_ID,
        label="ID",
        help_text="Like H-1 or H-DRAGONS. Verdicts name it.",
        widget=forms.TextInput({"autocapitalize": "characters", "spellcheck": "false"}),
    )
    notice = forms.BooleanField(required=False, label="Only a notice: decks stay legal")
    start = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        label="Only for decks of at least this many cards",
    )

    def __init__(
        self, columns: Columns, place: int, data: QueryDict | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data, prefix=f"rule-{place}", **kwargs)
        self.label_suffix = ""
        self.columns, self.place = columns, place
        chosen = data.get(f"rule-{place}-measure") if data else (self.initial or {}).get("measure")
        self.fields["measure"].choices = _measures(columns, str(chosen or ""))  # type: ignore[attr-defined]
        words = [name for name, _ in columns.numbers]
        example = f"{words[0]} = {{ least = 3 }}" if words else 'set = { not = "…" }'
        self.fields["other"].help_text = f"In TOML, such as {example}. Columns: {', '.join(words)}."
        self.fields["than"].help_text = _than_help(columns, words)
        for facet in self.columns.facets:
            self.fields[f"is-{facet.column}"] = forms.MultipleChoiceField(
                choices=facet.values,
                required=False,
                label=facet.name,
                widget=forms.CheckboxSelectMultiple,
            )

    @classmethod
    def of_row(cls, columns: Columns, place: int, row: Mapping[str, Any]) -> RuleForm:
        """The form of a rule that there is."""
        return cls(columns, place, initial=cls.initial_of(columns, row))

    @staticmethod
    def initial_of(columns: Columns, row: Mapping[str, Any]) -> dict[str, Any]:
        """A rule as it is filled in; what has no field of its own stands as TOML."""
        title = columns.game.title
        measure = next(key for key in MEASURES if key in row)
        where = dict(row[measure] if measure in ("cards", "required") else row.get("where", {}))
        initial: dict[str, Any] = {
            "measure": f"{measure}:{row[measure]}" if measure in BY_COLUMN else measure,
            "start": row.get("from"),
            "least": row.get("exactly", row.get("least")),
            "most": row.get("exactly", row.get("most")),
            "says": row.get("says", ""),
            "rule_id": row.get("id", ""),
            "notice": row.get("severity") == "notice",
        }
        if measure == "follows":
            initial |= _compared(row["follows"])
        if measure == "apart":
            initial["than"] = ", ".join(map(written_value, row["apart"]))
        if measure == "points":
            lines = [f"{number} {title(slug)}" for slug, number in row["points"].items()]
            initial["named"] = "\n".join(lines)
        elif isinstance(where.get("card"), (str, list)):
            named = where.pop("card")
            slugs = [named] if isinstance(named, str) else named
            initial["named"] = "\n".join(map(title, slugs))
        for facet in columns.facets:
            value = where.get(facet.column)
            values = value if isinstance(value, list) else [value]
            words = [word for word, _ in facet.values]
            if value is not None and all(each in words for each in values):
                initial[f"is-{facet.column}"] = values
                del where[facet.column]
        initial["other"] = ", ".join(f"{key} = {written_value(where[key])}" for key in where)
        return initial

    @property
    def choices(self) -> list[forms.BoundField]:
        """The fields of columns with a few values."""
        return [self[f"is-{facet.column}"] for facet in self.columns.facets]

    @property
    def has_filter(self) -> bool:
        """True if it concerns some cards only."""
        fields = [*self.choices, self["named"], self["other"]]
        return any(field.value() for field in fields)

    @property
    def has_words(self) -> bool:
        """True if it has a sentence of its own."""
        return any(self[name].value() for name in ("says", "notice", "start"))

    def raw(self) -> dict[str, Any]:
        """The values of its fields, right or wrong."""
        return {name: self[name].value() for name in self.fields}

    def proposed(self) -> str:
        """The sentence that is proposed; what stands there while the rule cannot be read."""
        if not self.is_valid():
            return str(self["says"].value() or "")
        row = {key: value for key, value in self.row.items() if key != "says"}
        return services.proposed_sentence(self.columns.game, self.columns.mode, row)

    def clean_other(self) -> dict[str, Any]:
        text = self.cleaned_data["other"]
        return _table_in_toml(text, "The other conditions", "level = { least = 3 }")

    def clean_than(self) -> Any:
        text = self.cleaned_data["than"]
        measure = self.data.get(f"{self.prefix}-measure", "")
        if measure == "apart":
            return _value_in_toml(f"[{text}]", "The two numbers", '{ sum = "level" }')
        if not measure.startswith("follows:"):
            return None
        of = _table_in_toml(text, "The other cards", 'kind = "unit"')
        if not of:
            raise forms.ValidationError("Say with which other cards these go: “Compared with”.")
        column = measure.partition(":")[2]
        return of if "of" in of else {"of": of, "column": column, "by": column}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        text = "\n".join(data.get("named", "").splitlines())
        if text.strip():
            try:
                data["lines"] = _cards_in(text, self.columns.game)
            except forms.ValidationError as error:
                self.add_error("named", error)
        return data

    @property
    def row(self) -> dict[str, Any]:
        """The rule as data; the form has to be valid."""
        data = self.cleaned_data
        measure, _, column = data["measure"].partition(":")
        where: dict[str, Any] = {
            facet.column: data[f"is-{facet.column}"]
            for facet in self.columns.facets
            if data.get(f"is-{facet.column}")
        }
        where = {key: value[0] if len(value) == 1 else value for key, value in where.items()}
        where |= data.get("other") or {}
        lines: list[textlist.Line] = data.get("lines", [])
        row: dict[str, Any] = {"id": data["rule_id"].strip()} if data["rule_id"].strip() else {}
        if measure == "points":
            row["points"] = {line.card: line.count for line in lines}
        elif measure in ("follows", "apart"):
            row[measure] = data.get("than")
        if lines and measure != "points":
            where["card"] = list(dict.fromkeys(line.card for line in lines))
        if measure in ("cards", "required"):
            row[measure] = where
        elif measure in BY_COLUMN:
            row[measure] = column
        if where and measure not in ("cards", "required"):
            row["where"] = where
        row |= self._bounds()
        if data["start"]:
            row["from"] = data["start"]
        if data["notice"]:
            row["severity"] = "notice"
        if data["says"].strip():
            row["says"] = data["says"].strip()
        return row

    def _bounds(self) -> dict[str, int]:
        least, most = self.cleaned_data["least"], self.cleaned_data["most"]
        if least is not None and least == most and least:
            return {"exactly": least}
        bounds = {"least": least or None, "most": most}
        return {key: number for key, number in bounds.items() if number is not None}


def _table_in_toml(text: str, noun: str, example: str) -> dict[str, Any]:
    """A table that was typed as TOML, in braces or without; raises ``ValidationError``."""
    text = text.strip()
    inner = text.removeprefix("{").removesuffix("}") if text.startswith("{") else text
    table: dict[str, Any] = _value_in_toml(f"{{ {inner} }}", noun, example)
    return table


def _value_in_toml(text: str, noun: str, example: str) -> Any:
    """A value that was typed as TOML; raises ``ValidationError``."""
    try:
        read = read_toml(f"typed = {text}")
    except BadData as error:
        raise forms.ValidationError(
            f"{noun} cannot be read. {error} Write them like {example}, with commas between them."
        ) from error
    if read.keys() != {"typed"}:
        raise forms.ValidationError(f"{noun} stand on one line.")
    return read["typed"]


def _than_help(columns: Columns, numbers: Sequence[str]) -> str:
    """How other cards are named, by cards of this game."""
    facet = next(iter(columns.facets), None)
    values = [value for value, _ in facet.values] if facet else ["…"]
    first, last = (f'{facet.column if facet else "set"} = "{values[at]}"' for at in (0, -1))
    other = f'{{ sum = "{numbers[0]}" }}' if numbers else f"{{ cards = {{ {last} }} }}"
    return (
        f"In TOML. Cards that others go with: {first}. "
        f"Two numbers: {{ cards = {{ {first} }} }}, {other}."
    )


def _compared(source: Mapping[str, Any]) -> dict[str, Any]:
    """A ``follows`` as it is filled in: the other cards, or all of it where it says more."""
    plain = source["column"] == source["by"] and source["of"] and not isinstance(source["of"], str)
    than = source["of"] if plain else source
    text = ", ".join(f"{key} = {written_value(value)}" for key, value in than.items())
    return {"measure": f"follows:{source['by']}", "than": text}


def _measures(columns: Columns, chosen: str) -> list[tuple[str, Any]]:
    """The choices of what a rule counts, in groups, with the one that is ``chosen`` already."""
    facets = [facet for facet in columns.facets if facet.column != "set"]
    groups: list[tuple[str, Any]] = [
        ("cards", "Cards"),
        ("copies:card", "Copies of each card"),
        ("copies:name", "Cards with the same name"),
        ("points", "Points of named cards"),
        ("required", "Required: each of the cards once"),
        ("apart", "Two numbers apart"),
        (
            "Goes with other cards",
            [(f"follows:{each.column}", f"Same {each.name} as others") for each in facets],
        ),
        (
            "Different values",
            [
                ("values:card", "Different cards"),
                *((f"values:{each.column}", f"Different: {each.name}") for each in facets),
            ],
        ),
        (
            "Sums",
            [(f"sum:{column}", f"Sum: {name}") for column, name in columns.numbers],
        ),
    ]
    known = {value for value, name in groups if isinstance(name, str)}
    known |= {value for _, names in groups if isinstance(names, list) for value, _ in names}
    kind, _, column = chosen.partition(":")
    if chosen not in known and kind in (*BY_COLUMN, "follows") and column:
        words = {"copies": "Cards with the same", "sum": "Sum:", "values": "Different:"}
        words |= {"follows": "Goes with others by"}
        groups.append((chosen, f"{words[kind]} {named(columns.game, column)}"))
    return [group for group in groups if group[1]]
