"""The contract: what every game is, and the values and errors that it shares with everything else."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, NewType, TypeAlias, TypeVar

from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Message, message_factory

S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V")

Seat = NewType("Seat", int)
Viewer: TypeAlias = Seat | None  # None is a spectator
Sampler: TypeAlias = Random

_say = message_factory("")


class Refusal(Exception):
    """What was asked for cannot be done; `code` tells machines which kind, the message tells people why."""

    code: ClassVar[str] = "refused"

    def __init__(self, message: Message, rule: str | None = None) -> None:
        super().__init__(message, rule)
        self.message = message
        self.rule = rule

    def __str__(self) -> str:
        sentence = format_message(self.message, "en")
        return f"{self.rule}: {sentence}" if self.rule else sentence


class BadSetup(Refusal):
    """A setup that the game does not allow, because of a field of it or of an option by that name."""

    code = "bad-setup"

    def __init__(self, message: Message, rule: str | None = None, field: str | None = None) -> None:
        super().__init__(message, rule)
        self.field = field


class BadNotation(Refusal):
    """A text that names no action."""

    code = "bad-notation"


class IllegalAction(Refusal):
    """An action that a rule forbids here; it always carries that rule's number."""

    code = "illegal-action"

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(message, rule)

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[str | None, Message]]:
        return type(self), (self.rule, self.message)


class Setup(NamedTuple):
    """What is agreed before a game: made by `Game.agree`, so every option is there and everything is allowed."""

    players: int
    edition: str
    options: tuple[tuple[str, str], ...]
    first: Seat
    rules: int

    def option(self, name: str) -> str:
        """The value of one of the game's options."""
        return dict(self.options)[name]


class Edition(NamedTuple):
    """A printed edition of a game, or a side of its board, and how many can play it."""

    name: str
    players: range


class Choice(NamedTuple):
    """An option that is one word of several."""

    name: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.values[0]


class Document(NamedTuple):
    """An option that is a JSON document (a board, a set of stones); '' is the game's own."""

    name: str

    @property
    def default(self) -> str:
        return ""


Option: TypeAlias = Choice | Document


class Outcome(NamedTuple):
    """How a game ended: a score and a rank for every seat (1 is best, equals share it), and what ended it."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    ending: str


class Decision(NamedTuple, Generic[A]):
    """A seat chooses one of the actions: distinct, at least one, always in the same order."""

    seat: Seat
    actions: Sequence[A]


class Chance(NamedTuple, Generic[A]):
    """Luck, or a judge, picks one of the actions with odds in proportion to the weights."""

    actions: Sequence[A]
    weights: Sequence[int]
    judged: bool = False  # a verdict from outside the rules: no draw, whatever the odds

    @property
    def open(self) -> bool:
        """Whether there is something to draw: a single possibility needs no luck, and a judge has none."""
        return len(self.actions) > 1 and not self.judged


class Over(NamedTuple):
    """The game has ended."""

    outcome: Outcome


Pending: TypeAlias = Decision[A] | Chance[A] | Over


class Heard(NamedTuple):
    """One action as somebody witnessed it; seat None is chance."""

    seat: Seat | None
    text: str


class Game(ABC, Generic[S, A, V]):
    """The rules of a game as pure functions over frozen values."""

    name: ClassVar[str]
    title: ClassVar[str]
    minutes: ClassVar[int]  # that a game takes, about
    rules: ClassVar[tuple[int, ...]] = (1,)  # the versions of the rules that can be played, the last is current
    editions: ClassVar[tuple[Edition, ...]]  # the first is the default
    options: ClassVar[tuple[Option, ...]] = ()
    deals: ClassVar[bool] = True  # whether draws before the first decision lay something out that the table shows
    hides: ClassVar[bool] = False  # whether seats see different things, so that a shared screen must be covered
    offered: ClassVar[bool] = True  # whether people are offered it to play
    ids: tuple[A, ...] | None = None  # every action there is, in frozen order: an action's id is its place
    most_choices: ClassVar[int | None] = None  # without ids: the longest list of choices an adapter makes room for

    @abstractmethod
    def initial(self, setup: Setup) -> S:
        """The state before anything has happened; BadSetup where the setup's documents do not fit the game."""

    @abstractmethod
    def pending(self, state: S) -> Pending[A]:
        """What the game waits for."""

    @abstractmethod
    def apply(self, state: S, action: A) -> S:
        """The state after the action; IllegalAction names the rule that forbids it."""

    @abstractmethod
    def observe(self, state: S, viewer: Viewer) -> V:
        """What the viewer may know; everything once the game is over."""

    @abstractmethod
    def imagine(self, view: V, sampler: Sampler) -> S:
        """A state that looks just like the view, drawn from all of them with the odds that chance gives them."""

    @abstractmethod
    def write(self, state: S, action: A) -> str:
        """The action's notation."""

    @abstractmethod
    def read(self, state: S, text: str) -> A:
        """The action that the notation names, allowed here or not; BadNotation where it names none."""

    @abstractmethod
    def bound(self, setup: Setup) -> int:
        """A number of actions, draws included, that no game exceeds."""

    def witness(self, state: S, action: A, viewer: Viewer) -> str:
        """The action's notation as the viewer saw it, '?' for what was hidden."""
        return self.write(state, action)

    def recall(self, view: V, heard: Sequence[Heard]) -> V:
        """The view with the public facts that it conceals filled in from what was heard."""
        return view

    def ways(self, state: S, action: A) -> int:
        """In how many ways a choice can be carried out, equal pieces told apart: the odds that `imagine` assumes."""
        return 1

    def drawn(self, state: S, action: A) -> tuple[str, ...]:
        """What a draw brings up, piece by piece, as fair chance is counted: every die of a throw by itself."""
        return (self.write(state, action),)

    def recommended_games(self, players: int) -> int:
        """How many games make a match worth playing."""
        return 1

    @property
    def for_replay(self) -> Game[S, A, V]:
        """The same game for replaying records: it accepts every recorded verdict instead of asking a judge."""
        return self

    @property
    def for_simulation(self) -> Game[S, A, V]:
        """The same game with the quick judge instead of the thorough one: for bots, simulations and random walks."""
        return self

    def notes(self) -> tuple[Message, ...]:
        """What people should know of the game as it is installed here, before they play."""
        return ()

    @property
    def players(self) -> range:
        """How many can play, in any edition."""
        return range(
            min(edition.players.start for edition in self.editions),
            max(edition.players.stop for edition in self.editions),
        )

    def agree(
        self,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        first: int = 0,
        rules: int | None = None,
    ) -> Setup:
        """The setup with the game's defaults filled in; BadSetup names the field that does not fit."""
        chosen = self._edition(edition)
        players = chosen.players.start if players is None else players
        if players not in chosen.players:
            least, most = chosen.players.start, chosen.players.stop - 1
            raise BadSetup(
                _say("setup.players", title=self.title, least=least, most=most, given=brief(players)), field="players"
            )
        if not 0 <= first < players:
            raise BadSetup(_say("setup.first", last=players - 1, given=brief(first)), field="first")
        version = self.rules[-1] if rules is None else rules
        if version not in self.rules:
            known = tuple(str(number) for number in self.rules)
            raise BadSetup(_say("setup.rules", title=self.title, known=known, given=brief(version)), field="rules")
        return Setup(players, chosen.name, self._options(options or {}), Seat(first), version)

    def _edition(self, name: str | None) -> Edition:
        for edition in self.editions:
            if name is None or name == edition.name:
                return edition
        known = tuple(edition.name for edition in self.editions)
        raise BadSetup(_say("setup.edition", title=self.title, known=known, given=brief(name)), field="edition")

    def _options(self, given: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                if not known:
                    raise BadSetup(_say("setup.no_options", title=self.title, given=brief(name)), field=name)
                raise BadSetup(
                    _say("setup.option", title=self.title, known=tuple(known), given=brief(name)), field=name
                )
        return tuple((name, _value(option, given[name])) if name in given else (name, option.default)
                     for name, option in known.items())  # fmt: skip


AnyGame: TypeAlias = Game[Any, Any, Any]  # a game found by name: what its values are, only the game knows


def _value(option: Option, given: object) -> str:
    match option:
        case Choice(name, values):
            if given not in values:
                raise BadSetup(_say("setup.value", option=name, known=values, given=brief(given)), field=name)
            return str(given)
        case Document(name):
            if given == "":
                return ""
            try:
                document = json.loads(given) if isinstance(given, str) else given
                if not isinstance(document, dict):
                    raise BadSetup(_say("setup.document_kind", option=name), field=name)
                canonical = canonical_json(document)
                canonical.encode()
            except (ValueError, TypeError, RecursionError):
                raise BadSetup(_say("setup.document", option=name), field=name) from None
            return canonical


def canonical_json(document: object) -> str:
    """The one text of a JSON document: keys sorted, no spaces; ValueError for what JSON has no text for."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def brief(given: object) -> str:
    """What somebody sent, printable and short enough to be said back."""
    text = "".join(letter if letter.isprintable() else "·" for letter in str(given)[:61])
    return text if len(text) <= 60 else f"{text[:59]}…"


def ranking(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, highest first: equals share a rank and the next counts all before it (1 2 2 4)."""
    ordered = sorted(keys, reverse=True)
    return tuple(ordered.index(key) + 1 for key in keys)
