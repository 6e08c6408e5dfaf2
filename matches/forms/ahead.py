"""The form of a conditional move: conditions, and choices for a prompt and those after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from matches.queries.ahead import Plan, PlanOption, PlanPrompt, PlanQuestion, PlanStep

CONDITIONS = ("If", "and if")
"""The labels of the conditions that the page offers."""

CHOICES = ("I", "or else", "or else")
"""Likewise of the choices of a step."""


class PlanForm(forms.Form):
    """A plan for one kind of prompt; the fields follow from what the game offers now."""

    def __init__(self, question: PlanQuestion, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.question = question
        first = PlanPrompt(question.kind, question.says, question.choices)
        self.prompts = [first, *question.then]
        if question.conditions:
            for number, label in enumerate(CONDITIONS):
                empty = "in any case" if number == 0 else "no other condition"
                self.fields[f"if-{number}"] = _select(label, question.conditions, empty)
        for step, prompt in enumerate(self.prompts):
            for number, label in enumerate(CHOICES[: len(prompt.choices)]):
                empty = ("choose" if step == 0 else "ask me") if number == 0 else "nothing else"
                self.fields[f"step-{step}-{number}"] = _select(label, prompt.choices, empty)
        self.fields["step-0-0"].required = True

    def conditions(self) -> list[BoundField]:
        """The fields of the conditions."""
        return [self[name] for name in self.fields if name.startswith("if-")]

    def steps(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The prompts, each with when it comes (“” for the first) and its fields."""
        for step, prompt in enumerate(self.prompts):
            names = [name for name in self.fields if name.startswith(f"step-{step}-")]
            says = "" if step == 0 else _after(self.question, prompt)
            yield says, [self[name] for name in names]

    def plan(self) -> Plan:
        """The plan, as chosen; the form must be valid."""
        steps = [
            PlanStep(prompt.kind, chosen)
            for step, prompt in enumerate(self.prompts)
            if (chosen := self._chosen(f"step-{step}-"))
        ]
        return Plan(tuple(self._chosen("if-")), tuple(steps))

    def _chosen(self, prefix: str) -> list[str]:
        values = (value for name, value in self.cleaned_data.items() if name.startswith(prefix))
        return [*dict.fromkeys(value for value in values if value)]


def _after(question: PlanQuestion, prompt: PlanPrompt) -> str:
    return "Then, if I may go on" if prompt.kind == question.kind else f"Then, {prompt.says}"


def _select(label: str, options: Sequence[PlanOption], empty: str) -> forms.ChoiceField:
    choices = [("", f"– {empty} –"), *((option.key, option.says) for option in options)]
    return forms.ChoiceField(label=label, choices=choices, required=False)
