"""The environment behind the adapters: one game under way, with integer actions and vector observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from spieltisch import registry
from spieltisch.core.features import Vector
from spieltisch.core.game import AnyGame, Chance, Decision, Game, Heard, Over, Refusal, Seat, Viewer
from spieltisch.core.player import AnyPlayer, Clock, Seen
from spieltisch.gameplay.chance import Source, seeded
from spieltisch.gameplay.errors import BadAnswer
from spieltisch.i18n.message import message_factory
from spieltisch.research.extras import missing_extra
from spieltisch.research.rendering import render
from spieltisch.research.rewards import rank_rewards

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError:
    raise missing_extra("NumPy") from None

_say = message_factory("")


class IllegalActionId(Refusal):
    """An integer that is the id of none of the pending actions."""

    code: ClassVar[str] = "illegal-action"


class Environment:
    """Games of one setup, one after the other, each from its seed."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        first: int | None = None,
        rules: int | None = None,
    ) -> None:
        self.game: AnyGame = registry.find(name).for_simulation
        self.setup = self.game.agree(players, edition, options, first or 0, rules)
        self.game.initial(self.setup)
        self.seats = range(self.setup.players)
        self.ids = registry.action_ids(self.game, self.setup)
        self.features = registry.features(self.game, self.setup)
        self._first = first  # drawn for every game if None
        self._remembers = not self.features.reads_states and type(self.game).remember is not Game.remember
        self._hides = type(self.game).witness is not Game.witness  # whether seats may witness different things
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts another game, dealt and ready for the first decision."""
        self._source: Source = seeded(seed)
        first = Seat(self._first) if self._first is not None else self._source.first(self.setup.players)
        self.agreed = self.setup._replace(first=first)
        self.state: Any = self.game.initial(self.agreed)
        self.pending = self.game.pending(self.state)
        self.steps: list[tuple[Any, Seat | None, Any]] = []  # the actions, with the states they were taken in
        self._memories: list[Any] = [self.game.memory(self.agreed) for _ in self.seats]
        self._heard: list[list[Heard]] = [[] for _ in self.seats]
        self._draws = 0
        self._settle()

    @property
    def over(self) -> bool:
        return isinstance(self.pending, Over)

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        assert isinstance(self.pending, Decision)
        return self.pending.seat

    @property
    def legal(self) -> dict[int, Any]:
        """The pending choices by id, empty once the game is over; of two with the same id, the first."""
        if not isinstance(self.pending, Decision):
            return {}
        return dict(zip(reversed(self.legal_ids), reversed(self.pending.actions), strict=True))

    def step(self, action_id: int) -> None:
        """Plays an action of the seat to move, and the draws it causes; IllegalActionId if it is not available."""
        pending = self.pending
        if not isinstance(pending, Decision) or action_id not in self.legal_ids:
            raise IllegalActionId(_say("research.number", number=int(action_id)))
        self._apply(pending.seat, pending.actions[self.legal_ids.index(action_id)])
        self._settle()

    def ask(self, player: AnyPlayer) -> None:
        """Lets a player take the pending decision, and plays the draws it causes; BadAnswer if it chooses anything else."""
        assert isinstance(self.pending, Decision)
        seat, actions = self.pending
        action = player.choose(Seen(self.view(seat), actions, self.heard(seat)), Clock())
        if action not in actions:
            raise BadAnswer(_say("player.bad_answer", seat=int(seat)))
        self._apply(seat, action)
        self._settle()

    def _settle(self) -> None:
        """Draws until a seat has to decide or the game is over."""
        while isinstance(chance := self.pending, Chance):
            place = self._source.pick(self._draws, chance.weights) if len(chance.actions) > 1 else 0
            self._draws += chance.is_drawn
            self._apply(None, chance.actions[place])
        self.legal_ids: list[int] = self.ids.of(chance.actions) if isinstance(chance, Decision) else []

    def _apply(self, seat: Seat | None, action: Any) -> None:
        if self._remembers:
            self._remember(seat, action)
        self.steps.append((self.state, seat, action))
        self.state = self.game.apply(self.state, action)
        self.pending = self.game.pending(self.state)

    def _remember(self, seat: Seat | None, action: Any) -> None:
        """Adds an action to the memory of every seat; if nothing is hidden from anybody, they share one memory."""
        game, state, memories = self.game, self.state, self._memories
        if not self._hides:
            memory = game.remember(memories[0], Heard(seat, game.witness(state, action, None)))
            self._memories = [memory] * len(memories)
            return
        for viewer, memory in enumerate(memories):
            memories[viewer] = game.remember(memory, Heard(seat, game.witness(state, action, Seat(viewer))))

    def heard(self, seat: int) -> Sequence[Heard]:
        """Everything the seat has witnessed."""
        known = self._heard[seat]
        for state, mover, action in self.steps[len(known) :]:
            known.append(Heard(mover, self.game.witness(state, action, Seat(seat))))
        return tuple(known)

    def view(self, viewer: Viewer) -> Any:
        """What a viewer may know, without memory."""
        return self.game.observe(self.state, viewer)

    def action_mask(self, seat: int) -> NDArray[np.int8]:
        """1 for every action that the seat can take now."""
        mask = np.zeros(len(self.ids), np.int8)
        if isinstance(self.pending, Decision) and self.pending.seat == seat:
            mask[self.legal_ids] = 1
        return mask

    def observe(self, seat: int) -> Vector:
        """The features of what the seat sees and remembers."""
        vector = np.zeros(self.features.size, np.float32)
        if self.features.reads_states:
            self.features.write_state(self.state, seat, vector)
            return vector
        view = self.game.observe(self.state, Seat(seat))
        self.features.write(self.game.recollect(view, self._memories[seat]) if self._remembers else view, vector)
        return vector

    def rewards(self) -> tuple[float, ...]:
        """The reward of every seat; zero until the game is over."""
        pending = self.pending
        return rank_rewards(pending.outcome.ranks) if isinstance(pending, Over) else (0.0,) * len(self.seats)

    def render(self, viewer: Viewer = None, mode: str = "ansi") -> Any:
        """The board, as the viewer sees it, in a render mode."""
        return render(self.game, self.view(viewer), mode)
