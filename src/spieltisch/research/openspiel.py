"""OpenSpiel games, with chance nodes and information states.

import pyspiel
from spieltisch.research import openspiel  # registers them
game = pyspiel.load_game("spieltisch_NAME(players=3)")
"""

from __future__ import annotations

import json
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Heard, Over, Pending, Seat, Setup
from spieltisch.core.json import to_json
from spieltisch.research.action_space import ActionSpace
from spieltisch.research.extras import missing_extra
from spieltisch.research.observation import ObservationSpace, Vector, observation_space
from spieltisch.research.rewards import rank_rewards

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError:
    raise missing_extra("OpenSpiel") from None

PREFIX: Final = "spieltisch_"


class _Position(NamedTuple):
    """A position: the state, what is pending, and what every seat has witnessed."""

    state: Any
    pending: Pending[Any]
    heard: tuple[tuple[Heard, ...], ...]
    prefixes: tuple[str, ...]  # what every seat knew before it witnessed anything
    history: str  # all actions, in notation

    def __deepcopy__(self, memo: dict[int, Any]) -> _Position:
        return self  # immutable, so that clones of a state share it


def _parameter(word: str) -> str:
    """The word as a parameter, with a leading `_` if it consists of digits, which OpenSpiel would parse as a number."""
    return f"_{word}" if word.isdigit() else word


def _game_type(game: AnyGame) -> pyspiel.GameType:
    """What OpenSpiel knows about a game before it is loaded."""
    edition = game.editions[0]
    return pyspiel.GameType(
        short_name=f"{PREFIX}{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=(
            pyspiel.GameType.Information.IMPERFECT_INFORMATION
            if game.hides
            else pyspiel.GameType.Information.PERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players.stop - 1,
        min_num_players=game.players.start,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": edition.players.start,
            "edition": _parameter(edition.name),
            "first": 0,
            "rules": game.rules[-1],
            **{option.name: option.default for option in game.options},
        },
    )


def _format_action(seat: Seat | None, text: str) -> str:
    """One action with its seat; a star stands for chance."""
    return f"{'*' if seat is None else seat}:{text}"


class SpieltischGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Spieltisch, with the fast judge of simulations."""

    source_game: ClassVar[AnyGame]
    game_type: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        self.rules: AnyGame = self.source_game.for_simulation
        given = {**self.game_type.parameter_specification, **(parameters or {})}
        options = {option.name: given[option.name] for option in self.rules.options}
        self.setup: Setup = self.rules.agree(
            given["players"], given["edition"].removeprefix("_"), options, given["first"], given["rules"]
        )
        self.action_space: ActionSpace[Any] = ActionSpace(self.rules)
        start = self.rules.initial(self.setup)
        no_actions: tuple[tuple[Heard, ...], ...] = ((),) * self.setup.players
        seats = tuple(f"seat {seat}" for seat in range(self.setup.players))
        self.start = _Position(start, self.rules.pending(start), no_actions, seats, "")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.action_space.size,
            max_chance_outcomes=self.action_space.size,
            num_players=self.setup.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.bound(self.setup),
        )
        super().__init__(self.game_type, info, parameters or {})

    def new_initial_state(self) -> SpieltischState:
        """The state before anything is dealt."""
        return SpieltischState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of what a seat may know; with perfect recall, of everything it has witnessed."""
        return Observer(self, iig_obs_type, params)


class SpieltischState(pyspiel.State):  # type: ignore[misc]
    """A state of such a game, wrapped around a position."""

    def __init__(self, game: SpieltischGame) -> None:
        super().__init__(game)
        self.position = game.start

    @property
    def game(self) -> SpieltischGame:
        """The game of this state."""
        game: SpieltischGame = self.get_game()
        return game

    def current_player(self) -> int:
        match self.position.pending:
            case Decision(seat, _):
                return int(seat)
            case Chance():
                return int(pyspiel.PlayerId.CHANCE)
            case Over():
                return int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        pending = self.position.pending
        return [] if isinstance(pending, Over) else self.game.action_space.legal_ids(pending.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The ids of the outcomes with their probabilities."""
        chance = self.position.pending
        assert isinstance(chance, Chance)
        total = sum(chance.weights)
        to_id = self.game.action_space.to_id
        pairs = zip(chance.actions, chance.weights, strict=True)
        return sorted((to_id(chance.actions, action), weight / total) for action, weight in pairs)

    def _apply_action(self, action_id: int) -> None:
        state, pending, heard, prefixes, history = self.position
        assert not isinstance(pending, Over)
        rules = self.game.rules
        action = self.game.action_space.from_id(pending.actions, action_id)
        seat = pending.seat if isinstance(pending, Decision) else None
        heard = tuple(
            (*known, Heard(seat, rules.witness(state, action, Seat(viewer)))) for viewer, known in enumerate(heard)
        )
        after = rules.apply(state, action)
        history += f"{' ' * bool(history)}{_format_action(seat, rules.write(state, action))}"
        self.position = _Position(after, rules.pending(after), heard, prefixes, history)

    def _action_to_string(self, player: int, action_id: int) -> str:
        pending = self.position.pending
        assert not isinstance(pending, Over)
        action = self.game.action_space.from_id(pending.actions, action_id)
        return self.game.rules.write(self.position.state, action)

    def is_terminal(self) -> bool:
        return isinstance(self.position.pending, Over)

    def returns(self) -> list[float]:
        """From 1 for the best seat to -1 for the last once the game is over, zero before."""
        pending = self.position.pending
        return (
            list(rank_rewards(pending.outcome.ranks)) if isinstance(pending, Over) else [0.0] * len(self.position.heard)
        )

    def resample_from_infostate(self, player: int, sampler: Any) -> SpieltischState:
        """A random state that is consistent with what the player knows, with the odds of `Game.imagine`.

        What the others have witnessed in such a state is unknown: their histories start with what they see in it.
        """
        rules, (_, _, heard, prefixes, history) = self.game.rules, self.position
        seat = Seat(player)
        view = rules.recall(rules.observe(self.position.state, seat), heard[player])
        state = rules.imagine(view, Random(sampler()))
        others = tuple(
            prefix if viewer == player else json.dumps(to_json(rules.observe(state, Seat(viewer))))
            for viewer, prefix in enumerate(prefixes)
        )
        histories = tuple(known if viewer == player else () for viewer, known in enumerate(heard))
        sampled = self.game.new_initial_state()
        sampled.position = _Position(state, rules.pending(state), histories, others, f"{history} …")
        return sampled

    def __str__(self) -> str:
        return self.position.history


class Observer:
    """What a seat may know, as a string, and without perfect recall also as a tensor."""

    def __init__(self, game: SpieltischGame, observation_type: Any, parameters: Any) -> None:
        if parameters:
            raise ValueError(f"an observer takes no parameters, and {parameters} are given")
        self.perfect_recall: bool = observation_type is not None and observation_type.perfect_recall
        self.game = game

    @cached_property
    def observation_space(self) -> ObservationSpace:
        """The observation space, computed only if a tensor is asked for."""
        return observation_space(self.game.rules, self.game.setup)

    @cached_property
    def tensor(self) -> Vector:
        """The last observation."""
        return np.zeros(self.observation_space.size, np.float32)

    @property
    def dict(self) -> dict[str, Vector]:
        """The tensor by the name of its only component."""
        return {"view": self.tensor}

    def set_from(self, state: SpieltischState, player: int) -> None:
        """Writes the player's observation to `tensor`."""
        rules, position, seat = state.game.rules, state.position, Seat(player)
        self.tensor[:] = self.observation_space.encode(
            rules.recall(rules.observe(position.state, seat), position.heard[player])
        )

    def string_from(self, state: SpieltischState, player: int) -> str:
        """With perfect recall, everything the player has witnessed; otherwise what it sees."""
        position = state.position
        if self.perfect_recall:
            return " ".join((position.prefixes[player], *(_format_action(*heard) for heard in position.heard[player])))
        return json.dumps(to_json(state.game.rules.observe(position.state, Seat(player))), ensure_ascii=False)


for _game in registry.all():
    if f"{PREFIX}{_game.name}" not in pyspiel.registered_names():
        # One class per game: OpenSpiel outlives Python, and a function would be freed too late.
        _type = _game_type(_game)
        pyspiel.register_game(_type, type(_game.title, (SpieltischGame,), {"source_game": _game, "game_type": _type}))
