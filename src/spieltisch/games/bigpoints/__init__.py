"""Big Points: five pawns race along one track, and the value of a colour depends on how early its pawn arrives."""

from __future__ import annotations

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import Choice, Edition, Game, Heard, Pending, Sampler, Setup, Viewer
from spieltisch.games.bigpoints import notation, rules
from spieltisch.games.bigpoints import view as views
from spieltisch.games.bigpoints.state import Action, State
from spieltisch.games.bigpoints.view import Laid, Memory, View


class BigPoints(Game[State, Action, View]):
    name = "bigpoints"
    title = "Big Points"
    minutes = 25
    editions = (Edition("2009", range(2, 6)), Edition("2008", range(2, 5)))  # R1
    options = (Choice("stairs", ("proud", "humble")), Choice("hands", ("concealed", "open")))
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

    def memory(self, setup: Setup) -> Memory:
        return Laid(setup, "")

    def remember(self, memory: Memory, heard: Heard) -> Memory:
        return views.remember(memory, heard)

    def recollect(self, view: View, memory: Memory) -> View:
        return views.recollect(view, memory)

    def ids(self, setup: Setup) -> ListedIds[Action]:
        return notation.IDS

    def write(self, state: State, action: Action) -> str:
        return notation.write(action)

    def read(self, state: State, text: str) -> Action:
        return notation.read(text)

    def bound(self, setup: Setup) -> int:
        return (
            55 + 2 * 54
        )  # the discs of the track, then at most 54 turns of a move and a decision about the extra move

    def recommended_games(self, players: int) -> int:
        return players  # R19


GAME = BigPoints()
