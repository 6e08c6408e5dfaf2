"""Serializers of dataclasses, made from their types: the API's requests and responses.

A member says more of itself beside its type, and what is said binds what is sent::

    @dataclass(frozen=True, slots=True)
    class NewPrint:
        \"\"\"What to print, and how.\"\"\"

        cards: Annotated[list[PrintCard], Doc(allow_empty=False)]
        title: Annotated[str, Doc(max_length=80)] = ""

In an answer every member is there. In what is sent, one with a default may be left out; ``None``
as a default stands for “left out”, and null is not taken unless ``allow_null`` says so. A dataclass
with a method ``check`` is asked by it whether its members go together.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import types
from collections.abc import Callable, Iterable, Iterator
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from django.db import models
from rest_framework import serializers
from rest_framework_dataclasses.field_utils import DataclassDefinition, TypeInfo
from rest_framework_dataclasses.serializers import DataclassSerializer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type)
_Shown = TypeVar("_Shown", bound="DataclassInstance")
_Built = tuple[type[serializers.Field[Any, Any, Any, Any]], dict[str, Any]]


class Doc:
    """The description of a member of a request or response, besides its type.

    ``options`` are those of REST framework's field; ``field`` names another one than the type's.
    ``@property`` over ``@Doc(…)`` makes a property a member of the answer.
    """

    def __init__(
        self,
        text: str = "",
        *,
        field: type[serializers.Field[Any, Any, Any, Any]] | None = None,
        **options: Any,
    ) -> None:
        self.options = options
        if text:
            self.options["help_text"] = text
        if field is not None:
            self.options["field"] = field
        elif "choices" in options:
            self.options["field"] = serializers.ChoiceField

    def __call__(self, function: _Function) -> _Function:
        function.member = self  # type: ignore[attr-defined]
        return function


class _Hidden:
    """The note of a member that is not told."""


INTERNAL = _Hidden()
"""``Annotated[Deck, INTERNAL]``: pages use it, the API does not tell it."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Description:
    """The members of a dataclass that declares none for the API."""

    text: str
    members: dict[str, Doc]


_DESCRIBED: dict[type, _Description] = {}


def describe(dataclass: type, text: str, *names: str, component: str = "", **members: Doc) -> None:
    """Say which members the API tells of a dataclass that knows of none, such as one of the rules.

    Properties may be among them.
    """
    docs = {name: Doc() for name in names} | members
    _DESCRIBED[dataclass] = _Description(text, docs)
    _NAMES[dataclass] = component or dataclass.__name__


_NAMES: dict[type, str] = {}


def component(name: str) -> Callable[[_Class], _Class]:
    """Another name in the API's document than the dataclass's own."""

    def named(dataclass: _Class) -> _Class:
        _NAMES[dataclass] = name
        return dataclass

    return named


class ChoiceOf(serializers.ChoiceField):
    """One of the choices of an enumeration."""

    def __init__(self, *, of: type[models.Choices], **options: Any) -> None:
        self.of = of
        super().__init__(choices=of.choices, **options)

    def to_internal_value(self, data: Any) -> Any:
        return self.of(super().to_internal_value(data))


class Address(serializers.URLField):
    """A path of this site as a whole address."""

    def to_representation(self, path: Any) -> str:
        return str(self.context["request"].build_absolute_uri(path))


class Shape(DataclassSerializer[Any]):
    """A dataclass as JSON; see :func:`response_serializer` and :func:`request_serializer`."""

    serializer_field_mapping = {
        **DataclassSerializer.serializer_field_mapping,
        Any: serializers.JSONField,
    }
    sent = False
    """True for the body or query of a request."""

    @functools.cached_property
    def dataclass_definition(self) -> DataclassDefinition[Any]:
        return _definition(self.Meta.dataclass)  # type: ignore[attr-defined]

    def get_fields(self) -> dict[str, Any]:
        return copy.deepcopy(_fields(type(self)))

    def get_extra_kwargs(self) -> dict[str, Any]:
        kwargs = {}
        for name, field in self.dataclass_definition.fields.items():
            options = copy.deepcopy(field.metadata["options"])
            if self.sent and field.default is None:
                options.setdefault("allow_null", False)
            elif self.sent and field.default is not dataclasses.MISSING:
                options.setdefault("default", field.default)
                if field.default == "" and "field" not in options:
                    options.setdefault("allow_blank", True)
            kwargs[name] = options
        return kwargs

    def build_typed_field(self, name: str, type_info: TypeInfo, extra_kwargs: Any) -> _Built:
        other = extra_kwargs.pop("field", None)
        if other is not None:
            built: _Built = (other, {"allow_null": True} if type_info.is_nullable else {})
            field = self.dataclass_definition.fields[name]
            if field.default is not dataclasses.MISSING:
                built[1]["required"] = False
        else:
            built = super().build_typed_field(name, type_info, extra_kwargs)
        if not self.sent or "default" in extra_kwargs:
            built[1].pop("required", None)
        return built

    def build_composite_field(self, name: str, type_info: TypeInfo, extra_kwargs: Any) -> _Built:
        sized = extra_kwargs.keys() & {"min_length", "max_length"}
        if dataclasses.is_dataclass(type_info.base_type) and not (type_info.is_mapping or sized):
            return self._of(type_info.base_type), {"many": True}
        return super().build_composite_field(name, type_info, extra_kwargs)

    def build_dataclass_field(self, name: str, type_info: TypeInfo) -> _Built:
        return self._of(type_info.base_type), {}

    def build_enum_field(self, name: str, type_info: TypeInfo) -> _Built:
        return ChoiceOf, {"of": type_info.base_type}

    def _of(self, dataclass: type) -> type[Shape]:
        return request_serializer(dataclass) if self.sent else response_serializer(dataclass)

    def to_internal_value(self, data: Any) -> Any:
        if self.sent and type(data) is dict:  # a JSON body; queries may have members of others
            unknown = sorted(map(str, data.keys() - self.fields.keys()))
            if unknown:
                known = ", ".join(f"“{name}”" for name in self.fields) or "none"
                sentence = f"Unknown field. Known here: {known}."
                raise serializers.ValidationError({name[:80]: [sentence] for name in unknown})
        return super().to_internal_value(data)

    def validate(self, sent: Any) -> Any:
        if check := getattr(sent, "check", None):
            check()
        return sent


@functools.cache
def response_serializer(dataclass: type[Any]) -> type[Shape]:
    """The serializer that tells it."""
    return _shape(dataclass, sent=False)


@functools.cache
def request_serializer(dataclass: type) -> type[Shape]:
    """The serializer that reads it from a request."""
    return _shape(dataclass, sent=True)


@functools.cache
def _fields(shape: type[Shape]) -> dict[str, Any]:
    """Its fields, made from the types once; each serializer has copies of them."""
    return super(Shape, shape()).get_fields()


def _shape(dataclass: type, *, sent: bool) -> type[Shape]:
    described = _DESCRIBED.get(dataclass)
    name = _NAMES.get(dataclass, dataclass.__name__)
    body = {
        "__doc__": described.text if described else dataclass.__doc__,
        "__module__": dataclass.__module__,
        "Meta": type("Meta", (), {"dataclass": dataclass, "ref_name": name}),
        "sent": sent,
    }
    return type(f"{dataclass.__name__}Shape", (Shape,), body)


@functools.cache
def _definition(dataclass: type) -> DataclassDefinition[Any]:
    """Its fields, and those of its properties that are members, each with its type and options."""
    noted = get_type_hints(dataclass, include_extras=True)
    plain = get_type_hints(dataclass)
    getters = dict(_properties(dataclass))
    own = {field.name: field for field in dataclasses.fields(dataclass)}
    fields: dict[str, dataclasses.Field[Any]] = {}
    hints: dict[str, Any] = {}
    for name, more in _members(dataclass, [*own, *getters], noted):
        if name in own:
            note, hints[name] = noted[name], plain[name]
            default, factory = own[name].default, own[name].default_factory
        else:
            note = get_type_hints(getters[name], include_extras=True)["return"]
            hints[name] = get_type_hints(getters[name])["return"]
            default = factory = dataclasses.MISSING
        about: Any = {"default": default, "default_factory": factory}
        fields[name] = dataclasses.field(**about, metadata={"options": _options(note) | more})
    return DataclassDefinition(dataclass, fields, hints)


def _members(
    dataclass: type, known: Iterable[str], noted: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names of what is told, each with what is said of it outside its type."""
    if described := _DESCRIBED.get(dataclass):
        for name, member in described.members.items():
            yield name, member.options
        return
    getters = dict(_properties(dataclass))
    for name in known:
        if name in noted:
            notes = getattr(noted[name], "__metadata__", ())
            if INTERNAL not in notes:
                yield name, {}
        elif doc := getattr(getters[name], "member", None):
            yield name, doc.options


def _properties(dataclass: type) -> Iterator[tuple[str, Any]]:
    for parent in reversed(dataclass.__mro__):
        for name, value in vars(parent).items():
            if isinstance(value, property):
                yield name, value.fget


def _options(hint: Any) -> dict[str, Any]:
    """The options in a type's annotations; its children's under ``child_kwargs``."""
    options: dict[str, Any] = {}
    notes: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, notes = hint.__origin__, hint.__metadata__
    if get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            options |= _options(part)
    elif isinstance(get_origin(hint), type) and (parts := get_args(hint)):
        inner = parts[0] if parts[-1] is Ellipsis else parts[-1]
        if inside := _options(inner):
            options["child_kwargs"] = inside
    for note in notes:
        if isinstance(note, Doc):
            options |= note.options
    return options


def from_row(dataclass: type[_Shown], row: object, **others: Any) -> _Shown:
    """One with these members; the rest are the row's attributes of the same names."""
    names = [field.name for field in dataclasses.fields(dataclass) if field.name not in others]
    return dataclass(**{name: getattr(row, name) for name in names}, **others)
