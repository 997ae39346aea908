"""Rondo: chains of coloured stones on a wheel of fields, bridges face down, hidden racks."""

from __future__ import annotations

from math import comb

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import Document, Edition, Game, Pending, Sampler, Setup, Viewer
from spieltisch.core.type_errors import not_an_action
from spieltisch.games.rondo import notation, rules
from spieltisch.games.rondo import view as views
from spieltisch.games.rondo.board import LETTERS, board_of
from spieltisch.games.rondo.state import Action, Lay, State, count
from spieltisch.games.rondo.view import View


class Rondo(Game[State, Action, View]):
    name = "rondo"
    title = "Rondo"
    minutes = 30
    editions = (Edition("blue", range(2, 5)), Edition("red", range(2, 5)))  # R1, R2
    options = (Document("board"),)
    hides = True

    def initial(self, setup: Setup) -> State:
        return rules.initial(setup)

    def pending(self, state: State) -> Pending[Action]:
        return rules.pending(state)

    def apply(self, state: State, action: Action) -> State:
        return rules.apply(state, action)

    def observe(self, state: State, viewer: Viewer) -> View:
        return views.observe(state, viewer)

    def imagine(self, view: View, sampler: Sampler) -> State:
        return views.imagine(view, sampler)

    def write(self, state: State, action: Action) -> str:
        return notation.write(state, action)

    def read(self, state: State, text: str) -> Action:
        return notation.read(state, text)

    def witness(self, state: State, action: Action, viewer: Viewer) -> str:
        return notation.witness(state, action, viewer)

    def ids(self, setup: Setup) -> ListedIds[Action]:
        return notation.ids(board_of(setup.option("board"), setup.edition))

    def multiplicity(self, state: State, action: Action) -> int:
        if not isinstance(action, Lay):
            return super().multiplicity(state, action)
        held = count(state.racks[state.seat], LETTERS.index(action.stones[0].upper()))
        return comb(held, len(action.stones))

    def ends_turn(self, state: State, action: Action) -> bool:
        if not isinstance(action, Action):
            raise not_an_action(action)
        return not isinstance(action, Lay)  # R7: a chain goes on until its player ends it

    def bound(self, setup: Setup) -> int:
        fields = len(rules.initial(setup).board.names)
        return 120 + fields + 2 * 125  # every stone drawn, every field laid on, and at most two more actions per turn


GAME = Rondo()
