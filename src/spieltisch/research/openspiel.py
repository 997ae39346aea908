"""OpenSpiel: every game as a game of its own, chance nodes and information states included.

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
from spieltisch.research.extra import missing
from spieltisch.research.layout import Layout, Numbers, layout
from spieltisch.research.numbering import Numbering
from spieltisch.research.rewards import rewards

try:
    import pyspiel  # type: ignore[import-not-found]
except ImportError:
    raise missing("OpenSpiel") from None

PREFIX: Final = "spieltisch_"


class _At(NamedTuple):
    """Where a game stands: the state, what is pending, and what every seat has heard."""

    state: Any
    pending: Pending[Any]
    heard: tuple[tuple[Heard, ...], ...]
    began: tuple[str, ...]  # what every seat knew before it heard anything
    story: str  # everything that happened, in notation

    def __deepcopy__(self, memo: dict[int, Any]) -> _At:
        return self  # a value: clones of a state share it


def _parameter(word: str) -> str:
    """The word as a parameter: OpenSpiel would take one of digits for a number, so a `_` stands in front."""
    return f"_{word}" if word.isdigit() else word


def _kind(game: AnyGame) -> pyspiel.GameType:
    """What OpenSpiel is told about a game before it is loaded."""
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


def _told(seat: Seat | None, text: str) -> str:
    """One thing that happened; a star is chance."""
    return f"{'*' if seat is None else seat}:{text}"


class SpieltischGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Spieltisch, judged quickly; `agreed` is its setup."""

    found: ClassVar[AnyGame]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        self.rules: AnyGame = self.found.for_simulation
        given = {**self.kind.parameter_specification, **(parameters or {})}
        options = {option.name: given[option.name] for option in self.rules.options}
        self.agreed: Setup = self.rules.agree(
            given["players"], given["edition"].removeprefix("_"), options, given["first"], given["rules"]
        )
        self.numbering: Numbering[Any] = Numbering(self.rules)
        start = self.rules.initial(self.agreed)
        nothing: tuple[tuple[Heard, ...], ...] = ((),) * self.agreed.players
        seats = tuple(f"seat {seat}" for seat in range(self.agreed.players))
        self.start = _At(start, self.rules.pending(start), nothing, seats, "")
        bound = self.rules.bound(self.agreed)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.numbering.size,
            max_chance_outcomes=self.numbering.size,
            num_players=self.agreed.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=bound,
        )
        super().__init__(self.kind, info, parameters or {})

    def new_initial_state(self) -> SpieltischState:
        """The state before anything was dealt."""
        return SpieltischState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat may know; with perfect recall also all that it has heard."""
        return Observer(self, iig_obs_type, params)


class SpieltischState(pyspiel.State):  # type: ignore[misc]
    """A state of such a game; `at` holds it."""

    def __init__(self, game: SpieltischGame) -> None:
        super().__init__(game)
        self.at = game.start

    @property
    def game(self) -> SpieltischGame:
        """The game that is played."""
        game: SpieltischGame = self.get_game()
        return game

    def current_player(self) -> int:
        match self.at.pending:
            case Decision(seat, _):
                return int(seat)
            case Chance():
                return int(pyspiel.PlayerId.CHANCE)
            case Over():
                return int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        pending = self.at.pending
        return [] if isinstance(pending, Over) else self.game.numbering.legal(pending.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of what may be drawn, and how likely each is."""
        chance = self.at.pending
        assert isinstance(chance, Chance)
        total = sum(chance.weights)
        number = self.game.numbering.number
        pairs = zip(chance.actions, chance.weights, strict=True)
        return sorted((number(chance.actions, action), weight / total) for action, weight in pairs)

    def _apply_action(self, number: int) -> None:
        state, pending, heard, began, story = self.at
        assert not isinstance(pending, Over)
        rules = self.game.rules
        action = self.game.numbering.action(pending.actions, number)
        seat = pending.seat if isinstance(pending, Decision) else None
        heard = tuple(
            (*words, Heard(seat, rules.witness(state, action, Seat(viewer)))) for viewer, words in enumerate(heard)
        )
        after = rules.apply(state, action)
        story += f"{' ' * bool(story)}{_told(seat, rules.write(state, action))}"
        self.at = _At(after, rules.pending(after), heard, began, story)

    def _action_to_string(self, player: int, number: int) -> str:
        pending = self.at.pending
        assert not isinstance(pending, Over)
        action = self.game.numbering.action(pending.actions, number)
        return self.game.rules.write(self.at.state, action)

    def is_terminal(self) -> bool:
        return isinstance(self.at.pending, Over)

    def returns(self) -> list[float]:
        """From 1 for the best to -1 for the last once the game is over."""
        pending = self.at.pending
        return list(rewards(pending.outcome.ranks)) if isinstance(pending, Over) else [0.0] * len(self.at.heard)

    def resample_from_infostate(self, player: int, sampler: Any) -> SpieltischState:
        """A state that looks the same to the player, drawn from all of them with the odds that chance gives them.

        What others have heard in such a world is not known: they begin with what they see in it.
        """
        rules, (_, _, heard, began, story) = self.game.rules, self.at
        seat = Seat(player)
        view = rules.recall(rules.observe(self.at.state, seat), heard[player])
        state = rules.imagine(view, Random(sampler()))
        others = tuple(
            told if viewer == player else json.dumps(to_json(rules.observe(state, Seat(viewer))))
            for viewer, told in enumerate(began)
        )
        words = tuple(known if viewer == player else () for viewer, known in enumerate(heard))
        sampled = self.game.new_initial_state()
        sampled.at = _At(state, rules.pending(state), words, others, f"{story} …")
        return sampled

    def __str__(self) -> str:
        return self.at.story


class Observer:
    """Tells a seat what it may know: as text, and as a row of numbers where nothing is to be remembered."""

    def __init__(self, game: SpieltischGame, kind: Any, parameters: Any) -> None:
        if parameters:
            raise ValueError(f"an observer takes no parameters, and {parameters} are given")
        self.recalls: bool = kind is not None and kind.perfect_recall
        self.game = game

    @cached_property
    def layout(self) -> Layout:
        """Which place of the tensor says what; looked for only where numbers are asked for."""
        return layout(self.game.rules, self.game.agreed)

    @cached_property
    def tensor(self) -> Numbers:
        """The numbers last written."""
        return np.zeros(self.layout.size, np.float32)

    @property
    def dict(self) -> dict[str, Numbers]:
        """The tensor by the name of its only part."""
        return {"view": self.tensor}

    def set_from(self, state: SpieltischState, player: int) -> None:
        """Writes what the player sees and remembers into `tensor`."""
        rules, at, seat = state.game.rules, state.at, Seat(player)
        self.tensor[:] = self.layout(rules.recall(rules.observe(at.state, seat), at.heard[player]))

    def string_from(self, state: SpieltischState, player: int) -> str:
        """Everything the player has heard; without recall, what it sees."""
        at = state.at
        if self.recalls:
            return " ".join((at.began[player], *(_told(*word) for word in at.heard[player])))
        return json.dumps(to_json(state.game.rules.observe(at.state, Seat(player))), ensure_ascii=False)


for _game in registry.all():
    if f"{PREFIX}{_game.name}" not in pyspiel.registered_names():
        # a class for each: OpenSpiel outlives Python, and a function would be freed too late
        _loaded = _kind(_game)
        pyspiel.register_game(_loaded, type(_game.title, (SpieltischGame,), {"found": _game, "kind": _loaded}))
