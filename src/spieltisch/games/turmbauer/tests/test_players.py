"""The players of Turmbauer: strong enough, quick enough, careful, and without knowledge that is not theirs."""

from __future__ import annotations

import time
from typing import Any

import pytest

from spieltisch import players
from spieltisch.core.game import Decision, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.evaluation import count_falls
from spieltisch.games.turmbauer.knowledge import Greedy
from spieltisch.games.turmbauer.state import Phase, Place, Roll


def played(names: list[str], seed: int, hand: str = "steady") -> tuple[Over, dict[str, float]]:
    """A game between bots, and for each the seconds of its longest turn."""
    referee = Referee(
        GAME.for_simulation, GAME.agree(len(names), options={"hand": hand}, first=seed % len(names)), seeded(seed)
    )
    bots = [players.make(name, GAME, f"{seed}/{seat}") for seat, name in enumerate(names)]
    longest, turns = dict.fromkeys(names, 0.0), dict[tuple[str, int], float]()
    while not isinstance(pending := referee.settle(), Over):
        name, turn = names[pending.seat], referee.state.turn
        began = time.process_time()
        referee.ask(bots[pending.seat])
        turns[name, turn] = turns.get((name, turn), 0.0) + time.process_time() - began
    for (name, _), seconds in turns.items():
        longest[name] = max(longest[name], seconds)
    return pending, longest


def test_greedy_beats_a_careful_random_player_and_thinks_less_than_a_second_a_turn():
    """Here from either seat; at least 80 % of the hundreds of games that `make prove-turmbauer` plays."""
    for names in (["greedy", "careful"], ["careful", "greedy"]):
        over, longest = played(names, 1)
        assert over.outcome.ranks[names.index("greedy")] == 1
        assert longest["greedy"] < 1


@pytest.mark.parametrize("hand", ["calm", "steady", "shaky"])
def test_careful_and_greedy_players_bring_no_tower_down(hand):
    over, _ = played(["greedy", "careful", "greedy"], 3, hand)
    assert over.outcome.ending == "built"


def test_every_player_plays_to_the_end_with_any_number():
    for count, name in ((2, "daring"), (4, "random"), (4, "daring")):
        over, _ = played([name] * count, 1)
        assert len(over.outcome.ranks) == count


def test_a_daring_player_takes_a_risk_that_a_greedy_one_does_not():
    referee = Referee(GAME.for_simulation, GAME.agree(2), seeded(4))
    bots = [players.make("greedy", GAME, seat) for seat in range(2)]
    taken = {"greedy": 0, "daring": 0}
    while not isinstance(pending := referee.settle(), Over):
        if referee.state.phase is Phase.STONE and referee.state.turn > 8:
            for name in taken:
                bot: Any = players.make(name, GAME, 1)
                pick = bot.choose(referee.seen(pending.seat), None)
                if hasattr(pick, "ring") and bot.plan:
                    taken[name] += any(count_falls(referee.state, pick.kind, bot.plan.place))
        referee.ask(bots[pending.seat])
    assert taken["greedy"] == 0
    assert taken["daring"] > 0


def test_a_place_that_failed_is_not_tried_again():
    state = GAME.initial(GAME.agree(3))
    for_replay = GAME.for_replay
    state = for_replay.apply(state, Roll(2, 3))
    bot = players.make("greedy", GAME, 1)
    for _ in range(2):
        for _ in range(2):
            pending = for_replay.pending(state)
            assert isinstance(pending, Decision)
            seen = GAME.observe(state, pending.seat)
            choice = bot.choose(type(referee_seen())(seen, pending.actions, ()), None)
            assert choice in pending.actions
            state = for_replay.apply(state, choice)
        state = for_replay.apply(state, for_replay.read(state, "~N"))
        state = for_replay.apply(state, for_replay.read(state, "fall 1"))
    assert len(set(state.ruled_out)) == 2


def referee_seen():
    referee = Referee(GAME.for_simulation, GAME.agree(2), seeded(1))
    pending = referee.settle()
    assert isinstance(pending, Decision)
    return referee.seen(pending.seat)


def test_greedy_places_the_stone_that_somebody_else_has_taken():
    """A hint in the middle of a turn: the stone is chosen, the place is not."""
    seen = referee_seen()
    pick = seen.choices[0]
    state = GAME.apply(GAME.imagine(seen.view, None), pick)
    pending = GAME.pending(state)
    assert isinstance(pending, Decision)
    answer = players.make("greedy", GAME, 2).choose(
        seen._replace(view=GAME.observe(state, pending.seat), choices=pending.actions), None
    )
    assert isinstance(answer, Place)
    assert answer in pending.actions
    assert isinstance(players.make("greedy", GAME, 1), Greedy)
