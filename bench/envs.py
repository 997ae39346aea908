"""Speed of the research environments, in one run with environments of the libraries themselves.

    python -m bench.envs [--old CHECKOUT] [--rounds 3] [--seconds 2] [--match batched] [--driver hash]

Each measurement is a process of its own; all of them take turns, and the median counts. A step is one decision with its
observation and its mask, at random. Rates are per second of processor time, so that a busy machine changes them little.
`--old` is a checkout of an earlier version to compare with. PettingZoo's own games need `pygame` and `chess`.

A `batched` row is a compiled loop of choosing, stepping and replacing finished games; its driver says how it chooses:
`hash` and `xor` read the mask and are the same for every version, `sample` is the environment's own function if it has
one. The row `fastest` compares the fastest driver of each version, which need not be the same.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from functools import reduce
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
GAMES = ("bigpoints", "rondo", "turmbauer", "template")
TWINS = ("bigpoints", "rondo")
DRIVERS = ("hash", "xor", "sample")
BATCH, LOOP = 1024, 40
WAYS = (
    *(f"pettingzoo {name}" for name in (*GAMES, "connect_four_v3", "chess_v6")),
    *(f"openspiel {name}" for name in ("bigpoints", "rondo", "backgammon")),
    *(f"tensor {name}" for name in ("bigpoints", "rondo", "backgammon")),
    *(f"batched {name} {driver}" for name in TWINS for driver in DRIVERS),
)


def pettingzoo(name: str, seconds: float) -> tuple[int, float]:
    """Steps and seconds of PettingZoo's loop."""
    if name in GAMES:
        env = import_module("spieltisch.research.pettingzoo").env(name)
    else:
        env = import_module(f"pettingzoo.classic.{name}").env()
    dice, steps, seed, began = Random(1), 0, 0, time.process_time()
    while time.process_time() - began < seconds:
        env.reset(seed=seed)
        seed += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0].tolist()
            env.step(legal[int(dice.random() * len(legal))])
            steps += 1
    return steps, time.process_time() - began


def openspiel(name: str, seconds: float, tensor: bool) -> tuple[int, float]:
    """Steps and seconds of OpenSpiel's loop, with or without the tensor of every observation."""
    pyspiel: Any = import_module("pyspiel")
    if name in GAMES:
        import_module("spieltisch.research.openspiel")
        name = f"spieltisch_{name}"
    game, dice, steps, began = pyspiel.load_game(name), Random(1), 0, time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, odds)[0])
                continue
            if tensor:
                state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(dice.random() * len(legal))])
            steps += 1
    return steps, time.process_time() - began


def batched(name: str, seconds: float, driver: str) -> tuple[int, float]:
    """Steps and seconds of the vectorized environment, compiled for a batch, with new games for finished ones."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    env = import_module("spieltisch.research.twin_env").make(name, players=2)
    count, width = env.num_actions, -(-env.num_actions // 8)
    numbers, order = np.arange(count, dtype=np.uint32), np.array(Random(0).sample(range(1024), count), np.uint32)

    def score(seeds: Any, some: slice) -> Any:
        """Scrambled numbers, one per game and action, with the action itself in the lowest ten bits."""
        if driver == "xor":
            word = seeds[:, None] ^ order[some] << np.uint32(10)
        else:
            word = seeds[:, None] + numbers[some] * np.uint32(0x9E3779B9)
            word = (word ^ (word >> 16)) * np.uint32(0x7FEB352D)
            word = (word ^ (word >> 15)) * np.uint32(0x846CA68B)
        return (word | np.uint32(1 << 31)) & np.uint32(0xFFFFFC00) | numbers[some]

    def choose(state: Any, seeds: Any) -> Any:
        """A random legal action: that of `sample`, or the one with the highest score, eight at once."""
        if driver == "sample":
            return jax.vmap(env.sample)(state)
        parts = [slice(first, first + width) for first in (min(n * width, count - width) for n in range(8))]
        scores = (jnp.where(state.legal_action_mask[:, some], score(seeds, some), np.uint32(0)) for some in parts)
        return (reduce(jnp.maximum, scores).max(1) & np.uint32(1023)).astype(jnp.int32)

    def step(_: Any, carry: Any) -> Any:
        state, fresh, seeds = carry
        actions = choose(state, seeds)
        seeds = (seeds ^ (seeds >> 16)) * np.uint32(0x7FEB352D) + np.uint32(0x9E3779B9)
        if hasattr(env, "step_auto_reset"):
            return jax.vmap(env.step_auto_reset)(state, actions, fresh), fresh, seeds
        after = jax.vmap(env.step)(state, actions)

        def renewed(new: Any, old: Any) -> Any:
            return jnp.where(after.terminated.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        return jax.tree.map(renewed, fresh, after), fresh, seeds

    wait: Any = jax.block_until_ready
    play = jax.jit(lambda carry: jax.lax.fori_loop(0, LOOP, step, carry))
    fresh = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), BATCH))
    carry = wait(play((fresh, fresh, jax.random.bits(jax.random.key(1), (BATCH,)))))
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        carry = wait(play(carry))
        steps += BATCH * LOOP
    return steps, time.process_time() - began


def measure(way: str, seconds: float) -> float:
    """Steps per second of processor time, in this process."""
    kind, name, *driver = way.split()
    if kind == "pettingzoo":
        steps, spent = pettingzoo(name, seconds)
    elif kind == "batched":
        steps, spent = batched(name, seconds, *driver)
    else:
        steps, spent = openspiel(name, seconds, kind == "tensor")
    return steps / spent


def _in_process(way: str, checkout: Path, seconds: float) -> float | None:
    """The same in a process of its own, with the sources of a checkout; None if a library is missing there."""
    path = os.pathsep.join([str(checkout / "src"), *filter(None, [os.environ.get("BENCH_PEERS")])])
    command = [sys.executable, str(Path(__file__)), "--only", way, "--seconds", str(seconds)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)  # noqa: S603
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def _peer(way: str) -> bool:
    return way.split()[1] not in GAMES


def _row(title: str, now: float, before: float | None) -> str:
    earlier = (f"{before:,.0f}", f"{now / before:.1f}") if before else ("", "")
    return f"| {title} | {now:,.0f} | {earlier[0]} | {earlier[1]} |"


def _fastest(name: str, rates: dict[tuple[str, bool], float], old: bool) -> tuple[float, str]:
    """The rate of the fastest driver of a version, and the driver."""
    return max((rates.get((f"batched {name} {driver}", old), 0.0), driver) for driver in DRIVERS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--match", default="", help="measure only what begins like this, such as 'batched rondo'")
    parser.add_argument("--driver", choices=DRIVERS, help="measure batched environments with this driver only")
    parser.add_argument("--only", help="measure this one thing in this process")
    args = parser.parse_args()
    if args.only:
        print(measure(args.only, args.seconds))
        return
    ways = [way for way in WAYS if way.startswith(args.match)]
    if args.driver:
        ways = [way for way in ways if not way.startswith("batched") or way.endswith(args.driver)]
    found: dict[tuple[str, bool], list[float]] = {}
    for _ in range(args.rounds):
        for way in ways:
            for old in (False, True) if args.old and not _peer(way) else (False,):
                rate = _in_process(way, args.old if old else ROOT, args.seconds)
                if rate is not None:
                    found.setdefault((way, old), []).append(rate)
    rates = {key: median(values) for key, values in found.items()}
    print("| environment | steps per second | before | times |\n|---|--:|--:|--:|")
    for way in ways:
        if (way, False) in rates:
            print(_row(way, rates[way, False], rates.get((way, True))))
    for name in TWINS:
        (now, driver), (before, earlier) = (_fastest(name, rates, old) for old in (False, True))
        if now and before and not args.driver:
            print(_row(f"batched {name} fastest: {driver}, before {earlier}", now, before))


if __name__ == "__main__":
    main()
