"""Speed of random play on twins, on any device of JAX, with Pgx in the same run: `PYTHONPATH=src:. python3 -m bench.gpu`.

Needs only JAX and numpy; Pgx is imported from the folder `.peers` if it exists:
`pip install --target .peers --no-deps pgx svgwrite typing_extensions`.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from spieltisch import registry
from spieltisch.core.twin import AnyTwin
from spieltisch.twins.arrays import batch_stream
from spieltisch.twins.prng import lowbias32, random_stream, seeds_of

POOL = 1 << 16
PGX = ("connect_four", "hex", "2048", "backgammon")
SLOW = {"backgammon": 8}  # steps per call for games in which more would take minutes
Play = Callable[[Any, jax.Array], Any]


class Way(NamedTuple):
    """A way to play at random: how to make a batch, what one call plays, and how many steps that is."""

    name: str
    make: Callable[[int], Any]
    play: Play
    steps: int
    games: Callable[[Any], Any] = lambda batch: batch  # the part of the batch that counts as the games' memory


def wait(batch: Any) -> Any:
    """Blocks until the batch is computed."""
    for leaf in jax.tree.leaves(batch):
        leaf.block_until_ready()
    return batch


def measure(way: Way, size: int, rounds: int) -> dict[str, object]:
    """Steps per second, seconds of compilation and bytes per game."""
    batch = wait(way.make(size))
    began = time.perf_counter()
    run = jax.jit(way.play).lower(batch, jax.random.key(0)).compile()
    compiled = time.perf_counter() - began
    batch = wait(run(batch, jax.random.key(1)))
    times = []
    for number in range(rounds):
        began = time.perf_counter()
        batch = wait(run(batch, jax.random.key(2 + number)))
        times.append(time.perf_counter() - began)
    memory = sum(leaf.nbytes for leaf in jax.tree.leaves(way.games(batch)))
    analysis = run.memory_analysis()
    return {
        "way": way.name,
        "games": size,
        "steps_per_second": round(size * way.steps / median(times)),
        "best": round(size * way.steps / min(times)),
        "milliseconds_a_call": [round(1000 * t, 3) for t in times],
        "steps_a_call": way.steps,
        "compile_seconds": round(compiled, 2),
        "bytes_a_game": round(memory / size, 1),
        "temporary_bytes_a_game": round(getattr(analysis, "temp_size_in_bytes", 0) / size, 1),
    }


def twin_ways(name: str, players: int, steps: int, kernels: str) -> Iterator[Way]:
    """A twin's rollouts, with new deals and from a pool, in a kernel, and random play through the contract only."""
    game = registry.find(name)
    twin = registry.twin(game, game.agree(players))
    assert twin is not None
    label = f"{name}, {players} players"
    make = partial(_init, twin)
    yield Way(f"{label}: new deals", make, lambda batch, key: twin.rollout(batch, key, steps)[0], steps)
    pool = getattr(twin.init(jax.random.key(99), POOL), "track", None)
    if pool is not None:
        played: Any = twin.rollout
        yield Way(f"{label}: pool of {POOL}", make, lambda batch, key: played(batch, key, steps, pool)[0], steps)
    yield Way(
        f"{label}: by the contract, draws are steps", make, partial(_by_contract, twin, pool, steps // 8), steps // 8
    )
    for each in kernels.split(",") if kernels else ():
        from spieltisch.twins import kernel

        block, warps = map(int, each.split(":"))
        yield Way(
            f"{label}: kernel of {block} games, {warps} warps",
            make,
            partial(_in_kernel, kernel.rollout, twin, steps, block, warps),
            steps,
        )


def _init(twin: AnyTwin, size: int) -> Any:
    return twin.init(jax.random.key(0), size)


def _in_kernel(rollout: Any, twin: AnyTwin, steps: int, block: int, warps: int, batch: Any, key: jax.Array) -> Any:
    return rollout(twin, batch, key, steps, block=block, warps=warps)[0]


def _by_contract(twin: AnyTwin, pool: Any, steps: int, batch: Any, key: jax.Array) -> Any:
    """Random play through the contract: legal mask, uniform choice, step, auto-reset; a draw is a step too."""
    random = batch_stream(key, batch)
    numbers = np.arange(len(twin.actions), dtype=np.uint32)
    auto_reset: Any = twin.auto_reset

    def one(step: jax.Array, batch: Any) -> Any:
        legal, chance = twin.legal(batch), random(step.astype(jnp.uint32))
        draws = lowbias32(chance[:, None] ^ (numbers * np.uint32(0x9E3779B9))) | np.uint32(1)
        ids = jnp.argmax(jnp.where(legal, draws, np.uint32(0)), 1)
        after = twin.step(batch, ids)
        own = jax.random.fold_in(key, step)
        return auto_reset(after, own, pool) if pool is not None else auto_reset(after, own)

    return jax.lax.fori_loop(0, steps, one, batch)


def pgx_ways(names: tuple[str, ...], steps: int) -> Iterator[Way]:
    """Games of Pgx with its own auto-reset; actions are sampled as in `_by_contract`, which is faster than Pgx's way."""
    sys.path.insert(0, str(Path(".peers").resolve()))
    pgx: Any = import_module("pgx")
    auto_reset: Any = import_module("pgx.experimental.wrappers").auto_reset
    for name in names:
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))
        some = min(steps, SLOW.get(name, steps))

        def make(size: int, env: Any = env) -> Any:
            return jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), size))

        def play(state: Any, key: jax.Array, step: Any = step, some: int = some) -> Any:
            def one(number: jax.Array, state: Any) -> Any:
                choosing, going = jax.random.split(jax.random.fold_in(key, number))
                action = _sample_legal(choosing, state.legal_action_mask)
                return step(state, action, jax.random.split(going, state.terminated.shape[0]))

            return jax.lax.fori_loop(0, some, one, state)

        yield Way(f"pgx {name}", make, play, some)


def _sample_legal(key: jax.Array, legal: jax.Array) -> jax.Array:
    random = random_stream(seeds_of(key), jnp.arange(legal.shape[0], dtype=jnp.uint32))
    numbers = np.arange(legal.shape[1], dtype=np.uint32) * np.uint32(0x9E3779B9)
    draws = lowbias32(random.start[:, None] ^ numbers) | np.uint32(1)
    return jnp.argmax(jnp.where(legal, draws, np.uint32(0)), 1)


def bandwidth(size: int) -> float:
    """Memory bandwidth: bytes per second that a plain pass reads and writes."""
    words = jnp.zeros(size, jnp.uint32)
    change = jax.jit(lambda words: words + np.uint32(1))
    wait(change(words))
    times = []
    for _ in range(10):
        began = time.perf_counter()
        wait(change(words))
        times.append(time.perf_counter() - began)
    return 2 * words.nbytes / min(times)


def compare_devices(name: str, players: int, *, gpu: bool) -> dict[str, object]:
    """Whether the CPU, this device and the kernel play the same games bit for bit, also through the contract."""
    game = registry.find(name)
    twin = registry.twin(game, game.agree(players))
    assert twin is not None
    cpu = jax.devices("cpu")[0]
    batch = twin.init(jax.random.key(5), 4096)
    undealt = twin.pack([game.initial(twin.setup)] * 4096)
    here = twin.rollout(batch, jax.random.key(6), 252), _observe_games(twin, undealt)
    with jax.default_device(cpu):
        there = (
            twin.rollout(jax.device_put(batch, cpu), jax.random.key(6), 252),
            _observe_games(twin, jax.device_put(undealt, cpu)),
        )
    answers: dict[str, object] = {
        "game": f"{name}, {players} players",
        "cpu": _equal(here[0], there[0]),
        "contract": _equal(here[1], there[1]),
    }
    if gpu:
        from spieltisch.twins import kernel

        answers["kernel"] = _equal(here[0], kernel.rollout(twin, batch, jax.random.key(6), 252))
    return {**answers, "finished_games": int(jnp.sum(here[0][1]))}


def _observe_games(twin: AnyTwin, batch: Any) -> Any:
    """Everything a twin computes, after every few steps of games played through the contract from before the deal."""
    found = []
    for number in range(8):
        batch = jax.jit(partial(_by_contract, twin, None, 40))(batch, jax.random.key(number))
        asked = (twin.kind(batch), twin.seat(batch), twin.legal(batch), twin.weights(batch), twin.scores(batch))
        found.append((batch, asked, twin.ranks(batch), twin.rewards(batch), twin.features(batch, twin.seat(batch))))
    return found


def _equal(one: Any, other: Any) -> bool:
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(bool((np.asarray(a) == np.asarray(b)).all()) for a, b in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="", help="games per batch, such as 65536,1048576")
    parser.add_argument("--twins", default="bigpoints:2,bigpoints:5,rondo:2,rondo:4")
    parser.add_argument("--pgx", default=",".join(PGX))
    parser.add_argument("--steps", type=int, default=0, help="steps per call")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kernels", default="128:4", help="games and warps per block of the kernels, on a GPU")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no further measurement after so many seconds")
    parser.add_argument("--only", default="", help="only ways whose name contains this text")
    parser.add_argument("--out", default="", help="a file for the JSON")
    given = parser.parse_args()
    gpu = jax.default_backend() == "gpu"
    sizes = [int(n) for n in given.sizes.split(",") if n] or (
        [1 << 20, 1 << 16, 1 << 22, 1 << 18] if gpu else [1 << 12]
    )
    steps = given.steps or (1008 if gpu else 252)  # a multiple of both games' chunks
    began = time.monotonic()
    report: dict[str, Any] = {
        "device": jax.devices()[0].device_kind,
        "machine": platform.processor() or platform.machine(),
        "jax": jax.__version__,
        "python": platform.python_version(),
        "command": " ".join(sys.argv),
        "bytes_a_second": round(bandwidth(1 << 28 if gpu else 1 << 24)),
        "same": [],
        "measured": [],
        "failed": [],
    }
    print(json.dumps({key: report[key] for key in ("device", "jax", "bytes_a_second")}), flush=True)
    named = [(name, int(players)) for name, players in (word.split(":") for word in given.twins.split(",") if word)]
    named = [(name, players) for name, players in named if registry.has_twin(registry.find(name))]

    def attempt(what: str, act: Callable[[], dict[str, object]], kind: str) -> None:
        try:
            found = act()
        except Exception as error:  # noqa: BLE001 - a failure is reported, the rest goes on
            traceback.print_exc(limit=3)
            found, kind = {"way": what, "error": f"{type(error).__name__}: {str(error)[:400]}"}, "failed"
        report[kind].append(found)
        print(json.dumps(found), flush=True)
        if given.out:
            Path(given.out).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")

    for name, players in named:
        attempt(f"{name}:{players}", partial(compare_devices, name, players, gpu=gpu), "same")
    kernels = given.kernels if gpu else ""
    ways = [way for name, players in named for way in twin_ways(name, players, steps, kernels)]
    ways += pgx_ways(tuple(name for name in given.pgx.split(",") if name), max(8, steps // 16)) if given.pgx else ()
    for size in sizes:
        for way in ways:
            if given.only in way.name and time.monotonic() - began < given.seconds:
                attempt(f"{way.name}, {size}", partial(measure, way, size, given.rounds), "measured")


if __name__ == "__main__":
    main()
