"""Turmbauer: all players build and climb one tower of wooden stones."""

from __future__ import annotations

from spieltisch.core.actions import ActionIds
from spieltisch.core.game import Choice, Document, Edition, Game, Outcome, Pending, Sampler, Setup, Viewer
from spieltisch.core.type_errors import not_an_action
from spieltisch.games.turmbauer import notation, rules
from spieltisch.games.turmbauer import view as views
from spieltisch.games.turmbauer.building.action_ids import tower_ids
from spieltisch.games.turmbauer.phrases import say
from spieltisch.games.turmbauer.physics import judge as judges
from spieltisch.games.turmbauer.physics.judge import Judge
from spieltisch.games.turmbauer.state import HANDS, ROUNDS, TRIES, Action, Box, Pick, State
from spieltisch.games.turmbauer.view import View
from spieltisch.i18n.message import Message


class Turmbauer(Game[State, Action, View]):
    name = "turmbauer"
    title = "Turmbauer"
    minutes = 45
    editions = (Edition("standard", range(2, 5)),)  # R1
    options = (Choice("hand", tuple(HANDS)), Document("stones"))
    deals = False

    def __init__(self, judge: Judge = judges.worker_judge) -> None:
        self.judge = judge

    def initial(self, setup: Setup) -> State:
        if self.judge is not judges.accept_any_verdict:
            judges.require_solver()
        return rules.initial(setup)

    def pending(self, state: State) -> Pending[Action]:
        return rules.pending(state, self.judge)

    def apply(self, state: State, action: Action) -> State:
        return rules.apply(state, action, self.judge)

    def observe(self, state: State, viewer: Viewer) -> View:
        return views.observe(state, viewer)

    def imagine(self, view: View, sampler: Sampler) -> State:
        return views.state_of(view)

    def write(self, state: State, action: Action) -> str:
        return notation.write(state, action)

    def read(self, state: State, text: str) -> Action:
        return notation.read(state, text)

    def ids(self, setup: Setup) -> ActionIds[Action]:
        return tower_ids(setup.option("stones"))

    def drawn_pieces(self, state: State, action: Action) -> tuple[str, ...]:
        return notation.pieces(state, action)

    def ends_turn(self, state: State, action: Action) -> bool:
        if not isinstance(action, Action):
            raise not_an_action(action)
        return not isinstance(action, Pick | Box)  # R7: a stone is placed, and then the pawn may move

    def bound(self, setup: Setup) -> int:
        turns = ROUNDS * (4 if setup.players == 2 else setup.players)
        return turns * (1 + 4 * TRIES + 2)  # a roll; stone, place, tremor and verdict of every try; the box; the move

    def match_points(self, outcome: Outcome) -> tuple[int, ...]:
        return rules.match_points(outcome)

    @property
    def for_replay(self) -> Turmbauer:
        return Turmbauer(judges.accept_any_verdict)

    @property
    def for_simulation(self) -> Turmbauer:
        return Turmbauer(judges.quick_judge)

    def notes(self) -> tuple[Message, ...]:
        return () if judges.has_engine() else (say("note.no_engine"),)


GAME = Turmbauer()
