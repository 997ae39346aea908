"""Speed of the research environments, in one run with environments of the libraries themselves.

    python -m bench.envs [--old CHECKOUT] [--rounds 3] [--seconds 2]

Each measurement is a process of its own; all of them take turns, and the median counts. A step is one decision with its
observation and its mask, at random. Rates are per second of processor time, so that a busy machine changes them little.
`--old` is a checkout of an earlier version to compare with. PettingZoo's own games need `pygame` and `chess`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
GAMES = ("bigpoints", "rondo", "turmbauer", "template")
TWINS = ("bigpoints", "rondo")
BATCH, LOOP = 1024, 40
WAYS = (
    *(f"pettingzoo {name}" for name in (*GAMES, "connect_four_v3", "chess_v6")),
    *(f"openspiel {name}" for name in ("bigpoints", "rondo", "backgammon")),
    *(f"tensor {name}" for name in ("bigpoints", "rondo", "backgammon")),
    *(f"batched {name}" for name in TWINS),
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


def batched(name: str, seconds: float) -> tuple[int, float]:
    """Steps and seconds of the vectorized environment, compiled for a batch, with new games for finished ones."""
    import jax
    import jax.numpy as jnp

    env = import_module("spieltisch.research.twin_env").make(name, players=2)
    numbers = jnp.arange(env.num_actions, dtype=jnp.uint32)

    def choose(legal: Any, key: Any) -> Any:
        """A random legal action: the highest of hashed numbers, which costs less than a categorical distribution."""
        word = jax.random.bits(key, (BATCH,))[:, None] + numbers * jnp.uint32(0x9E3779B9)
        word = (word ^ (word >> 16)) * jnp.uint32(0x7FEB352D)
        word = (word ^ (word >> 15)) * jnp.uint32(0x846CA68B)
        word = (word | jnp.uint32(1 << 31)) & jnp.uint32(0xFFFFFC00) | numbers
        return (jnp.where(legal, word, jnp.uint32(0)).max(1) & jnp.uint32(1023)).astype(jnp.int32)

    def step(_: Any, carry: Any) -> Any:
        state, fresh, key = carry
        key, own = jax.random.split(key)
        after = jax.vmap(env.step)(state, choose(state.legal_action_mask, own))

        def renewed(new: Any, old: Any) -> Any:
            return jnp.where(after.terminated.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        return jax.tree.map(renewed, fresh, after), fresh, key

    wait: Any = jax.block_until_ready
    play = jax.jit(lambda carry: jax.lax.fori_loop(0, LOOP, step, carry))
    fresh = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), BATCH))
    carry = wait(play((fresh, fresh, jax.random.key(1))))
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        carry = wait(play(carry))
        steps += BATCH * LOOP
    return steps, time.process_time() - began


def measure(way: str, seconds: float) -> float:
    """Steps per second of processor time, in this process."""
    kind, name = way.split()
    if kind == "pettingzoo":
        steps, spent = pettingzoo(name, seconds)
    elif kind == "batched":
        steps, spent = batched(name, seconds)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only")
    args = parser.parse_args()
    if args.only:
        print(measure(args.only, args.seconds))
        return
    found: dict[tuple[str, bool], list[float]] = {}
    for _ in range(args.rounds):
        for way in WAYS:
            for old in (False, True) if args.old and not _peer(way) else (False,):
                rate = _in_process(way, args.old if old else ROOT, args.seconds)
                if rate is not None:
                    found.setdefault((way, old), []).append(rate)
    print("| environment | steps per second | before | times |\n|---|--:|--:|--:|")
    for way in WAYS:
        now, before = found.get((way, False)), found.get((way, True))
        if now:
            earlier = (f"{median(before):,.0f}", f"{median(now) / median(before):.1f}") if before else ("", "")
            print(f"| {way} | {median(now):,.0f} | {earlier[0]} | {earlier[1]} |")


if __name__ == "__main__":
    main()
