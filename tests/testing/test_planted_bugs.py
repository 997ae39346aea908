"""Bugs planted on purpose, each caught by the law it breaks: the laws can fail."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import pytest

from spieltisch.core.game import Chance, Decision, Game, IllegalAction, Outcome, Over, Setup
from spieltisch.core.twin import Kind
from spieltisch.games.template import Template
from spieltisch.games.template import view as views
from spieltisch.games.template.rules import say
from spieltisch.games.template.state import COLOURS, DRAWS, FACE_DOWN, STOP, Draw, Lay, Phase, State, add
from spieltisch.games.template.view import Pile
from spieltisch.testing.conformance import LAWS, LawBroken, check, check_odds, seeded
from spieltisch.testing.twins import check_twin

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
            return after._replace(bag=add(after.bag, COLOURS[0], 1))
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
        return state._replace(bag=add(add(state.bag, COLOURS[0], +1), COLOURS[1], -1))


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


class Rows(list):
    """An array for twins without one."""

    def tolist(self) -> list:
        return list(self)


class PlainTwin:
    """A twin of the teaching game whose batches are lists of states."""

    actions = GAME.ids
    outcomes = range(len(GAME.ids))

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def pack(self, states: Sequence[State]) -> Rows:
        return Rows(states)

    def unpack(self, batch: Rows) -> list[State]:
        return list(batch)

    def asarray(self, numbers: Sequence[int]) -> Sequence[int]:
        return numbers

    def kind(self, batch: Rows) -> Rows:
        kinds = {Decision: Kind.DECISION, Chance: Kind.CHANCE, Over: Kind.OVER}
        return Rows(kinds[type(GAME.pending(state))] for state in batch)

    def seat(self, batch: Rows) -> Rows:
        return Rows(getattr(GAME.pending(state), "seat", 0) for state in batch)

    def legal(self, batch: Rows) -> Rows:
        return Rows([action in getattr(GAME.pending(state), "actions", ()) for action in GAME.ids] for state in batch)

    def weights(self, batch: Rows) -> Rows:
        return Rows(self.odds(GAME.pending(state)) for state in batch)

    def odds(self, pending: Any) -> list[int]:
        odds = dict(zip(pending.actions, pending.weights, strict=True)) if isinstance(pending, Chance) else {}
        return [odds.get(action, 0) for action in GAME.ids]

    def step(self, batch: Rows, ids: Sequence[int]) -> Rows:
        return Rows(GAME.apply(state, GAME.ids[number]) for state, number in zip(batch, ids, strict=True))

    def scores(self, batch: Rows) -> Rows:
        return Rows(list(self.end(state).scores) for state in batch)

    def ranks(self, batch: Rows) -> Rows:
        return Rows(list(self.end(state).ranks) for state in batch)

    def end(self, state: State) -> Outcome:
        pending = GAME.pending(state)
        return pending.outcome if isinstance(pending, Over) else Outcome((), (), "")


class TwinThatAllowsMore(PlainTwin):
    def legal(self, batch: Rows) -> Rows:
        return Rows([*row[:6], True, *row[7:]] for row in super().legal(batch))


class TwinThatStepsAside(PlainTwin):
    def step(self, batch: Rows, ids: Sequence[int]) -> Rows:
        return Rows(state._replace(laying=None) for state in super().step(batch, ids))


class TwinThatForgets(PlainTwin):
    def unpack(self, batch: Rows) -> list[State]:
        return [state._replace(laying=None) for state in batch]


class TwinThatAsksAnother(PlainTwin):
    def seat(self, batch: Rows) -> Rows:
        return Rows(0 for _ in batch)


class TwinWithLoadedDice(PlainTwin):
    def odds(self, pending: Any) -> list[int]:
        return [2 * weight for weight in super().odds(pending)]


class TwinThatWaitsForNothing(PlainTwin):
    def kind(self, batch: Rows) -> Rows:
        return Rows(Kind.DECISION for _ in batch)


class TwinWithFavourites(PlainTwin):
    def ranks(self, batch: Rows) -> Rows:
        return Rows([1] * len(row) for row in super().ranks(batch))


BAD_TWINS = [
    TwinThatAllowsMore,
    TwinThatStepsAside,
    TwinThatForgets,
    TwinThatAsksAnother,
    TwinWithLoadedDice,
    TwinThatWaitsForNothing,
    TwinWithFavourites,
]


def test_law_12_holds_for_a_twin_that_agrees():
    for players in GAME.players:
        assert check_twin(GAME, PlainTwin(GAME.agree(players)), [seeded(players), seeded(0)]) > 20


@pytest.mark.parametrize("twin", BAD_TWINS)
def test_a_twin_that_disagrees_is_caught_by_law_12(twin: type[PlainTwin]):
    with pytest.raises(LawBroken) as caught:
        check_twin(GAME, twin(GAME.agree(2)), [seeded(number) for number in range(4)])
    assert caught.value.law == 12
