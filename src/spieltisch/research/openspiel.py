"""OpenSpiel games, with chance nodes and information states.

import pyspiel
from spieltisch.research import openspiel  # registers them
game = pyspiel.load_game("spieltisch_NAME(players=3)")
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, ClassVar, Final

import numpy as np

from spieltisch import registry
from spieltisch.core.features import Vector
from spieltisch.core.game import AnyGame, Chance, Decision, Over, Seat, Setup
from spieltisch.core.json import to_json
from spieltisch.i18n.message import message_factory
from spieltisch.research.environment import IllegalActionId
from spieltisch.research.extras import missing_extra
from spieltisch.research.position import Position
from spieltisch.research.rendering import draw
from spieltisch.research.rewards import rank_rewards
from spieltisch.research.versions import check_version, version

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError:
    raise missing_extra("OpenSpiel") from None

PREFIX: Final = "spieltisch_"
_say = message_factory("")


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
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": edition.players.start,
            "edition": _parameter(edition.name),
            "first": 0,
            "rules": game.rules[-1],
            "features": version(game),
            **{option.name: option.default for option in game.options},
        },
    )


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
        check_version(self.rules, given["features"])
        self.ids = registry.action_ids(self.rules, self.setup)
        self.features = registry.features(self.rules, self.setup)
        memory, seats = self.rules.memory(self.setup), range(self.setup.players)
        self.start = Position(
            self.rules,
            self.ids,
            self.rules.initial(self.setup),
            dict.fromkeys(seats, memory),
            {seat: f"seat {seat}" for seat in seats},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.ids),
            max_chance_outcomes=len(self.ids),
            num_players=self.setup.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.bound(self.setup),
        )
        super().__init__(self.game_type, info, parameters or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (self.game_type.short_name, dict(self.get_parameters()))

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

    def __reduce__(self) -> tuple[Any, ...]:
        return load_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

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
        return [*self.position.choices]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The ids of the outcomes with their probabilities."""
        chance = self.position.pending
        assert isinstance(chance, Chance)
        total = sum(chance.weights)
        shares = [weight / total for weight in chance.weights]
        return sorted(zip(self.game.ids.of(chance.actions), shares, strict=True))

    def _apply_action(self, action_id: int) -> None:
        self.position = self.position.after(self._action(action_id))

    def _action(self, action_id: int) -> Any:
        if action_id not in self.position.choices:
            raise IllegalActionId(_say("research.number", number=action_id))
        return self.position.choices[action_id]

    def _action_to_string(self, player: int, action_id: int) -> str:
        return self.game.rules.write(self.position.state, self._action(action_id))

    def is_terminal(self) -> bool:
        return isinstance(self.position.pending, Over)

    def returns(self) -> list[float]:
        """From 1 for the best seat to -1 for the last once the game is over, zero before."""
        pending = self.position.pending
        if isinstance(pending, Over):
            return list(rank_rewards(pending.outcome.ranks))
        return [0.0] * self.game.setup.players

    def resample_from_infostate(self, player: int, sampler: Any) -> SpieltischState:
        """A random state that is consistent with what the player knows, with the odds of `Game.imagine`.

        What the others have witnessed in such a state is unknown: their histories start with what they see in it.
        """
        game, before, known = self.game, self.position, self.position.recalled(player)
        state = game.rules.imagine(known, Random(sampler()))
        others = [seat for seat in range(game.setup.players) if seat != player]
        memories = dict.fromkeys(others, game.rules.memory(game.setup)) | {player: before.memory(player)}
        stories = {seat: json.dumps(to_json(game.rules.observe(state, Seat(seat)))) for seat in others}
        sampled = game.new_initial_state()
        sampled.position = Position(game.rules, game.ids, state, memories, stories | {player: before.story(player)})
        sampled.position.is_whole = False
        return sampled

    def __str__(self) -> str:
        """The board, as the seat to move sees it, or a spectator if no seat is to move."""
        position = self.position
        viewer = position.pending.seat if isinstance(position.pending, Decision) else None
        return draw(position.game, position.game.observe(position.state, viewer))


class Observer:
    """What a seat may know, as a string and as a tensor.

    The tensor holds the game's features, of what the seat sees and remembers, with perfect recall or without; `dict` has
    them by field. The string with perfect recall is everything the seat has witnessed, otherwise what it sees.
    """

    def __init__(self, game: SpieltischGame, observation_type: Any, parameters: Any) -> None:
        if parameters:
            raise ValueError(f"an observer takes no parameters, and {parameters} are given")
        self.perfect_recall: bool = observation_type is not None and observation_type.perfect_recall
        self.features = game.features
        self.tensor: Vector = np.zeros(self.features.size, np.float32)
        self.dict: dict[str, Vector] = {
            field.name: self.tensor[self.features.slice(field.name)].reshape(field.shape)
            for field in self.features.fields
        }

    def set_from(self, state: SpieltischState, player: int) -> None:
        """Writes the player's observation to `tensor`."""
        self.tensor.fill(0)
        if self.features.reads_states and state.position.is_whole:
            self.features.write_state(state.position.state, player, self.tensor)
        else:  # a resampled state has no past that other seats would remember
            self.features.write(state.position.recalled(player), self.tensor)

    def string_from(self, state: SpieltischState, player: int) -> str:
        """With perfect recall, everything the player has witnessed; otherwise what it sees."""
        position = state.position
        if self.perfect_recall:
            return position.story(player)
        return json.dumps(to_json(position.game.observe(position.state, Seat(player))), ensure_ascii=False)


def load_game(name: str, parameters: dict[str, Any]) -> SpieltischGame:
    """A game from a pickle; importing this module for it registers the games in a new process."""
    game: SpieltischGame = pyspiel.load_game(name, parameters)
    return game


def load_state(text: str) -> SpieltischState:
    """A state from a pickle: its game, and all actions again."""
    state: SpieltischState = pyspiel.deserialize_game_and_state(text)[1]
    return state


for _game in registry.all():
    if version(_game) and f"{PREFIX}{_game.name}" not in pyspiel.registered_names():
        # One class per game: OpenSpiel outlives Python, and a function would be freed too late.
        _type = _game_type(_game)
        pyspiel.register_game(_type, type(_game.title, (SpieltischGame,), {"source_game": _game, "game_type": _type}))
