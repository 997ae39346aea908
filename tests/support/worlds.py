"""Indistinguishable worlds: two games that look the same to some viewers and differ in something hidden."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from spieltisch.core.game import AnyGame, Decision, Over, Setup, Viewer
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.records import Move
from spieltisch.records.replay import Step


class World(NamedTuple):
    """A game so far: every action, and the current state."""

    game: AnyGame
    setup: Setup
    steps: Sequence[Step[Any, Any]]
    state: Any

    @property
    def entries(self) -> list[Move]:
        """The game as entries of a record."""
        return [Move(seat, self.game.write(before, action)) for before, seat, action in self.steps]

    def truncate(self, steps: int) -> World:
        """The same game after so many actions."""
        if steps == len(self.steps):
            return self
        return self._replace(steps=self.steps[:steps], state=self.steps[steps].before)

    def decision_points(self) -> list[int]:
        """The numbers of actions after which a player had to decide."""
        states = [*(step.before for step in self.steps), self.state]
        return [place for place, state in enumerate(states) if isinstance(self.game.pending(state), Decision)]


def play_random_game(game: AnyGame, seats: int, seed: int, most: int = 10_000) -> World:
    """A game of random players, at most so many decisions long."""
    setup = game.agree(seats)
    referee, dice = Referee(game, setup, seeded(seed)), Random(seed)
    for _ in range(most):
        if isinstance(pending := referee.settle(), Over):
            break
        referee.play(pending.seat, [dice.choice(pending.actions)])
    return World(game, setup, tuple(referee.steps), referee.state)


def find_indistinguishable(world: World, viewers: Sequence[Viewer], seed: int) -> World:
    """A world that the viewers cannot distinguish from this one, with as much changed as random search finds."""
    dice = Random(seed)
    actions = [step.action for step in world.steps]
    places = list(range(len(actions)))
    dice.shuffle(places)
    for place in places:
        for action in _indistinguishable_actions(world.game, world.steps[place], world.steps[place], viewers):
            if action != world.steps[place].action:
                found = _follow(world, viewers, [*actions[:place], action, *actions[place + 1 :]])
                if found is not None:
                    actions = found
                    break
    state, steps = world.game.initial(world.setup), []
    for action, step in zip(actions, world.steps, strict=True):
        steps.append(Step(state, step.seat, action))
        state = world.game.apply(state, action)
    return world._replace(steps=tuple(steps), state=state)


def _indistinguishable_actions(
    game: AnyGame, here: Step[Any, Any], there: Step[Any, Any], viewers: Sequence[Viewer]
) -> list[Any]:
    """The actions possible here that look to all viewers like the action there."""
    pending = game.pending(here.before)
    if isinstance(pending, Over) or (pending.seat if isinstance(pending, Decision) else None) != there.seat:
        return []
    seen = [game.witness(there.before, there.action, viewer) for viewer in viewers]
    return [
        action
        for action in pending.actions
        if [game.witness(here.before, action, viewer) for viewer in viewers] == seen
    ]


def _follow(world: World, viewers: Sequence[Viewer], wanted: Sequence[Any]) -> list[Any] | None:
    """The wanted actions, replaced by indistinguishable ones if they are impossible; None if there are none."""
    state, taken = world.game.initial(world.setup), []
    for action, step in zip(wanted, world.steps, strict=True):
        candidates = _indistinguishable_actions(world.game, Step(state, step.seat, action), step, viewers)
        if not candidates:
            return None
        taken.append(action if action in candidates else candidates[0])
        state = world.game.apply(state, taken[-1])
    return taken
