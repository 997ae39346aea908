"""The players of Rondo: strong enough, fast enough, and blind to hidden information."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

from spieltisch import players
from spieltisch.core.game import Decision, Over, Seat
from spieltisch.core.player import Clock
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.chains import BestChain, list_chains
from spieltisch.games.rondo.state import NOWHERE
from spieltisch.games.rondo.tests.positions import position


def test_greedy_beats_random_nearly_always_and_thinks_quickly():
    won, turns, seconds = 0, 0, 0.0
    for seed in range(24):
        referee = Referee(GAME, GAME.agree(2, ("blue", "red")[seed % 2], first=seed // 2 % 2), seeded(seed))
        bots = [players.make(name, GAME, seed) for name in ("greedy", "random")]
        while not isinstance(pending := referee.settle(), Over):
            turns += pending.seat == 0 and referee.state.last == NOWHERE
            began = time.process_time()
            referee.ask(bots[pending.seat])
            seconds += (time.process_time() - began) * (pending.seat == 0)
        won += pending.outcome.ranks[0] == 1
    assert won / 24 >= 0.95
    assert seconds / turns < 0.015  # 3 ms here; the limit leaves room for a busy machine


def test_the_best_chain_scores_what_the_best_of_all_chains_scores():
    for seed in range(40):
        dice, state = Random(seed), GAME.initial(GAME.agree(2, ("blue", "red")[seed % 2]))
        while not isinstance(pending := GAME.pending(state), Over):
            if isinstance(pending, Decision) and dice.random() < 0.05:
                chains = [chain for chain, *_ in list_chains(state)]
                assert len(set(chains)) == len(chains)
                best = BestChain(state)
                assert best.value == max((score(state, each) for each in chains), default=0)
                assert score(state, best.chain) == best.value
            state = GAME.apply(state, dice.choice(pending.actions))


def score(state, chain) -> int:
    """The points of a chain, by playing it."""
    before = state.scores[state.seat]
    for lay in chain:
        state = GAME.apply(state, lay)
    return state.scores[state.seat] - before


def test_greedy_lays_the_worked_example():
    state = position(laid="AE:P", racks=("BGPBB", "R"))
    bot = players.make("greedy", GAME, 1)
    referee = Referee(GAME, state.setup, seeded(1))
    referee.progress = replace(referee.progress, state=state, pending=GAME.pending(state))
    before = state.scores[0]
    while isinstance(pending := referee.pending, Decision) and pending.seat == Seat(0):
        referee.ask(bot)
    assert referee.state.scores[0] - before >= 10


def test_states_that_look_the_same_get_the_same_choice():
    for seed in range(6):
        referee = Referee(GAME, GAME.agree(3), seeded(seed))
        dice = Random(seed)
        while not isinstance(pending := referee.settle(), Over) and len(referee.steps) < 60:
            seen = referee.seen(pending.seat)
            for world in range(2):
                state = GAME.imagine(seen.view, Random(world))
                other = seen._replace(view=GAME.observe(state, pending.seat))
                answers = [players.make("greedy", GAME, 7).choose(each, Clock()) for each in (seen, other)]
                assert answers[0] == answers[1]
            referee.play(pending.seat, [dice.choice(pending.actions)])
