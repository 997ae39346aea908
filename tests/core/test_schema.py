"""`json_schema` describes exactly what `to_json` returns, for types in general and for every game's views."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from random import Random
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypeAlias

import pytest
from jsonschema import Draft202012Validator
from typing_extensions import TypeAliasType

from spieltisch import registry
from spieltisch.core.game import A, AnyGame, Chance, Decision, Game, Over, S, Seat, V
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import Seen
from spieltisch.core.schema import Schema, TypeSchema, json_schema
from spieltisch.games.template.state import Phase
from tests.support.variants import GameVariant, game_variants

REFS = "#/components/schemas/"
SETTINGS = list(game_variants())


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    SMALL = 1
    BIG = 2


class Mixed(Enum):
    NUMBER = 1
    WORD = "one"


class Point(NamedTuple):
    """A point
    of the plane.
    """

    x: int
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    ends: tuple[Point, Point]
    colour: Colour | None


class Tree(NamedTuple):
    name: str
    branches: tuple[Tree, ...]


class Name(str):
    __slots__ = ()


class Empty(NamedTuple):
    pass


Index = NewType("Index", int)
Deep = NewType("Deep", Index)
Corner: TypeAlias = tuple[Index, Point | None]
Rows = TypeAliasType("Rows", tuple[tuple[int, ...], ...])
Untyped = namedtuple("Untyped", "x")  # noqa: PYI024 - without types on purpose

INTEGER: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}
POINT: Schema = {"$ref": "#/$defs/Point"}

UNNAMED = [
    (bool, {"type": "boolean"}, [True], [0, None, "true"]),
    (int, INTEGER, [0, -3], [0.5, True, "0"]),
    (float, {"type": "number"}, [0.5, 2], ["0.5", None]),
    (str, {"type": "string"}, ["", "x"], [1, None]),
    (Name, {"type": "string"}, [Name("x")], [1]),
    (None, NULL, [None], [0, "", False]),
    (type(None), NULL, [None], [0]),
    (Index, INTEGER, [Index(3)], ["3"]),
    (Deep, INTEGER, [Deep(Index(3))], [None]),
    (Annotated[int, "of something"], INTEGER, [1], ["1"]),
    (tuple[int, ...], {"type": "array", "items": INTEGER}, [(), (1, 2)], [("1",), 1, {"0": 1}]),
    (list[int], {"type": "array", "items": INTEGER}, [[], [1]], [[None]]),
    (Sequence[int], {"type": "array", "items": INTEGER}, [(1,), [1]], ["1"]),
    (Rows, {"type": "array", "items": {"type": "array", "items": INTEGER}}, [((1, 2), ())], [(1, 2)]),
    (
        tuple[int, str],
        {"type": "array", "prefixItems": [INTEGER, {"type": "string"}], "items": False, "minItems": 2, "maxItems": 2},
        [(1, "x")],
        [(1,), (1, "x", 2), ("x", 1), ()],
    ),
    (tuple[()], {"type": "array", "maxItems": 0}, [()], [(1,)]),
    (Mapping[str, int], {"type": "object", "additionalProperties": INTEGER}, [{}, {"a": 1}], [{"a": "1"}, [1]]),
    (dict[Name, bool], {"type": "object", "additionalProperties": {"type": "boolean"}}, [{"a": True}], [{"a": 1}]),
    (int | None, {"anyOf": [INTEGER, NULL]}, [1, None], ["", 1.5]),
    (Optional[int], {"anyOf": [INTEGER, NULL]}, [1, None], [""]),  # noqa: UP045 - its other spelling
    (Index | int, INTEGER, [1], [None]),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, ["a"], ["c", 1]),
    (Literal["a", 1, False], {"enum": ["a", 1, False]}, ["a", 1, False], ["1", 2, 0, True, None]),
    (Literal[Colour.RED], {"type": "string", "enum": ["red"]}, [Colour.RED], ["blue"]),
]


def validator(types: TypeSchema) -> Draft202012Validator:
    """A validator for the schema, after checking the schema itself."""
    document: dict[str, Any] = {
        **types.schema,
        "components": {"schemas": types.definitions},
        "$defs": types.definitions,
    }
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


@pytest.mark.parametrize(("kind", "schema", "fitting", "others"), UNNAMED, ids=lambda value: str(value)[:40])
def test_an_unnamed_type_is_described_inline(kind, schema, fitting, others):
    assert json_schema(kind) == TypeSchema(schema, {})
    check = validator(json_schema(kind))
    assert [value for value in fitting if not check.is_valid(to_json(value))] == []
    assert [value for value in others if check.is_valid(to_json(value))] == []


def test_a_record_is_an_object_with_exactly_its_fields():
    assert json_schema(Point) == TypeSchema(
        POINT,
        {
            "Point": {
                "description": "A point\nof the plane.",
                "type": "object",
                "properties": {"x": INTEGER, "y": {"type": "number"}},
                "required": ["x", "y"],
                "additionalProperties": False,
            }
        },
    )


def test_a_dataclass_is_a_record_without_the_docstring_that_python_generates():
    schema, definitions = json_schema(Line)
    assert schema == {"$ref": "#/$defs/Line"}
    assert list(definitions) == ["Colour", "Line", "Point"]
    assert list(definitions["Line"]) == ["type", "properties", "required", "additionalProperties"]
    check = validator(json_schema(Line))
    assert check.is_valid(to_json(Line((Point(1, 2), Point(3, 4.5)), Colour.RED)))
    assert check.is_valid(to_json(Line((Point(1, 2), Point(3, 4.5)), None)))
    assert not check.is_valid({"ends": [{"x": 1, "y": 2}], "colour": None})


@pytest.mark.parametrize(
    ("kind", "definition"),
    [
        (Colour, {"description": "A colour.", "type": "string", "enum": ["red", "blue"]}),
        (Size, {"type": "integer", "enum": [1, 2]}),
        (Mixed, {"enum": [1, "one"]}),
        (Empty, {"type": "object", "properties": {}, "required": [], "additionalProperties": False}),
    ],
)
def test_enums_list_their_values(kind, definition):
    assert json_schema(kind) == TypeSchema({"$ref": f"#/$defs/{kind.__name__}"}, {kind.__name__: definition})


def test_names_follow_a_prefix_and_references_a_path():
    schema, definitions = json_schema(Corner, "Big", REFS)
    assert schema["prefixItems"] == [INTEGER, {"anyOf": [{"$ref": "#/components/schemas/BigPoint"}, NULL]}]
    assert list(definitions) == ["BigPoint"]


def test_a_record_may_refer_to_itself():
    check = validator(json_schema(Tree, "Old", REFS))
    assert check.is_valid(to_json(Tree("trunk", (Tree("twig", ()),))))
    assert not check.is_valid(to_json(Tree("trunk", (Point(1, 2),))))


def test_two_types_of_one_name_are_refused():
    clash = Enum("Point", "Z")
    with pytest.raises(TypeError, match="two types are called Point"):
        json_schema(tuple[Point, clash])


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (set[int], r"set\[int\] has no JSON form"),
        (set, "set has no JSON form"),
        (bytes, "bytes has no JSON form"),
        (object, "object has no JSON form"),
        (Any, "Any has no JSON form"),
        (tuple, "tuple has no JSON form"),
        (list, "list has no JSON form"),
        (tuple[set[int], ...], r"set\[int\] has no JSON form"),
        (int | bytes, "bytes has no JSON form"),
        (dict[int, str], r"dict\[int, str\] has no JSON form: the keys of a JSON object are strings"),
        (Untyped, "Untyped has no JSON form: its field x has no type"),
        (Decision, "A has no JSON form"),
        (Seen[int, int], r"Seen\[int, int\] has no JSON form"),
        ("int", "int has no JSON form"),
    ],
)
def test_a_type_without_json_form_is_refused_with_a_sentence(kind, sentence):
    with pytest.raises(TypeError, match=sentence):
        json_schema(kind)


# The types of views


class Halfway(Game[S, tuple[int, ...], V], Generic[V, S]):
    """A game with two open type parameters, in another order."""


class Whole(Halfway[Point, str]):
    """A game that fixes the open parameters."""


class Grandchild(Whole):
    """A subclass that adds nothing."""


class Silent(Game):
    """A game without type parameters."""


@pytest.mark.parametrize("kind", [Whole, Grandchild])
def test_the_type_of_views_is_found_through_every_base(kind):
    assert registry._view_of(kind) is Point


def test_a_game_without_a_declared_view_type_is_refused():
    with pytest.raises(TypeError, match=r"Silent does not declare the type of its views"):
        registry._view_of(Silent)


@pytest.mark.parametrize("game", registry.all(), ids=lambda game: game.name)
def test_the_variants_of_a_game_have_the_same_view_type(game):
    view = registry.view_type(game)
    assert isinstance(game.observe(game.initial(game.agree()), None), view)
    assert registry.view_type(game.for_simulation) is registry.view_type(game.for_replay) is view


def view_shapes(game: AnyGame) -> TypeSchema:
    return json_schema(registry.view_type(game), game.name.capitalize(), REFS)


def positions(variant: GameVariant, seed: int) -> Iterator[Any]:
    """The states of a random game, from the first to the last."""
    game, sampler = variant.game, Random(seed)
    state = game.initial(variant.setup())
    while not isinstance(pending := game.pending(state), Over):
        yield state
        weights = pending.weights if isinstance(pending, Chance) else None
        state = game.apply(state, sampler.choices(pending.actions, weights)[0])
    yield state


@pytest.mark.parametrize("variant", SETTINGS, ids=str)
def test_every_view_of_a_random_game_fits_the_schema(variant):
    check = validator(view_shapes(variant.game))
    viewers = [None, *map(Seat, range(variant.players))]
    states = list(positions(variant, seed=1))
    for number, state in enumerate(states[::3]):  # by everybody in turn
        check.validate(to_json(variant.game.observe(state, viewers[number % len(viewers)])))
    for viewer in viewers:
        check.validate(to_json(variant.game.observe(states[-1], viewer)))


def spoilt(document: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """Copies of the document with one error each: a field missing, added, or of a wrong type."""
    for name, value in document.items():
        rest = {other: document[other] for other in document if other != name}
        yield f"no {name}", rest
        yield f"{name} is another thing", {**document, name: {"nothing": "of the sort"}}
        if isinstance(value, dict):
            yield from ((f"{name}: {what}", {**document, name: wrong}) for what, wrong in spoilt(value))
        if isinstance(value, list) and value and isinstance(value[0], dict):
            first = ((f"{name}[0]: {what}", [wrong, *value[1:]]) for what, wrong in spoilt(value[0]))
            yield from ((what, {**document, name: wrong}) for what, wrong in first)
    yield "one more", {**document, "secret": None}


@pytest.mark.parametrize("game", [game.for_simulation for game in registry.all()], ids=lambda game: game.name)
def test_a_broken_view_does_not_fit_the_schema(game):
    check = validator(view_shapes(game))
    *_, state = positions(GameVariant(game, game.players.start, game.editions[0].name, game.rules[-1]), seed=2)
    view = to_json(game.observe(state, Seat(0)))
    assert isinstance(view, dict)
    assert check.is_valid(view)
    wrong = dict(spoilt(view))
    assert len(wrong) > 30
    assert [what for what, document in wrong.items() if check.is_valid(document)] == []


def test_the_definitions_of_all_games_have_distinct_names_and_the_types_descriptions():
    everywhere = [view_shapes(game).definitions for game in registry.all()]
    names = [name for definitions in everywhere for name in definitions]
    assert len(names) == len(set(names))
    assert [name for definitions in everywhere for name in definitions if "description" not in definitions[name]] == []
    assert everywhere[registry.names().index("template")]["TemplatePhase"]["enum"] == [phase.value for phase in Phase]


def test_a_type_variable_is_not_a_type():
    with pytest.raises(TypeError, match="A has no JSON form"):
        json_schema(A)
