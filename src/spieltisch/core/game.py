"""The game contract: the abstract class of every game, and the values and errors that it shares with its callers."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from operator import index
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, NewType, SupportsIndex, TypeAlias, TypeVar, cast

from spieltisch.core.actions import ActionIds
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
    """Base class of expected errors: `code` is for programs, the message for people."""

    code: ClassVar[str] = "refused"

    def __init__(self, message: Message, rule: str | None = None) -> None:
        super().__init__(message, rule)
        self.message = message
        self.rule = rule

    def __str__(self) -> str:
        sentence = format_message(self.message, "en")
        return f"{self.rule}: {sentence}" if self.rule else sentence

    def __reduce__(self) -> tuple[Any, ...]:  # the constructors of subclasses differ
        return _restore_refusal, (type(self), self.args), self.__dict__


def _restore_refusal(kind: type[Refusal], arguments: tuple[Any, ...]) -> Refusal:
    return kind.__new__(kind, *arguments)


class BadSetup(Refusal):
    """A setup that the game does not allow; `field` names the field or the option that is wrong."""

    code = "bad-setup"

    def __init__(self, message: Message, rule: str | None = None, field: str | None = None) -> None:
        super().__init__(message, rule)
        self.field = field


class BadNotation(Refusal):
    """A text that is not the notation of any action."""

    code = "bad-notation"


class IllegalAction(Refusal):
    """An action that a rule forbids in this state; it always carries that rule's number."""

    code = "illegal-action"

    def __init__(self, rule: str, message: Message) -> None:
        super().__init__(message, rule)


class MissingExtra(Refusal):
    """An optional dependency is not installed; the message names the extra to install."""

    code = "missing-extra"


class Setup(NamedTuple):
    """The settings of a game, made by `Game.agree`, which checks them and fills in all options."""

    players: int
    edition: str
    options: tuple[tuple[str, str], ...]
    first: Seat
    rules: int

    def option(self, name: str) -> str:
        """The value of one of the game's options."""
        return dict(self.options)[name]


class Edition(NamedTuple):
    """A printed edition of a game, or a side of its board, with its numbers of players."""

    name: str
    players: range


class Choice(NamedTuple):
    """An option with a fixed list of values; the first is the default."""

    name: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.values[0]


class Document(NamedTuple):
    """An option that is a JSON document (a board, a set of stones); '' stands for the game's own."""

    name: str

    @property
    def default(self) -> str:
        return ""


Option: TypeAlias = Choice | Document


class Outcome(NamedTuple):
    """The result of a game: per seat a score and a rank (1 is best, ties share a rank), and what ended the game."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    ending: str


class Decision(NamedTuple, Generic[A]):
    """A seat must choose one of the actions: at least one, all distinct, in a deterministic order."""

    seat: Seat
    actions: Sequence[A]


class Chance(NamedTuple, Generic[A]):
    """Chance, or a judge, picks one of the actions with probabilities proportional to the weights."""

    actions: Sequence[A]
    weights: Sequence[int]
    judged: bool = False  # a verdict from outside the rules, which is not drawn

    @property
    def is_drawn(self) -> bool:
        """Whether an action must be drawn: not if there is only one, or if a judge decides."""
        return len(self.actions) > 1 and not self.judged


class Over(NamedTuple):
    """The game has ended."""

    outcome: Outcome


Pending: TypeAlias = Decision[A] | Chance[A] | Over


class Heard(NamedTuple):
    """One action as a viewer witnessed it; seat None is chance."""

    seat: Seat | None
    text: str


class Game(ABC, Generic[S, A, V]):
    """Abstract class of a game: its rules as pure functions over immutable values."""

    name: ClassVar[str]
    title: ClassVar[str]
    minutes: ClassVar[int]  # a game takes about this long
    rules: ClassVar[tuple[int, ...]] = (1,)  # the versions of the rules that can be played; the last is current
    editions: ClassVar[tuple[Edition, ...]]  # the first is the default
    options: ClassVar[tuple[Option, ...]] = ()
    deals: ClassVar[bool] = True  # whether the draws before the first decision lay out what the table shows
    hides: ClassVar[bool] = False  # whether seats see different things: a shared screen is hidden between turns
    offered: ClassVar[bool] = True  # whether it is listed for people to play

    @abstractmethod
    def initial(self, setup: Setup) -> S:
        """The initial state; BadSetup if the setup's documents do not fit the game."""

    @abstractmethod
    def pending(self, state: S) -> Pending[A]:
        """What happens next: a decision, a chance, or nothing, since the game is over."""

    @abstractmethod
    def apply(self, state: S, action: A) -> S:
        """The state after the action; IllegalAction names the rule if one forbids it."""

    @abstractmethod
    def observe(self, state: S, viewer: Viewer) -> V:
        """The viewer's view: all that the viewer may know, and everything once the game is over.

        A view has the game's setup as `setup`.
        """

    @abstractmethod
    def imagine(self, view: V, sampler: Sampler) -> S:
        """A random state that is consistent with the view, drawn with the probabilities that chance gives such states."""

    @abstractmethod
    def write(self, state: S, action: A) -> str:
        """The action's notation."""

    @abstractmethod
    def read(self, state: S, text: str) -> A:
        """The action with that notation, legal or not; BadNotation if there is none."""

    @abstractmethod
    def bound(self, setup: Setup) -> int:
        """An upper bound of the number of actions in a game, including draws."""

    def witness(self, state: S, action: A, viewer: Viewer) -> str:
        """The action's notation as the viewer saw it, with '?' for what was hidden."""
        return self.write(state, action)

    def memory(self, setup: Setup) -> Any:
        """What a viewer remembers before the first action. Memories are immutable; only the game knows their type."""
        return None

    def remember(self, memory: Any, heard: Heard) -> Any:
        """The memory after one more action as the viewer witnessed it."""
        return memory

    def recollect(self, view: V, memory: Any) -> V:
        """The view, completed by public facts that are no longer visible but remembered."""
        return view

    def recall(self, view: V, heard: Sequence[Heard]) -> V:
        """The view, completed by public facts that are no longer visible but were heard: `recollect` after all of it."""
        if type(self).recollect is Game.recollect:
            return view  # it remembers nothing, and its views need not have a setup
        memory = self.memory(cast("Any", view).setup)
        for one in heard:
            memory = self.remember(memory, one)
        return self.recollect(view, memory)

    def ids(self, setup: Setup) -> ActionIds[A] | None:
        """The frozen ids of all actions, for research environments and twins; None if the game has none."""
        return None

    def multiplicity(self, state: S, action: A) -> int:
        """How many ways there are to carry out a choice if equal pieces are distinguished: the weight `imagine` assumes."""
        self.write(state, action)  # which refuses what is not an action
        return 1

    def drawn_pieces(self, state: S, action: A) -> tuple[str, ...]:
        """The pieces of a draw for the statistics of fair chance: each die of a throw counts by itself."""
        return (self.write(state, action),)

    def ends_turn(self, state: S, action: A) -> bool:
        """Whether the seat that decides has nothing more to decide in this turn after the action.

        A game overrides it if applying every choice to find out would be slow; law 13 checks it against the rules.
        """
        pending = self.pending(state)
        after = self.for_replay.pending(self.for_replay.apply(state, action))
        return not (isinstance(pending, Decision) and isinstance(after, Decision) and after.seat == pending.seat)

    def match_points(self, outcome: Outcome) -> tuple[int, ...]:
        """What a finished game adds to the total of each seat in a match: its scores, unless the rules say otherwise."""
        return outcome.scores

    def recommended_games(self, players: int) -> int:
        """The recommended number of games in a match."""
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
        """Notes for people about the game as it is installed here, such as a missing dependency."""
        return ()

    @property
    def players(self) -> range:
        """The numbers of players, over all editions."""
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
        """The setup with the game's defaults filled in; BadSetup names the field that is wrong."""
        chosen = self._edition(edition)
        players = chosen.players.start if players is None else _whole("players", players)
        first = _whole("first", first)
        if players not in chosen.players:
            least, most = chosen.players.start, chosen.players.stop - 1
            raise BadSetup(
                _say("setup.players", title=self.title, least=least, most=most, given=brief(players)), field="players"
            )
        if not 0 <= first < players:
            raise BadSetup(_say("setup.first", last=players - 1, given=brief(first)), field="first")
        version = self.rules[-1] if rules is None else _whole("rules", rules)
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
        if not isinstance(given, Mapping):
            raise BadSetup(_say("setup.mapping", given=type(given).__name__), field="options")
        for name in given:
            if name not in known:
                if not known:
                    raise BadSetup(_say("setup.no_options", title=self.title, given=brief(name)), field=name)
                raise BadSetup(
                    _say("setup.option", title=self.title, known=tuple(known), given=brief(name)), field=name
                )
        return tuple((name, _value(option, given[name])) if name in given else (name, option.default)
                     for name, option in known.items())  # fmt: skip


AnyGame: TypeAlias = Game[Any, Any, Any]  # a game found by name, whose types only the game itself knows


def _whole(field: str, given: object) -> int:
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        return index(given)
    raise BadSetup(_say("setup.whole", field=field, given=type(given).__name__), field=field)


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
    """Canonical JSON: sorted keys, no spaces; ValueError for numbers that JSON does not have."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def brief(given: object) -> str:
    """Untrusted input, made printable and cut to 60 characters, to be quoted in an error."""
    text = "".join(letter if letter.isprintable() else "·" for letter in str(given)[:61])
    return text if len(text) <= 60 else f"{text[:59]}…"


def ranking(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, highest first; ties share a rank, and the next rank skips them (1 2 2 4)."""
    ordered = sorted(keys, reverse=True)
    return tuple(ordered.index(key) + 1 for key in keys)
