"""Bugs planted on purpose, each caught by the law it breaks: the laws can fail."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import pytest

from spieltisch.conformance import LAWS, LawBroken, check, check_odds, check_twin, seeded
from spieltisch.game import Chance, Decision, Game, IllegalAction, Outcome, Over
from spieltisch.games.template import Template
from spieltisch.games.template import view as views
from spieltisch.games.template.rules import say
from spieltisch.games.template.state import COLOURS, DRAWS, FACE_DOWN, STOP, Draw, Lay, Phase, State, change
from spieltisch.games.template.view import Pile

GAME = Template()


def broken_law(game: Game[Any, Any, Any]) -> int:
    """The first law that some walk finds broken."""
    for seed in range(25):
        for players in (2, 3):
            try:
                check(game, game.agree(players), seeded(seed))
            except LawBroken as error:
                return error.law
    raise AssertionError("no walk has found anything")


def test_the_game_without_bugs_breaks_no_law():
    with pytest.raises(AssertionError, match="no walk has found anything"):
        broken_law(GAME)


class Loose:
    """A state that can be changed."""

    def __init__(self, inner: State) -> None:
        self.inner = inner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loose) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)


class MutatingApply(Template):
    def initial(self, setup):
        return Loose(super().initial(setup))

    def pending(self, state):
        return super().pending(state.inner)

    def apply(self, state, action):
        after = super().apply(state.inner, action)
        state.inner = state.inner._replace(laying=None)
        return Loose(after)

    def observe(self, state, viewer):
        return super().observe(state.inner, viewer)

    def imagine(self, view, sampler):
        return Loose(super().imagine(view, sampler))

    def write(self, state, action):
        return super().write(state.inner, action)

    def read(self, state, text):
        return super().read(state.inner, text)

    def witness(self, state, action, viewer):
        return super().witness(state.inner, action, viewer)


class UnhashableState(Template):
    def initial(self, setup):
        return super().initial(setup)._replace(hands=[(0, 0, 0)] * setup.players)


class CountingApply(Template):
    calls = 0

    def apply(self, state, action):
        CountingApply.calls += 1
        after = super().apply(state, action)
        if CountingApply.calls % 2 and after.phase is Phase.LAY:
            return after._replace(bag=change(after.bag, COLOURS[0], 1))
        return after


class UnstableOrder(Template):
    calls = 0

    def pending(self, state):
        UnstableOrder.calls += 1
        pending = super().pending(state)
        if isinstance(pending, Decision) and UnstableOrder.calls % 2:
            return Decision(pending.seat, pending.actions[::-1])
        return pending


class SameActionTwice(Template):
    def pending(self, state):
        pending = super().pending(state)
        return Decision(pending.seat, pending.actions * 2) if isinstance(pending, Decision) else pending


class NoWeight(Template):
    def pending(self, state):
        pending = super().pending(state)
        return Chance(DRAWS, state.bag) if isinstance(pending, Chance) else pending


class AcceptsMore(Template):
    def apply(self, state, action):
        if state.phase is Phase.LAY and action in FACE_DOWN and state.hands[state.seat][action.colour]:
            state = state._replace(hidden=tuple((0, 0, 0) for _ in state.hidden))  # forgets R6
        return super().apply(state, action)


class RefusesWhatIsPending(Template):
    def apply(self, state, action):
        if action is STOP and state.laying == 2:
            raise IllegalAction("R5", say("refuse.stop"))
        return super().apply(state, action)


class RefusesWithoutRule(Template):
    def apply(self, state, action):
        try:
            return super().apply(state, action)
        except IllegalAction as error:
            raise IllegalAction("", error.message) from None


class ReadsAnother(Template):
    def read(self, state, text):
        return super().read(state, "R" if text == "B" else text)


class TooLong(Template):
    def bound(self, setup):
        return 20


class ForgetsASeat(Template):
    def pending(self, state):
        pending = super().pending(state)
        return Over(Outcome((1,), (1,), "empty")) if isinstance(pending, Over) else pending


class RanksWithGaps(Template):
    def pending(self, state):
        pending = super().pending(state)
        if isinstance(pending, Over):
            return Over(pending.outcome._replace(ranks=tuple(range(2, 2 + state.setup.players))))
        return pending


class HidesTheEnd(Template):
    def observe(self, state, viewer):
        view = super().observe(state, viewer)
        if state.phase is not Phase.OVER:
            return view
        return view._replace(hidden=tuple(Pile(pile.size, None) for pile in view.hidden), bag=Pile(0, None))


class LeakingView(Template):
    def observe(self, state, viewer):
        hands = tuple(Pile(sum(hand), hand) for hand in state.hands)
        return super().observe(state, viewer)._replace(hands=hands)


class TellingWitness(Template):
    def witness(self, state, action, viewer):
        return super().witness(state, action, state.seat if isinstance(action, Draw) else viewer)


class SilentWitness(Template):
    def witness(self, state, action, viewer):
        return "?" if isinstance(action, Lay) and viewer is None else super().witness(state, action, viewer)

    def observe(self, state, viewer):
        view = super().observe(state, viewer)
        return view._replace(shown=tuple(Pile(sum(pile), pile) for pile in state.shown))


class CheatingImagine(Template):
    last: ClassVar[State]

    def observe(self, state, viewer):
        CheatingImagine.last = state
        return super().observe(state, viewer)

    def imagine(self, view, sampler):
        return CheatingImagine.last


class CarelessImagine(Template):
    def imagine(self, view, sampler):
        state = super().imagine(view, sampler)
        return state._replace(hands=state.hands[::-1])


class StubbornRecord(Template):
    """Reads a move of the replay differently than during play: with what it remembers."""

    games = 0

    def initial(self, setup):
        StubbornRecord.games += 1
        bag = (5, 5, 5) if StubbornRecord.games % 2 else (5, 5, 6)
        return super().initial(setup)._replace(bag=bag)


@pytest.mark.parametrize(
    ("bug", "law"),
    [
        (MutatingApply, 1),
        (UnhashableState, 1),
        (CountingApply, 2),
        (UnstableOrder, 3),
        (SameActionTwice, 3),
        (NoWeight, 4),
        (AcceptsMore, 5),
        (RefusesWhatIsPending, 5),
        (RefusesWithoutRule, 5),
        (ReadsAnother, 6),
        (TooLong, 7),
        (ForgetsASeat, 8),
        (RanksWithGaps, 8),
        (HidesTheEnd, 8),
        (LeakingView, 9),
        (TellingWitness, 9),
        (SilentWitness, 9),
        (CheatingImagine, 10),
        (CarelessImagine, 10),
        (StubbornRecord, 11),
    ],
)
def test_a_planted_bug_is_caught_by_its_law(bug: type[Template], law: int):
    assert broken_law(bug()) == law, LAWS[law]


class WrongDistribution(Template):
    """Deals every world once, however many ways lead to it: colours are drawn, not pebbles."""

    def imagine(self, view, sampler):
        return views.imagine(view, _ByColour(sampler))


class _ByColour(Random):
    def __init__(self, sampler: Random) -> None:
        super().__init__(sampler.getrandbits(32))

    def shuffle(self, x: Any) -> None:
        rest = list(x)
        for place in range(len(x)):
            colour = self.choice(sorted(set(rest)))
            rest.remove(colour)
            x[place] = colour


class ImpossibleWorld(Template):
    def imagine(self, view, sampler):
        state = super().imagine(view, sampler)
        return state._replace(bag=change(change(state.bag, COLOURS[0], +1), COLOURS[1], -1))


class WrongWeight(Template):
    """Every colour that is left is equally likely, however many pebbles of it there are."""

    def pending(self, state):
        pending = super().pending(state)
        return Chance(pending.actions, (1,) * len(pending.actions)) if isinstance(pending, Chance) else pending


@pytest.mark.parametrize("bug", [WrongDistribution, ImpossibleWorld, WrongWeight])
def test_wrong_odds_are_caught_by_law_10(bug: type[Template]):
    bag = {"bag": {"R": 7, "B": 3, "G": 2}}
    check_odds(GAME, GAME.agree(2, options=bag), seeded(1), steps=9)
    with pytest.raises(LawBroken) as caught:
        check_odds(bug(), GAME.agree(2, options=bag), seeded(1), steps=9)
    assert caught.value.law == 10


class PlainTwin:
    """A twin of the teaching game that packs a state as it is."""

    def pack(self, state: State) -> Any:
        return tuple(state)

    def unpack(self, packed: Any) -> State:
        return State(*packed)

    def legal(self, packed: Any) -> Sequence[int]:
        pending = GAME.pending(State(*packed))
        return [] if isinstance(pending, Over) else [GAME.ids.index(action) for action in pending.actions]

    def step(self, packed: Any, action: int) -> Any:
        return tuple(GAME.apply(State(*packed), GAME.ids[action]))


class TwinThatAllowsMore(PlainTwin):
    def legal(self, packed: Any) -> Sequence[int]:
        return [*super().legal(packed), 6]


class TwinThatStepsAside(PlainTwin):
    def step(self, packed: Any, action: int) -> Any:
        after = State(*super().step(packed, action))
        return tuple(after._replace(laying=None))


class TwinThatForgets(PlainTwin):
    def unpack(self, packed: Any) -> State:
        return State(*packed)._replace(laying=None)


def test_law_12_holds_for_a_twin_that_agrees():
    for players in GAME.players:
        check_twin(GAME, PlainTwin(), GAME.agree(players), seeded(players))


@pytest.mark.parametrize("twin", [TwinThatAllowsMore, TwinThatStepsAside, TwinThatForgets])
def test_a_twin_that_disagrees_is_caught_by_law_12(twin: type[PlainTwin]):
    with pytest.raises(LawBroken) as caught:
        check_twin(GAME, twin(), GAME.agree(2), seeded(1))
    assert caught.value.law == 12
