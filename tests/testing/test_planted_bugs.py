"""The laws can fail: every planted bug is caught by the law that it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Game, IllegalAction, Setup
from spieltisch.games.template import Template
from spieltisch.games.template import view as views
from spieltisch.games.template.rules import say
from spieltisch.games.template.state import COLOURS, DRAWS, FACE_DOWN, STOP, Draw, Lay, Phase, State, add
from spieltisch.games.template.view import Pile
from spieltisch.testing.conformance import LAWS, LawBroken, seeded
from spieltisch.testing.odds import check_odds
from spieltisch.testing.planted import BUGS, SECRECY_BUGS, Bug, caught_by
from spieltisch.testing.planted_twins import BAD_TWINS, ListTwin, Rows
from spieltisch.testing.twins import check_twin

GAME = Template()
SECRETIVE = [game for game in registry.all() if type(game).witness is not Game.witness]


def setups(game: AnyGame) -> list[Setup]:
    return [game.agree(players) for players in game.players[:2]]


def test_a_game_without_bugs_breaks_no_law():
    assert caught_by(GAME, setups(GAME)) is None


@pytest.mark.parametrize("bug", BUGS, ids=str)
@pytest.mark.parametrize("name", registry.names())
def test_a_bug_planted_in_any_game_is_caught_by_its_law(name: str, bug: Bug):
    game = registry.find(name).for_replay
    assert caught_by(bug.plant(game), setups(game)) in bug.laws


@pytest.mark.parametrize("bug", SECRECY_BUGS, ids=str)
@pytest.mark.parametrize("game", SECRETIVE, ids=lambda game: game.name)
def test_a_leak_planted_in_a_game_with_secrets_is_caught_by_its_law(game: AnyGame, bug: Bug):
    assert caught_by(bug.plant(game), setups(game)) in bug.laws


# Subtler bugs, each in a rule of the teaching game


class Loose:
    """A mutable state."""

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


class ReadsAnother(Template):
    def read(self, state, text):
        return super().read(state, "R" if text == "B" else text)


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


class CarelessImagine(Template):
    def imagine(self, view, sampler):
        state = super().imagine(view, sampler)
        return state._replace(hands=state.hands[::-1])


class StubbornRecord(Template):
    """Every second game starts with another bag, so that a replay ends differently."""

    games = 0

    def initial(self, setup):
        StubbornRecord.games += 1
        bag = (5, 5, 5) if StubbornRecord.games % 2 else (5, 5, 6)
        return super().initial(setup)._replace(bag=bag)


class EndsTooSoon(Template):
    """Says of every action that the turn is over after it."""

    def ends_turn(self, state, action):
        return True


@pytest.mark.parametrize(
    ("bug", "law"),
    [
        (MutatingApply, 1),
        (UnhashableState, 1),
        (CountingApply, 2),
        (NoWeight, 4),
        (AcceptsMore, 5),
        (RefusesWhatIsPending, 5),
        (ReadsAnother, 6),
        (HidesTheEnd, 8),
        (LeakingView, 9),
        (TellingWitness, 9),
        (SilentWitness, 9),
        (CarelessImagine, 10),
        (StubbornRecord, 11),
        (EndsTooSoon, 13),
    ],
)
def test_a_bug_in_one_rule_is_caught_by_its_law(bug: type[Template], law: int):
    assert caught_by(bug(), setups(GAME)) == law, LAWS[law]


class WrongDistribution(Template):
    """Deals colours instead of pebbles, so that states with many pebbles of a colour are too rare."""

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
    """Every colour that is left is equally likely, regardless of the number of its pebbles."""

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


class TwinThatAllowsMore(ListTwin):
    def legal(self, batch: Rows) -> Rows:
        return Rows([*row[:6], True, *row[7:]] for row in super().legal(batch))


class TwinThatStepsAside(ListTwin):
    def step(self, batch: Rows, ids: Sequence[int]) -> Rows:
        return Rows(state._replace(laying=None) for state in super().step(batch, ids))


class TwinThatForgetsTheColour(ListTwin):
    def unpack(self, batch: Rows) -> list[State]:
        return [state._replace(laying=None) for state in batch]


SUBTLE_TWINS = (TwinThatAllowsMore, TwinThatStepsAside, TwinThatForgetsTheColour)


def test_law_12_holds_for_a_twin_that_agrees():
    for players in GAME.players:
        assert check_twin(GAME, ListTwin(GAME, GAME.agree(players)), [seeded(players), seeded(0)]) > 20


@pytest.mark.parametrize("twin", [*BAD_TWINS, *SUBTLE_TWINS])
def test_a_twin_that_disagrees_is_caught_by_law_12(twin: type[ListTwin]):
    with pytest.raises(LawBroken) as caught:
        check_twin(GAME, twin(GAME, GAME.agree(2)), [seeded(number) for number in range(4)])
    assert caught.value.law == 12
