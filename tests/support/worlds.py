"""Worlds that somebody cannot tell apart: the same game as its viewers saw it, and something hidden that is different."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from spieltisch.core.game import AnyGame, Decision, Over, Setup, Viewer
from spieltisch.match.chance import seeded
from spieltisch.match.referee import Referee
from spieltisch.records import Move
from spieltisch.records.replay import Step


class World(NamedTuple):
    """A game so far, action by action, and where it is now."""

    game: AnyGame
    setup: Setup
    steps: Sequence[Step[Any, Any]]
    state: Any

    @property
    def entries(self) -> list[Move]:
        """The lines of its log."""
        return [Move(seat, self.game.write(before, action)) for before, seat, action in self.steps]

    def cut(self, steps: int) -> World:
        """The same game after so many actions."""
        if steps == len(self.steps):
            return self
        return self._replace(steps=self.steps[:steps], state=self.steps[steps].before)

    def moments(self) -> list[int]:
        """After how many actions somebody had to decide."""
        states = [*(step.before for step in self.steps), self.state]
        return [place for place, state in enumerate(states) if isinstance(self.game.pending(state), Decision)]


def played(game: AnyGame, seats: int, seed: int, most: int = 10_000) -> World:
    """A game of people who choose by lot, at most so many decisions long."""
    setup = game.agree(seats)
    referee, dice = Referee(game, setup, seeded(seed)), Random(seed)
    for _ in range(most):
        if isinstance(pending := referee.settle(), Over):
            break
        referee.play(pending.seat, [dice.choice(pending.actions)])
    return World(game, setup, tuple(referee.steps), referee.state)


def another(world: World, blind: Sequence[Viewer], seed: int) -> World:
    """A world that the viewers cannot tell from this one; what could be otherwise is, as far as chance finds it."""
    dice = Random(seed)
    actions = [step.action for step in world.steps]
    places = list(range(len(actions)))
    dice.shuffle(places)
    for place in places:
        for action in _same_to(world.game, world.steps[place], world.steps[place], blind):
            if action != world.steps[place].action:
                found = _follow(world, blind, [*actions[:place], action, *actions[place + 1 :]])
                if found is not None:
                    actions = found
                    break
    state, steps = world.game.initial(world.setup), []
    for action, step in zip(actions, world.steps, strict=True):
        steps.append(Step(state, step.seat, action))
        state = world.game.apply(state, action)
    return world._replace(steps=tuple(steps), state=state)


def _same_to(game: AnyGame, here: Step[Any, Any], there: Step[Any, Any], blind: Sequence[Viewer]) -> list[Any]:
    """What could be done here and would look to all of them like what was done there."""
    pending = game.pending(here.before)
    if isinstance(pending, Over) or (pending.seat if isinstance(pending, Decision) else None) != there.seat:
        return []
    seen = [game.witness(there.before, there.action, viewer) for viewer in blind]
    return [
        action for action in pending.actions if [game.witness(here.before, action, viewer) for viewer in blind] == seen
    ]


def _follow(world: World, blind: Sequence[Viewer], wanted: Sequence[Any]) -> list[Any] | None:
    """The wanted actions, and what looks like them where they cannot be; None where nothing does."""
    state, taken = world.game.initial(world.setup), []
    for action, step in zip(wanted, world.steps, strict=True):
        alike = _same_to(world.game, Step(state, step.seat, action), step, blind)
        if not alike:
            return None
        taken.append(action if action in alike else alike[0])
        state = world.game.apply(state, taken[-1])
    return taken
