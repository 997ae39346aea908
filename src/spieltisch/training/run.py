"""A training from start to end: self-play and updates in turn, evaluations, checkpoints, the weights file."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.message import message_factory

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    raise registry.missing_twins() from None

from spieltisch.nets.weights import WeightsInfo, encode_weights
from spieltisch.records.files import write_atomically
from spieltisch.training.checkpoint import load_checkpoint, save_checkpoint
from spieltisch.training.curve import Point, draw_curve
from spieltisch.training.learner import LearnerState, init_state, learn
from spieltisch.training.match_play import OPPONENTS, Result, check_choices, play_matches
from spieltisch.training.recipe import Recipe, recipe_for
from spieltisch.training.self_play import NET, Games, Noise, SelfPlay

WEIGHTS, CHECKPOINT, FIGURES, CURVE = "weights.npz", "checkpoint.npz", "figures.json", "curve.svg"
_EVALUATIONS: Final = 10  # during a training, for the curve
_ROWS: Final = 60  # games of a setup are a multiple of it, so that every seat gets as many games of a match
_say = message_factory("")


class Limit(NamedTuple):
    """When a training run ends: after that many minutes or that many updates, whichever comes first."""

    minutes: float | None = None
    updates: int | None = None

    def progress(self, seconds: float, updates: int) -> float:
        parts = [0.0]
        if self.minutes is not None:
            parts.append(seconds / max(1e-9, 60 * self.minutes))
        if self.updates is not None:
            parts.append(updates / max(1, self.updates))
        return min(1.0, max(parts))


class Progress(NamedTuple):
    """Where a training stands."""

    done: float  # from 0 to 1
    updates: int
    games: int
    seconds: float
    victory_loss: float
    points_loss: float
    results: Sequence[Result] = ()  # of the evaluation, if there was one


class _Setup(NamedTuple):
    """Self-play of one setup, compiled, and its games."""

    self_play: SelfPlay
    play: Any
    policy: Any
    batch: Any


def is_large() -> bool:
    """Whether there is a GPU, so that the full recipe is worth it."""
    return jax.default_backend() != "cpu"


def train(
    game: AnyGame,
    out: Path,
    limit: Limit,
    *,
    seed: int = 0,
    large: bool | None = None,
    changes: Mapping[str, Any] | None = None,
    report: Callable[[Progress], None] = lambda _: None,
    language: str = "en",
) -> WeightsInfo:
    """Trains the game's net and writes weights, figures, the learning curve and a checkpoint into a folder.

    A folder with a checkpoint of the same training is resumed. `large` trains the full net on the whole mix of setups,
    by default if there is a GPU; `changes` replaces fields of the recipe.
    """
    return Training(game, out, limit, seed, is_large() if large is None else large, changes or {}, language).run(report)


class Training:
    """State and steps of a training."""

    def __init__(
        self, game: AnyGame, out: Path, limit: Limit, seed: int, large: bool, changes: Mapping[str, Any], language: str
    ) -> None:
        net = registry.net(game)
        if net is None or not registry.has_twin(game):
            raise Refusal(_say("weights.no_net", title=game.title))
        self.game, self.net, self.out, self.limit = game, net, out, limit
        self.seed, self.large, self.language = seed, large, language
        self.recipe: Recipe = replace(recipe_for(net, large=large), **changes)
        self.shape = net.shape(self.recipe.hidden)
        self.seconds, self.updates, self.games = 0.0, 0, 0
        self.curves: dict[str, list[tuple[float, float]]] = {opponent: [] for opponent in OPPONENTS}
        self.state: LearnerState = init_state(self.shape, seed)
        self.final: list[Result] = []
        self.setups: list[_Setup] = []
        self.learn: Any = None
        self._restore()

    def compile(self) -> None:
        """Compiles self-play of every setup and the update; `run` does, unless it has been done."""
        if not self.setups:
            self.setups, self.learn = self._compile()

    @property
    def identity(self) -> dict[str, Any]:
        """What must be equal to resume from a checkpoint."""
        return {
            "game": self.game.name,
            "rules": self.game.rules[-1],
            "inputs": self.net.version,
            "recipe": self.recipe.to_json(),
            "large": self.large,
            "seed": self.seed,
        }

    def run(self, report: Callable[[Progress], None]) -> WeightsInfo:
        """Trains until the limit is reached, and writes all files."""
        self.compile()
        key = jax.random.fold_in(jax.random.key(self.seed), self.updates)
        started, before = time.monotonic(), self.seconds
        progress = self.limit.progress(self.seconds, self.updates)
        evaluated = saved = progress
        report(Progress(progress, self.updates, self.games, self.seconds, 0.0, 0.0, self._evaluate()))
        pending: tuple[Any, list[Games]] | None = None
        while progress < 1:
            key, chunk_key = jax.random.split(key)
            losses, ended = self._update(progress, chunk_key)
            victory, points = self._finish(pending)  # of the chunk before, so that the device never waits
            pending = (losses, ended)
            self.updates += 1
            self.seconds = before + time.monotonic() - started
            progress = self.limit.progress(self.seconds, self.updates)
            results: Sequence[Result] = ()
            if progress >= min(1.0, evaluated + 1 / _EVALUATIONS):
                evaluated, results = progress, self._evaluate()
            if progress >= min(1.0, saved + 1 / 4):
                saved = progress
                self._save_checkpoint()
            if self.updates > 1:
                report(Progress(progress, self.updates, self.games, self.seconds, victory, points, results))
        victory, points = self._finish(pending)
        info = self._finalize({"victory": victory, "points": points})
        report(Progress(1.0, self.updates, self.games, self.seconds, victory, points, self.final))
        return info

    def _compile(self) -> tuple[list[_Setup], Any]:
        """The compiled functions, compiled in parallel, since each takes a while."""
        plays = self._self_plays()
        keys = jax.random.split(jax.random.fold_in(jax.random.key(self.seed), 1 << 20), len(plays))
        batches = [one.new_games(key) for one, key in zip(plays, keys, strict=True)]
        policies = [jnp.full((one.games, one.players), NET, jnp.int32) for one in plays]
        noise, key = self._noise(0.0), jax.random.key(0)
        lowered = [
            jax.jit(one.play).lower(self.state.average, batch, policy, noise, key)
            for one, batch, policy in zip(plays, batches, policies, strict=True)
        ]
        chunks = [jax.eval_shape(one.play, self.state.average, batch, policy, noise, key)[1]
                  for one, batch, policy in zip(plays, batches, policies, strict=True)]  # fmt: skip
        update = partial(learn, shape=self.shape, recipe=self.recipe)
        lowered.append(jax.jit(update, donate_argnums=0).lower(self.state, chunks, jnp.float32(0), key))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            *compiled, compiled_update = pool.map(lambda one: one.compile(), lowered)
        return [_Setup(*parts) for parts in zip(plays, compiled, policies, batches, strict=True)], compiled_update

    def _self_plays(self) -> list[SelfPlay]:
        """One per setup: all of the mix if the training is large, otherwise the default for the fewest players."""
        mix = list(self.net.mix) if self.large else [self.net.mix[0]]
        weights = sum(one.weight for one in mix)
        found = []
        for edition, options, weight in mix:
            numbers = next(one.players for one in self.game.editions if one.name == edition)
            for players in numbers if self.large else numbers[:1]:
                share = self.recipe.games * weight // weights // (len(numbers) if self.large else 1)
                games = share // _ROWS * _ROWS or share
                twin = registry.twin(self.game, self.game.agree(players, edition, options))
                assert twin is not None
                found.append(SelfPlay(twin, self.net, self.shape, games, self.recipe.steps))
        return found

    def _noise(self, progress: float) -> Noise:
        rates = self.recipe.at(progress)
        return Noise(*map(jnp.float32, (rates.temperature, rates.exploration, rates.margin, rates.trace)))

    def _update(self, progress: float, key: Any) -> tuple[Any, list[Games]]:
        """Plays a chunk of every setup and learns from all of them."""
        noise, (learn_key, *keys) = self._noise(progress), jax.random.split(key, len(self.setups) + 1)
        chunks, ended = [], []
        for number, (setup, chunk_key) in enumerate(zip(self.setups, keys, strict=True)):
            batch, samples, games = setup.play(self.state.average, setup.batch, setup.policy, noise, chunk_key)
            self.setups[number] = setup._replace(batch=batch)
            chunks.append(samples)
            ended.append(games)
        rate = jnp.float32(self.recipe.at(progress).learning)
        self.state, losses = self.learn(self.state, chunks, rate, learn_key)
        return losses, ended

    def _finish(self, pending: tuple[Any, list[Games]] | None) -> tuple[float, float]:
        """Checks and counts the games of a chunk; returns its losses."""
        if pending is None:
            return 0.0, 0.0
        losses, ended = pending
        for setup, games in zip(self.setups, ended, strict=True):
            check_choices(setup.self_play, games)
            self.games += int(np.asarray(games.is_over).sum())
        victory, points = float(losses.victory), float(losses.points)
        assert np.isfinite(victory + points), "the training has diverged"
        return victory, points

    def _evaluate(self) -> list[Result]:
        """Matches of the first setup against every opponent, for the curve."""
        results = self._matches(self.setups[0])
        for result in results:
            self.curves[result.opponent].append((self.seconds / 60, result.share))
        return results

    def _matches(self, setup: _Setup) -> list[Result]:
        bound = self.game.bound(setup.self_play.twin.setup)
        return play_matches(setup.self_play, setup.play, self.state.average, bound, self.seed + self.updates)

    def _finalize(self, losses: dict[str, float]) -> WeightsInfo:
        """Evaluates every setup, and writes all files."""
        self.final, matches = [], []
        for setup in self.setups:
            for result in self._matches(setup):
                self.final.append(result)
                variant = self.net.variant(setup.self_play.twin.setup)
                matches.append(
                    {"variant": variant, **{name: _rounded(value) for name, value in result._asdict().items()}}
                )
        figures = {
            "updates": self.updates,
            "games": self.games,
            "seconds": round(self.seconds, 1),
            "device": str(jax.devices()[0].device_kind),
            "losses": {name: _rounded(value) for name, value in losses.items()},
            "matches": matches,
        }
        info = WeightsInfo(
            self.game.name, self.game.rules[-1], self.net.version, self.recipe.hidden, self._trained(),
            self.recipe.to_json(), self.seed, datetime.now(UTC).date().isoformat(), figures,
        )  # fmt: skip
        write_atomically(self.out / WEIGHTS, encode_weights(info, self.state.average))
        write_atomically(self.out / FIGURES, json.dumps({**figures, "curves": self.curves}, indent=1) + "\n")
        points = {name: [Point(*point) for point in curve] for name, curve in self.curves.items()}
        players = self.setups[0].self_play.players
        write_atomically(self.out / CURVE, draw_curve(self.game.title, points, players, self.language))
        self._save_checkpoint()
        return info

    def _trained(self) -> dict[str, list[int]]:
        trained: dict[str, list[int]] = {}
        for setup in self.setups:
            variant = self.net.variant(setup.self_play.twin.setup)
            assert variant is not None
            trained.setdefault(variant, []).append(setup.self_play.players)
        return trained

    def _save_checkpoint(self) -> None:
        meta = {"identity": self.identity, "seconds": self.seconds, "updates": self.updates, "games": self.games,
                "curves": self.curves}  # fmt: skip
        save_checkpoint(self.out / CHECKPOINT, self.state, meta)

    def _restore(self) -> None:
        found = load_checkpoint(self.out / CHECKPOINT, self.identity)
        if found:
            self.state, meta = found
            self.seconds, self.updates, self.games = meta["seconds"], meta["updates"], meta["games"]
            self.curves = {
                name: [(minutes, share) for minutes, share in curve] for name, curve in meta["curves"].items()
            }


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
