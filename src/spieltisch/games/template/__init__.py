"""Pebbles, the teaching game: the smallest game with a bag, hidden hands, and public facts that get concealed."""

from __future__ import annotations

from typing import Final

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import Choice, Document, Edition, Game, Heard, Pending, Sampler, Setup, Viewer
from spieltisch.games.template import notation, rules
from spieltisch.games.template import view as views
from spieltisch.games.template.state import ACTIONS, NONE, Action, Lay, State
from spieltisch.games.template.view import Piles, View

IDS: Final = ListedIds(ACTIONS)


class Template(Game[State, Action, View]):
    name = "template"
    title = "Pebbles"
    minutes = 5
    rules = (1, 2)
    editions = (Edition("standard", range(2, 5)),)  # R1
    options = (Choice("piles", ("concealed", "open")), Document("bag"))
    hides = True
    offered = False

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

    def memory(self, setup: Setup) -> Piles:
        return (NONE,) * setup.players

    def remember(self, memory: Piles, heard: Heard) -> Piles:
        return views.remember(memory, heard)

    def recollect(self, view: View, memory: Piles) -> View:
        return views.recollect(view, memory)

    def ids(self, setup: Setup) -> ListedIds[Action]:
        return IDS

    def multiplicity(self, state: State, action: Action) -> int:
        if isinstance(action, Lay):
            return state.hands[state.seat][action.colour]
        return super().multiplicity(state, action)

    def write(self, state: State, action: Action) -> str:
        return notation.write(action)

    def read(self, state: State, text: str) -> Action:
        return notation.read(state, text)

    def witness(self, state: State, action: Action, viewer: Viewer) -> str:
        return notation.witness(state, action, viewer)

    def bound(self, setup: Setup) -> int:
        return 3 * sum(rules.bag_of(setup))  # every pebble is drawn once and laid once; every turn has one stop


GAME = Template()
