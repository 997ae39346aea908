"""Conformance checks: laws 1 to 11 of the contract, for any game.

A walk plays one game. A chooser picks every action and every probe, so that hypothesis, a seed or an exhaustive search
can drive it. `LawBroken` names the law and the actions that led there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, Final, Generic, NamedTuple, Protocol

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import (
    A,
    Chance,
    Decision,
    Game,
    Heard,
    IllegalAction,
    Over,
    Pending,
    S,
    Seat,
    Setup,
    V,
    Viewer,
)
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import message_factory
from spieltisch.records import BadRecord, Move, Record, begin, read, write
from spieltisch.records.replay import replay

LAWS: Final = {
    1: "apply does not change its arguments",
    2: "apply is deterministic",
    3: "pending actions are distinct and in stable order",
    4: "weights are positive integers, one per action",
    5: "an action raises IllegalAction with a rule number if and only if it is not pending",
    6: "read(write(action)) is the action",
    7: "a game ends within the bound that it declares",
    8: "an outcome has a score and a rank per seat, and then nothing is hidden from any viewer",
    9: "a witness reveals exactly what the views, with memory, reveal",
    10: "imagine samples all states consistent with the view with the right odds, and uses nothing else",
    11: "a record replays to the same end",
    12: "a twin agrees with the rules",
    13: "an action ends the turn exactly if the same seat does not decide again at once",
}
MAX_LINE_LENGTH: Final = 60  # of the line that introduces the game
_RECALLS: Final = 8  # in one of this many states, the memory is compared with all that was heard
_PROBES: Final = 4  # actions tried for law 5, and pairs of actions for law 9, per state


class LawBroken(AssertionError):
    """A law does not hold; the message names the walk that shows it."""

    def __init__(self, law: int, what: str) -> None:
        super().__init__(f"law {law} ({LAWS[law]}): {what}")
        self.law = law


class Chooser(Protocol):
    """Picks a number below `count`; every choice of a walk goes through it."""

    def __call__(self, count: int, /) -> int: ...


def seeded(seed: int) -> Chooser:
    """A chooser that picks uniformly at random from a seed."""
    return Random(seed).randrange


class Branch(NamedTuple, Generic[S, V]):
    """One possible next state, with a viewer's view of it and what the viewer witnessed of the action."""

    state: S
    view: V
    witnessed: Heard


class Walk(Generic[S, A, V]):
    """One game played by a chooser; every state is checked against the laws."""

    def __init__(self, game: Game[S, A, V], setup: Setup, choose: Chooser) -> None:
        self.game = game
        self.setup = setup
        self.choose = choose
        self.state = game.initial(setup)
        self.moves: list[Move] = []
        self.states: list[S] = []
        self.ids = game.ids(setup)
        listed = self.ids.actions if isinstance(self.ids, ListedIds) else ()
        self.known: dict[A, None] = dict.fromkeys(listed)  # actions to try when they are not pending
        self.viewers: tuple[Viewer, ...] = (*map(Seat, range(setup.players)), None)
        self.heard: dict[Viewer, list[Heard]] = {viewer: [] for viewer in self.viewers}
        self.memory: dict[Viewer, Any] = {viewer: game.memory(setup) for viewer in self.viewers}
        self.turn: tuple[Seat, bool] | None = None  # who took the last action, and whether it ends the turn

    def broken(self, law: int, what: str) -> LawBroken:
        played = " ".join(f"{'*' if move.seat is None else move.seat}:{move.text}" for move in self.moves[-12:])
        return LawBroken(law, f"{what} [{self.game.name}, {self.setup.players} players, after … {played}]")

    def run(self) -> None:
        """Plays and checks the game to the end; LawBroken if a law does not hold."""
        bound = self.game.bound(self.setup)
        while not isinstance(pending := self.pending(), Over):
            self.check_turn(pending)
            if len(self.moves) >= bound:
                raise self.broken(7, f"not over after {bound} actions")
            self.check_pending_actions(pending.actions)
            self.check_illegal_actions(pending.actions)
            self.check_witnesses(pending)
            self.check_imagine()
            self.play(pending)
        self.check_turn(pending)
        self.check_outcome(pending)
        self.check_illegal_actions(())
        self.check_imagine()
        self.check_earlier_states()
        self.check_record(pending)

    def play(self, pending: Decision[A] | Chance[A]) -> None:
        """Applies an action picked by the chooser."""
        action = pending.actions[self.choose(len(pending.actions))]
        seat = pending.seat if isinstance(pending, Decision) else None
        for viewer in self.viewers:
            heard = Heard(seat, self.game.witness(self.state, action, viewer))
            self.heard[viewer].append(heard)
            self.memory[viewer] = self.game.remember(self.memory[viewer], heard)
        self.turn = None if seat is None else (seat, self.game.ends_turn(self.state, action))
        self.states.append(self.state)
        self.moves.append(Move(seat, self.game.write(self.state, action)))
        self.state = self.game.apply(self.state, action)

    def check_turn(self, pending: Pending[A]) -> None:
        """Law 13: checks whether `ends_turn` was right about the last action."""
        if self.turn is not None:
            seat, ends = self.turn
            if ends == (isinstance(pending, Decision) and pending.seat == seat):
                raise self.broken(13, f"ends_turn is {ends}")

    def pending(self) -> Pending[A]:
        """What is pending, checked against laws 3 and 4."""
        if not _hashable(self.state):
            raise self.broken(1, "the state is not hashable, so it may be mutable")
        first, again = self.game.pending(self.state), self.game.pending(deepcopy(self.state))
        if isinstance(first, Over) or isinstance(again, Over):
            if first != again:
                raise self.broken(3, "over at one call and not at the next")
            return first
        if not first.actions:
            raise self.broken(3, "no actions")
        if len(set(first.actions)) != len(first.actions):
            raise self.broken(3, "the same action twice")
        if type(first) is not type(again) or list(first.actions) != list(again.actions):
            raise self.broken(3, "another order at the next call")
        if isinstance(first, Chance):
            if len(first.weights) != len(first.actions):
                raise self.broken(4, f"{len(first.actions)} actions and {len(first.weights)} weights")
            for weight in first.weights:
                if type(weight) is not int or weight <= 0:
                    raise self.broken(4, f"the weight {weight!r}")
        elif not 0 <= first.seat < self.setup.players:
            raise self.broken(3, f"a decision for seat {first.seat}, which does not exist")
        self.known.update(dict.fromkeys(first.actions))
        if self.ids is not None:
            numbers = self.ids.of(first.actions)
            if len(set(numbers)) != len(first.actions) or not set(numbers) <= set(range(len(self.ids))):
                raise self.broken(3, "pending actions without ids of their own")
        return first

    def check_pending_actions(self, actions: Sequence[A]) -> None:
        """Laws 1, 2, 5 and 6 for pending actions: all of a short list, a sample of a long one."""
        pristine, other = deepcopy(self.state), deepcopy(self.state)
        for action in self.some(actions, 12):
            text = self.game.write(self.state, action)
            if not text or text != text.strip() or not text.isprintable() or " ;" in text:
                raise self.broken(6, f"the notation {text!r} cannot stand in a record")
            if self.game.read(self.state, text) != action:
                raise self.broken(6, f"{text} is read as another action")
            copied = deepcopy(action)
            try:
                after = self.game.apply(self.state, action)
                if self.state != pristine or hash(self.state) != hash(pristine) or action != copied:
                    raise self.broken(1, f"{text} changed the state it was applied to")
                again = self.game.apply(other, copied)
            except IllegalAction as error:
                raise self.broken(5, f"{text} is pending and refused by {error.rule}") from None
            if after != again or hash(after) != hash(again):
                raise self.broken(2, f"{text} leads to different states")

    def check_illegal_actions(self, actions: Sequence[A]) -> None:
        """Law 5 for a sample of the known actions that are not pending here."""
        pending = set(actions)
        for action in self.some([action for action in self.known if action not in pending], _PROBES):
            self.check_refused(self.state, action)

    def check_earlier_states(self) -> None:
        """Law 5 for earlier states of this walk with actions that were pending before or after them."""
        for state in self.some(self.states, 2 * _PROBES):
            pending = self.game.pending(state)
            assert not isinstance(pending, Over)
            allowed = set(pending.actions)
            for action in self.some([action for action in self.known if action not in allowed], 2 * _PROBES):
                self.check_refused(state, action)

    def check_refused(self, state: S, action: A) -> None:
        """Law 5 for one illegal action."""
        try:
            self.game.apply(state, action)
        except IllegalAction as error:
            if not error.rule or not str(error):
                raise self.broken(5, f"{action!r} is refused without a rule or a message") from None
            return
        raise self.broken(5, f"{action!r} is not pending but was applied")

    def check_witnesses(self, pending: Decision[A] | Chance[A]) -> None:
        """Law 9 for pairs of actions, in both directions."""
        actions = self.some(pending.actions, _PROBES + 1)
        states = [self.game.apply(self.state, action) for action in actions]
        seat = pending.seat if isinstance(pending, Decision) else None
        going_on = [not isinstance(self.game.pending(state), Over) for state in states]
        for viewer in self.viewers:
            branches = [
                Branch(
                    state, self.game.observe(state, viewer), Heard(seat, self.game.witness(self.state, action, viewer))
                )
                for action, state, goes_on in zip(actions, states, going_on, strict=True)
                if goes_on
            ]
            for one, other in pairwise(branches):
                if one.state != other.state:
                    self.check_branches(viewer, one, other)

    def check_branches(self, viewer: Viewer, one: Branch[S, V], other: Branch[S, V]) -> None:
        """Laws 9 and 10: the views and `imagine` distinguish two branches if and only if the witness does."""
        if one.witnessed == other.witnessed:
            if one.view != other.view:
                text = one.witnessed.text
                raise self.broken(9, f"{text} looks the same to {viewer_name(viewer)}, but the views after it differ")
            imagined = [
                self.game.imagine(self.game.observe(branch.state, viewer), Random(len(self.moves)))
                for branch in (one, other)
            ]
            if imagined[0] != imagined[1]:
                raise self.broken(10, f"imagine distinguishes states that look the same to {viewer_name(viewer)}")
        elif one.view == other.view:
            recalled = [
                self.game.recall(branch.view, (*self.heard[viewer], branch.witnessed)) for branch in (one, other)
            ]
            if recalled[0] == recalled[1]:
                texts = f"{one.witnessed.text} or {other.witnessed.text}"
                raise self.broken(9, f"{viewer_name(viewer)} witnesses {texts}, but no view distinguishes them")

    def check_imagine(self) -> None:
        """Law 10 for every viewer's view, as it is and with everything recalled."""
        for viewer in self.viewers:
            view = self.game.observe(self.state, viewer)
            recollected = self.game.recollect(view, self.memory[viewer])
            if len(self.moves) % _RECALLS == 0 and recollected != self.game.recall(view, self.heard[viewer]):
                raise self.broken(9, f"the memory of {viewer_name(viewer)} is not what recall makes of all it heard")
            for recalled in (view, recollected):
                imagined = self.game.imagine(recalled, Random(self.choose(1 << 16)))
                if self.game.observe(imagined, viewer) != view:
                    raise self.broken(10, f"an imagined state looks different to {viewer_name(viewer)}")

    def check_outcome(self, over: Over) -> None:
        """Law 8."""
        scores, ranks, ending = over.outcome
        if not len(scores) == len(ranks) == self.setup.players:
            raise self.broken(8, f"{len(scores)} scores and {len(ranks)} ranks")
        if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
            raise self.broken(8, f"the ranks {ranks}")
        if not ending:
            raise self.broken(8, "the ending has no name")
        for viewer in self.viewers:
            view = self.game.observe(self.state, viewer)
            if any(self.game.imagine(view, Random(seed)) != self.state for seed in range(8)):
                raise self.broken(8, f"after the end something is still hidden from {viewer_name(viewer)}")

    def check_record(self, over: Over) -> None:
        """Law 11."""
        record = _finished(self.game, self.setup, self.moves, over)
        text = write(record)
        if read(text) != record or write(read(text)) != text:
            raise self.broken(11, "the record does not survive writing and reading")
        try:
            end = replay(self.game, read(text).games[0]).state
        except BadRecord as error:
            raise self.broken(11, f"the record does not replay: {error}") from None
        if end != self.state:
            raise self.broken(11, "the record replays to another end")

    def some(self, items: Iterable[Any], most: int) -> list[Any]:
        """All items, or at most that many, picked by the chooser."""
        left = list(items)
        return left if len(left) <= most else [left.pop(self.choose(len(left))) for _ in range(most)]


def viewer_name(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _finished(game: Game[S, A, V], setup: Setup, moves: Sequence[Move], over: Over) -> Record:
    scores, _, ending = over.outcome
    return Record((replace(begin(game, setup), entries=tuple(moves), result=scores, ending=ending),))


def _hashable(state: object) -> bool:
    try:
        hash(state)
    except TypeError:
        return False
    return True


def check(game: Game[S, A, V], setup: Setup, choose: Chooser) -> None:
    """Plays one game and checks it against laws 1 to 11; LawBroken names the one that does not hold."""
    Walk(game, setup, choose).run()


def check_card(game: Game[S, A, V]) -> None:
    """Checks that a game's minutes, editions, options and line are described in every language."""
    assert game.minutes > 0, f"{game.name}: minutes must be positive"
    keys = [f"edition.{edition.name}" for edition in game.editions]
    for option in game.options:
        keys += [
            f"option.{option.name}",
            f"option.{option.name}.about",
            *(f"option.{option.name}.{value}" for value in getattr(option, "values", ())),
        ]
    for language in LANGUAGES:
        for key in keys:
            assert format_message(message_factory(game.name)(key), language), (
                f"{game.name}: {key} has no message in {language}"
            )
        line = format_message(message_factory(game.name)("line"), language)
        assert 0 < len(line) <= MAX_LINE_LENGTH, f"{game.name}: the line in {language} has {len(line)} characters"
