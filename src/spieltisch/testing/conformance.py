"""The laws of the contract as checks that anybody can run on a game.

A walk plays one game with a chooser that picks every action and every probe, so that hypothesis, a seed or an
exhaustive search can drive it. `LawBroken` names the law and the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any, Final, Generic, NamedTuple, Protocol

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
    1: "apply changes nothing it was given",
    2: "apply is deterministic",
    3: "pending actions are distinct and in stable order",
    4: "weights are positive whole numbers, one for each action",
    5: "whatever is not pending raises IllegalAction with a rule number, whatever is pending does not",
    6: "read(write(action)) is the action",
    7: "play ends within the bound the game declares",
    8: "an outcome has a score and a rank for every seat, and then every view is open",
    9: "a witness tells exactly what the view, with memory, tells",
    10: "imagine gives every world that looks like the view, with the right odds, and knows nothing else",
    11: "a record replays to the same end",
    12: "a twin agrees with the rules",
}
MOST_LETTERS: Final = 60  # of the line that makes people want to play
_PROBES: Final = 4  # actions tried against law 5, and pairs against law 9, at every state


class LawBroken(AssertionError):
    """A law that does not hold, with the walk that shows it."""

    def __init__(self, law: int, what: str) -> None:
        super().__init__(f"law {law} ({LAWS[law]}): {what}")
        self.law = law


class Chooser(Protocol):
    """Picks a number below `count`: every choice of a walk goes through it."""

    def __call__(self, count: int, /) -> int: ...


def seeded(seed: int) -> Chooser:
    """A chooser that picks evenly from a seed."""
    return Random(seed).randrange


class Told(NamedTuple, Generic[S, V]):
    """One thing that may happen: the world after it, and what a viewer sees and hears of it."""

    world: S
    view: V
    heard: Heard


class Walk(Generic[S, A, V]):
    """One game played by a chooser, each state held against the laws."""

    def __init__(self, game: Game[S, A, V], setup: Setup, choose: Chooser) -> None:
        self.game = game
        self.setup = setup
        self.choose = choose
        self.state = game.initial(setup)
        self.moves: list[Move] = []
        self.states: list[S] = []
        self.known: dict[A, None] = dict.fromkeys(game.ids or ())  # actions to try where they are not pending
        self.viewers: tuple[Viewer, ...] = (*map(Seat, range(setup.players)), None)
        self.heard: dict[Viewer, list[Heard]] = {viewer: [] for viewer in self.viewers}

    def broken(self, law: int, what: str) -> LawBroken:
        played = " ".join(f"{'*' if move.seat is None else move.seat}:{move.text}" for move in self.moves[-12:])
        return LawBroken(law, f"{what} [{self.game.name}, {self.setup.players} players, after … {played}]")

    def run(self) -> None:
        """Plays to the end; LawBroken where a law does not hold."""
        bound = self.game.bound(self.setup)
        while not isinstance(pending := self.pending(), Over):
            if len(self.moves) >= bound:
                raise self.broken(7, f"not over after {bound} actions")
            self.check_every_action(pending.actions)
            self.check_others(pending.actions)
            self.check_witnesses(pending)
            self.check_worlds()
            self.play(pending)
        self.check_outcome(pending)
        self.check_others(())
        self.check_worlds()
        self.check_old_states()
        self.check_record(pending)

    def play(self, pending: Decision[A] | Chance[A]) -> None:
        action = pending.actions[self.choose(len(pending.actions))]
        seat = pending.seat if isinstance(pending, Decision) else None
        for viewer in self.viewers:
            self.heard[viewer].append(Heard(seat, self.game.witness(self.state, action, viewer)))
        self.states.append(self.state)
        self.moves.append(Move(seat, self.game.write(self.state, action)))
        self.state = self.game.apply(self.state, action)

    def pending(self) -> Pending[A]:
        """What is pending, held against laws 3 and 4."""
        if not _hashable(self.state):
            raise self.broken(1, "the state cannot be hashed, so something in it can change")
        first, again = self.game.pending(self.state), self.game.pending(deepcopy(self.state))
        if isinstance(first, Over) or isinstance(again, Over):
            if first != again:
                raise self.broken(3, "over at one asking and not at the next")
            return first
        if not first.actions:
            raise self.broken(3, "nothing to choose from")
        if len(set(first.actions)) != len(first.actions):
            raise self.broken(3, "the same action twice")
        if type(first) is not type(again) or list(first.actions) != list(again.actions):
            raise self.broken(3, "another order when asked again")
        if isinstance(first, Chance):
            if len(first.weights) != len(first.actions):
                raise self.broken(4, f"{len(first.actions)} actions and {len(first.weights)} weights")
            for weight in first.weights:
                if type(weight) is not int or weight <= 0:
                    raise self.broken(4, f"the weight {weight!r}")
        elif not 0 <= first.seat < self.setup.players:
            raise self.broken(3, f"a decision of seat {first.seat}")
        self.known.update(dict.fromkeys(first.actions))
        return first

    def check_every_action(self, actions: Sequence[A]) -> None:
        """Laws 1, 2, 5 and 6 for what is pending: for all of a short list, for some of a long one."""
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

    def check_others(self, actions: Sequence[A]) -> None:
        """Law 5 for some of the actions that have been seen and are not pending here."""
        pending = set(actions)
        for action in self.some([action for action in self.known if action not in pending], _PROBES):
            self.check_refused(self.state, action)

    def check_old_states(self) -> None:
        """Law 5 for states of this walk with actions that turned up before or after them."""
        for state in self.some(self.states, 2 * _PROBES):
            pending = self.game.pending(state)
            assert not isinstance(pending, Over)
            allowed = set(pending.actions)
            for action in self.some([action for action in self.known if action not in allowed], 2 * _PROBES):
                self.check_refused(state, action)

    def check_refused(self, state: S, action: A) -> None:
        try:
            self.game.apply(state, action)
        except IllegalAction as error:
            if not error.rule or not str(error):
                raise self.broken(5, f"{action!r} is refused without a rule or a sentence") from None
            return
        raise self.broken(5, f"{action!r} is not pending and yet applied")

    def check_witnesses(self, pending: Decision[A] | Chance[A]) -> None:
        """Law 9 for pairs of actions, in both directions."""
        actions = self.some(pending.actions, _PROBES + 1)
        worlds = [self.game.apply(self.state, action) for action in actions]
        seat = pending.seat if isinstance(pending, Decision) else None
        going_on = [not isinstance(self.game.pending(world), Over) for world in worlds]
        for viewer in self.viewers:
            told = [
                Told(
                    world, self.game.observe(world, viewer), Heard(seat, self.game.witness(self.state, action, viewer))
                )
                for action, world, goes_on in zip(actions, worlds, going_on, strict=True)
                if goes_on
            ]
            for one, other in pairwise(told):
                if one.world != other.world:
                    self.check_pair(viewer, one, other)

    def check_pair(self, viewer: Viewer, one: Told[S, V], other: Told[S, V]) -> None:
        if one.heard == other.heard:
            if one.view != other.view:
                raise self.broken(9, f"{one.heard.text} looks the same to {_who(viewer)}, the views after it do not")
            drawn = [
                self.game.imagine(self.game.observe(told.world, viewer), Random(len(self.moves)))
                for told in (one, other)
            ]
            if drawn[0] != drawn[1]:
                raise self.broken(10, f"imagine tells worlds apart that look the same to {_who(viewer)}")
        elif one.view == other.view:
            recalled = [self.game.recall(told.view, (*self.heard[viewer], told.heard)) for told in (one, other)]
            if recalled[0] == recalled[1]:
                texts = f"{one.heard.text} or {other.heard.text}"
                raise self.broken(9, f"{_who(viewer)} hears {texts}, which no view may tell apart")

    def check_worlds(self) -> None:
        """Law 10 for what every viewer sees, as it is and with all that was heard."""
        for viewer in self.viewers:
            view = self.game.observe(self.state, viewer)
            for recalled in (view, self.game.recall(view, self.heard[viewer])):
                world = self.game.imagine(recalled, Random(self.choose(1 << 16)))
                if self.game.observe(world, viewer) != view:
                    raise self.broken(10, f"an imagined world looks different to {_who(viewer)}")

    def check_outcome(self, over: Over) -> None:
        scores, ranks, ending = over.outcome
        if not len(scores) == len(ranks) == self.setup.players:
            raise self.broken(8, f"{len(scores)} scores and {len(ranks)} ranks")
        if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
            raise self.broken(8, f"the ranks {ranks}")
        if not ending:
            raise self.broken(8, "no word for the ending")
        for viewer in self.viewers:
            view = self.game.observe(self.state, viewer)
            if any(self.game.imagine(view, Random(seed)) != self.state for seed in range(8)):
                raise self.broken(8, f"after the end something is still hidden from {_who(viewer)}")

    def check_record(self, over: Over) -> None:
        record = _finished(self.game, self.setup, self.moves, over)
        text = write(record)
        if read(text) != record or write(read(text)) != text:
            raise self.broken(11, "the record is read differently than it was written")
        try:
            end = replay(self.game, read(text).games[0]).state
        except BadRecord as error:
            raise self.broken(11, f"the record does not replay: {error}") from None
        if end != self.state:
            raise self.broken(11, "the record replays to another end")

    def some(self, things: Iterable[Any], most: int) -> list[Any]:
        """All the things, or as many as said, picked by the chooser."""
        left = list(things)
        return left if len(left) <= most else [left.pop(self.choose(len(left))) for _ in range(most)]


def _who(viewer: Viewer) -> str:
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
    """Plays one game and holds it against laws 1 to 11; LawBroken names the one that does not hold."""
    Walk(game, setup, choose).run()


def check_card(game: Game[S, A, V]) -> None:
    """Makes sure that people are told before they play what a game is like and can be like, in every language."""
    assert game.minutes > 0, f"{game.name}: a game takes some minutes"
    named = [f"edition.{edition.name}" for edition in game.editions]
    for option in game.options:
        named += [
            f"option.{option.name}",
            *(f"option.{option.name}.{value}" for value in getattr(option, "values", ())),
        ]
    for language in LANGUAGES:
        for key in named:
            assert format_message(message_factory(game.name)(key), language), (
                f"{game.name}: {key} has no words in {language}"
            )
        line = format_message(message_factory(game.name)("line"), language)
        assert 0 < len(line) <= MOST_LETTERS, f"{game.name}: the line in {language} has {len(line)} letters"


def check_odds(
    game: Game[S, A, V],
    setup: Setup,
    choose: Chooser,
    *,
    steps: int,
    samples: int = 2000,
    most_worlds: int = 2000,
    seed: int = 1,
) -> int:
    """Law 10's odds: plays some steps and holds imagine, for every viewer, against all worlds that viewer could be in.

    Answers the largest number of worlds a viewer had. Stops early before they are more than can be counted. The
    samples come from a fixed seed, so the answer never wavers.
    """
    walk = Walk(game, setup, choose)
    possible: dict[Viewer, dict[S, Fraction]] = {viewer: {walk.state: Fraction(1)} for viewer in walk.viewers}
    views = {viewer: game.observe(walk.state, viewer) for viewer in walk.viewers}
    for _ in range(steps):
        pending = walk.pending()
        if isinstance(pending, Over):
            break
        walk.play(pending)
        after = {viewer: _following(game, possible[viewer], viewer, walk.heard[viewer][-1]) for viewer in possible}
        if max(map(len, after.values())) > most_worlds or isinstance(walk.pending(), Over):
            break
        possible = after
        views = {viewer: game.recall(game.observe(walk.state, viewer), walk.heard[viewer]) for viewer in views}
    for viewer, odds in possible.items():
        sampler = Random(seed)
        seen = Counter(game.imagine(views[viewer], sampler) for _ in range(samples))
        wrong = _wrong_odds(odds, seen)
        if wrong:
            raise walk.broken(10, f"imagine gives {_who(viewer)} {wrong}")
    return max(map(len, possible.values()))


def _following(game: Game[S, A, V], possible: dict[S, Fraction], viewer: Viewer, word: Heard) -> dict[S, Fraction]:
    """The worlds after the viewer has heard one thing more.

    Draws count by their odds; of what others chose, only in how many ways they could have done it.
    """
    after: dict[S, Fraction] = {}
    for state, odds in possible.items():
        pending = game.pending(state)
        if isinstance(pending, Over) or (pending.seat if isinstance(pending, Decision) else None) != word.seat:
            continue
        for action, weight in _weighted(game, state, pending):
            if game.witness(state, action, viewer) == word.text:
                world = game.apply(state, action)
                after[world] = after.get(world, Fraction(0)) + odds * weight
    return after


def _weighted(game: Game[S, A, V], state: S, pending: Decision[A] | Chance[A]) -> Iterator[tuple[A, Fraction]]:
    if isinstance(pending, Decision):
        return ((action, Fraction(game.multiplicity(state, action))) for action in pending.actions)
    total = sum(pending.weights)
    return ((action, Fraction(weight, total)) for action, weight in zip(pending.actions, pending.weights, strict=True))


def _wrong_odds(odds: dict[S, Fraction], seen: Counter[S]) -> str | None:
    """What is wrong with the worlds seen: one that cannot be, or a χ² that a fair sampler reaches once in a billion."""
    if not seen.keys() <= odds.keys():
        return "a world that cannot be"
    samples, total = seen.total(), sum(odds.values())
    expected = {world: float(samples * weight / total) for world, weight in odds.items()}
    groups = [(expected[world], seen[world]) for world in odds if expected[world] >= 5]
    rare = [world for world in odds if expected[world] < 5]
    if (rare_expected := sum(expected[world] for world in rare)) >= 5:
        groups.append((rare_expected, sum(seen[world] for world in rare)))
    square = sum((count - mean) ** 2 / mean for mean, count in groups)
    freedom = max(1, len(groups) - 1)
    limit = freedom * (1 - 2 / (9 * freedom) + 6 * (2 / (9 * freedom)) ** 0.5) ** 3  # Wilson and Hilferty, 6 σ
    return f"worlds with wrong odds: χ² {square:.0f}, at most {limit:.0f} expected" if square > limit else None
