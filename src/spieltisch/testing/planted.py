"""Planted bugs: mutants of any game, each of which a law must catch.

They test the checks: `caught_by` runs a mutant until a law fails, and the result must be one of the bug's laws.

    for bug in BUGS:
        assert caught_by(bug.plant(game), setups) in bug.laws

`BUGS` fit every game. `SECRECY_BUGS` need a game in which seats witness different things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from spieltisch.core.actions import ActionIds
from spieltisch.core.game import AnyGame, Chance, Decision, Game, Heard, IllegalAction, Outcome, Over, Setup, Viewer
from spieltisch.i18n.message import message_factory
from spieltisch.testing.conformance import LawBroken, check, seeded

_COPIED: Final = ("name", "title", "minutes", "rules", "editions", "options", "deals", "hides")


class GameProxy(Game[Any, Any, Any]):
    """A game that delegates everything to another one; subclasses override what they change."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        for name in _COPIED:
            setattr(self, name, getattr(game, name))

    def initial(self, setup: Setup) -> Any:
        return self.game.initial(setup)

    def pending(self, state: Any) -> Any:
        return self.game.pending(state)

    def apply(self, state: Any, action: Any) -> Any:
        return self.game.apply(state, action)

    def observe(self, state: Any, viewer: Viewer) -> Any:
        return self.game.observe(state, viewer)

    def imagine(self, view: Any, sampler: Random) -> Any:
        return self.game.imagine(view, sampler)

    def write(self, state: Any, action: Any) -> str:
        return self.game.write(state, action)

    def read(self, state: Any, text: str) -> Any:
        return self.game.read(state, text)

    def bound(self, setup: Setup) -> int:
        return self.game.bound(setup)

    def witness(self, state: Any, action: Any, viewer: Viewer) -> str:
        return self.game.witness(state, action, viewer)

    def memory(self, setup: Setup) -> Any:
        return self.game.memory(setup)

    def remember(self, memory: Any, heard: Heard) -> Any:
        return self.game.remember(memory, heard)

    def recollect(self, view: Any, memory: Any) -> Any:
        return self.game.recollect(view, memory)

    def ids(self, setup: Setup) -> ActionIds[Any] | None:
        return self.game.ids(setup)

    def multiplicity(self, state: Any, action: Any) -> int:
        return self.game.multiplicity(state, action)


class Box:
    """A mutable container of a state, with a tag that makes equal states differ."""

    def __init__(self, state: Any, tag: int = 0) -> None:
        self.state, self.tag = state, tag

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.state, self.tag) == (other.state, other.tag)

    def __hash__(self) -> int:
        return hash((self.state, self.tag))


class UnhashableBox(Box):
    """A box without a hash."""

    __hash__ = None  # type: ignore[assignment]


class BoxedGame(GameProxy):
    """A game whose states are boxes."""

    def box(self, state: Any) -> Box:
        return Box(state)

    def initial(self, setup: Setup) -> Any:
        return self.box(super().initial(setup))

    def pending(self, state: Any) -> Any:
        return super().pending(state.state)

    def apply(self, state: Any, action: Any) -> Any:
        return self.box(super().apply(state.state, action))

    def observe(self, state: Any, viewer: Viewer) -> Any:
        return super().observe(state.state, viewer)

    def imagine(self, view: Any, sampler: Random) -> Any:
        return self.box(super().imagine(view, sampler))

    def write(self, state: Any, action: Any) -> str:
        return super().write(state.state, action)

    def read(self, state: Any, text: str) -> Any:
        return super().read(state.state, text)

    def witness(self, state: Any, action: Any, viewer: Viewer) -> str:
        return super().witness(state.state, action, viewer)

    def multiplicity(self, state: Any, action: Any) -> int:
        return super().multiplicity(state.state, action)


class MutatesState(BoxedGame):
    def apply(self, state: Any, action: Any) -> Any:
        after = super().apply(state, action)
        state.state = after.state
        return after


class UnhashableState(BoxedGame):
    def box(self, state: Any) -> Box:
        return UnhashableBox(state)


class RandomApply(BoxedGame):
    calls = 0

    def apply(self, state: Any, action: Any) -> Any:
        self.calls += 1
        return Box(super().apply(state, action).state, self.calls)


class UnstableOrder(GameProxy):
    calls = 0

    def pending(self, state: Any) -> Any:
        self.calls += 1
        pending = super().pending(state)
        if isinstance(pending, Decision) and self.calls % 2:
            return Decision(pending.seat, tuple(pending.actions)[::-1])
        return pending


class DuplicateActions(GameProxy):
    def pending(self, state: Any) -> Any:
        pending = super().pending(state)
        return Decision(pending.seat, tuple(pending.actions) * 2) if isinstance(pending, Decision) else pending


class ZeroWeight(GameProxy):
    def pending(self, state: Any) -> Any:
        pending = super().pending(state)
        return pending._replace(weights=(0, *pending.weights[1:])) if isinstance(pending, Chance) else pending


class AcceptsIllegalActions(GameProxy):
    def apply(self, state: Any, action: Any) -> Any:
        try:
            return super().apply(state, action)
        except IllegalAction:
            return state


class RefusesLegalActions(GameProxy):
    def apply(self, state: Any, action: Any) -> Any:
        pending = self.game.pending(state)
        after = super().apply(state, action)
        if isinstance(pending, Decision) and action == pending.actions[-1]:
            raise IllegalAction("R1", message_factory("")("setup.no_options", title=self.game.title, given="R1"))
        return after


class RefusesWithoutRule(GameProxy):
    def apply(self, state: Any, action: Any) -> Any:
        try:
            return super().apply(state, action)
        except IllegalAction as error:
            raise IllegalAction("", error.message) from None


class ReadsAnotherAction(GameProxy):
    def read(self, state: Any, text: str) -> Any:
        pending = self.game.pending(state)
        return super().read(state, text) if isinstance(pending, Over) else pending.actions[0]


class TightBound(GameProxy):
    def bound(self, setup: Setup) -> int:
        return 5


class ForgetsASeat(GameProxy):
    def pending(self, state: Any) -> Any:
        pending = super().pending(state)
        if isinstance(pending, Over):
            scores, ranks, ending = pending.outcome
            return Over(Outcome(scores[1:], ranks[1:], ending))
        return pending


class RanksWithGaps(GameProxy):
    def pending(self, state: Any) -> Any:
        pending = super().pending(state)
        if isinstance(pending, Over):
            return Over(pending.outcome._replace(ranks=tuple(rank + 1 for rank in pending.outcome.ranks)))
        return pending


class SilentWitness(GameProxy):
    def witness(self, state: Any, action: Any, viewer: Viewer) -> str:
        return "?"


class CarelessImagine(GameProxy):
    def imagine(self, view: Any, sampler: Random) -> Any:
        return self.game.initial(view.setup)


class ForgetfulReplay(BoxedGame):
    """Every game starts from a state with another tag, so that a replay ends differently."""

    games = 0

    def box(self, state: Any) -> Box:
        return Box(state, self.games)

    def initial(self, setup: Setup) -> Any:
        self.games += 1
        return super().initial(setup)


class LeakingView(GameProxy):
    """The view contains the whole state."""

    def observe(self, state: Any, viewer: Viewer) -> Any:
        return super().observe(state, viewer), state

    def imagine(self, view: Any, sampler: Random) -> Any:
        return super().imagine(view[0], sampler)

    def recollect(self, view: Any, memory: Any) -> Any:
        return super().recollect(view[0], memory), view[1]

    def recall(self, view: Any, heard: Sequence[Heard]) -> Any:
        return super().recall(view[0], heard), view[1]


class TellingWitness(GameProxy):
    def witness(self, state: Any, action: Any, viewer: Viewer) -> str:
        return self.game.write(state, action)


class CheatingImagine(GameProxy):
    """Remembers the last state that was observed, and imagines just that one."""

    last: Any = None

    def observe(self, state: Any, viewer: Viewer) -> Any:
        self.last = state
        return super().observe(state, viewer)

    def imagine(self, view: Any, sampler: Random) -> Any:
        return self.last


class Bug(NamedTuple):
    """A planted bug: how to plant it in a game, and the laws that may catch it."""

    plant: Callable[[AnyGame], AnyGame]
    laws: frozenset[int]

    def __str__(self) -> str:
        return getattr(self.plant, "__name__", repr(self.plant))


BUGS: Final = tuple(
    Bug(plant, frozenset(laws))
    for plant, *laws in (
        (MutatesState, 1),
        (UnhashableState, 1),
        (RandomApply, 2),
        (UnstableOrder, 3),
        (DuplicateActions, 3),
        (ZeroWeight, 4),
        (AcceptsIllegalActions, 5),
        (RefusesLegalActions, 5),
        (RefusesWithoutRule, 5),
        (ReadsAnotherAction, 6),
        (TightBound, 7),
        (ForgetsASeat, 8),
        (RanksWithGaps, 8),
        (SilentWitness, 9),
        (CarelessImagine, 8, 10),
        (ForgetfulReplay, 11),
    )
)
SECRECY_BUGS: Final = (
    Bug(LeakingView, frozenset({9, 10})),
    Bug(TellingWitness, frozenset({9})),
    Bug(CheatingImagine, frozenset({10})),
)


def caught_by(game: AnyGame, setups: Iterable[Setup], walks: int = 25) -> int | None:
    """The first law that a random walk finds broken; None if no walk finds any."""
    setups = tuple(setups)
    for seed in range(walks):
        for setup in setups:
            try:
                check(game, setup, seeded(seed))
            except LawBroken as error:
                return error.law
    return None
