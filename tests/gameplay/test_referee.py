"""Referee, drafts, series and players, with the teaching game."""

from __future__ import annotations

import pytest

from spieltisch import players, registry
from spieltisch.core.game import Chance, Decision, Heard, IllegalAction, Over, Seat
from spieltisch.core.player import Clock
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.draft import Draft
from spieltisch.gameplay.errors import BadAnswer, NotPending
from spieltisch.gameplay.perft import divide, perft
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.series import Series
from spieltisch.games.template.state import FACE_DOWN, FACE_UP, STOP
from spieltisch.records import Record, Undo, read, write

GAME = registry.find("template")
ZERO, ONE = Seat(0), Seat(1)


def dealt(seed: int = 1, count: int = 2) -> Referee:
    referee = Referee(GAME, GAME.agree(count), seeded(seed), {0: "Ada", 1: "Ibo"})
    referee.settle()
    return referee


def play_out(referee: Referee, names: list[str], seed: int = 0) -> Over:
    seated = [players.make(name, GAME, f"{seed}/{seat}") for seat, name in enumerate(names)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(seated[pending.seat])
    return pending


def test_settle_draws_until_a_decision_is_pending():
    referee = dealt()
    assert isinstance(referee.pending, Decision)
    assert len(referee.steps) == 6


def test_the_same_seed_plays_the_same_game():
    records = []
    for _ in range(2):
        referee = dealt(7)
        play_out(referee, ["random", "greedy"])
        records.append(referee.record())
    assert records[0] == records[1]


def test_a_draft_is_played_as_a_whole():
    referee = dealt()
    first = referee.pending.actions[0]
    referee.play(ZERO, [first, STOP])
    assert [step.action for step in referee.steps[6:]] == [first, STOP]


def test_a_draft_with_an_illegal_step_is_not_played_at_all():
    referee = dealt()
    before = referee.state, len(referee.steps)
    with pytest.raises(IllegalAction) as caught:
        referee.play(ZERO, [referee.pending.actions[0], FACE_DOWN[0], STOP])
    assert caught.value.rule in {"R4", "R5"}
    assert (referee.state, len(referee.steps)) == before


def test_a_draft_ends_with_the_turn_before_anything_is_drawn():
    referee = dealt()
    with pytest.raises(NotPending, match="ends before the last of these steps"):
        referee.play(ZERO, [referee.pending.actions[0], STOP, STOP])


def test_a_seat_plays_only_on_its_own_turn():
    with pytest.raises(NotPending, match="turn of seat 1, not of seat 2"):
        dealt().play(ONE, [FACE_UP[0]])


def test_the_actions_of_a_draft_can_be_removed_one_by_one():
    referee = dealt()
    draft = Draft(GAME, referee.state, ZERO)
    first = draft.choices[0]
    draft.add(first)
    assert draft.actions == (first,)
    assert draft.choices[-1] == STOP
    assert not draft.complete
    assert sum(draft.view.hands[0].pebbles) == 2
    draft.add(STOP)
    assert draft.complete
    assert draft.take_back()
    assert draft.take_back()
    assert not draft.take_back()
    assert draft.state == referee.state


def test_a_draft_is_invisible_to_others():
    referee = dealt()
    heard = referee.heard(ONE)
    Draft(GAME, referee.state, ZERO).add(referee.pending.actions[0])
    assert referee.heard(ONE) == heard


def test_every_viewer_witnesses_what_it_may_know():
    referee = dealt()
    assert [heard.text for heard in referee.heard(None)] == ["?"] * 6
    assert [heard.text for heard in referee.heard(ZERO)][3:] == ["?"] * 3
    assert "?" not in [heard.text for heard in referee.heard(ZERO)][:3]
    action = referee.pending.actions[0]
    referee.play(ZERO, [action])
    assert referee.heard(ONE)[-1] == Heard(ZERO, "RBG"[action.colour])


def test_a_player_receives_its_own_view_only():
    seen = dealt().seen(ZERO)
    assert seen.view.viewer == 0
    assert seen.view.hands[1].pebbles is None
    with pytest.raises(NotPending):
        dealt().seen(ONE)


class Stubborn:
    def choose(self, seen, clock):
        return FACE_UP[0] if FACE_UP[0] not in seen.choices else STOP


def test_an_invalid_choice_is_reported_with_the_seat():
    with pytest.raises(BadAnswer, match="seat 0"):
        dealt().ask(Stubborn())


def test_no_player_is_asked_after_the_end():
    referee = dealt()
    play_out(referee, ["random", "random"])
    with pytest.raises(NotPending, match="Nobody has anything to decide"):
        referee.ask(Stubborn())
    with pytest.raises(NotPending, match="game is over"):
        referee.play(ZERO, [STOP])


def test_an_undo_restores_the_state_and_stays_in_the_log():
    referee = dealt()
    before = referee.state
    referee.play(ZERO, [referee.pending.actions[0], STOP])
    referee.settle()
    assert referee.since_last_turn(ZERO) > 2
    referee.undo(referee.since_last_turn(ZERO))
    assert referee.state == before
    record = referee.record()
    assert isinstance(record.entries[-1], Undo)
    assert record.practice
    assert len(referee.heard(ONE)) == 6


def test_an_undo_of_too_many_actions_is_refused():
    with pytest.raises(NotPending, match="nothing to take back"):
        dealt().undo(7)
    assert dealt().since_last_turn(ZERO) == 0


class First:
    """Takes the first choice."""

    def choose(self, seen, clock):
        return seen.choices[0]


def test_a_resumed_game_ends_like_the_one_that_was_not_interrupted():
    whole = dealt(3)
    while not isinstance(whole.settle(), Over):
        whole.ask(First())
    part = dealt(3)
    for _ in range(5):
        part.ask(First())
        part.settle()
    again = Referee.resume(GAME, read(write(Record((part.record(),)))).games[0], seeded(3))
    assert again.record() == part.record()
    while not isinstance(again.settle(), Over):
        again.ask(First())
    assert again.record() == whole.record()


def test_in_a_series_the_starting_seat_rotates_and_scores_add_up():
    series = Series(GAME, GAME.agree(3, first=1), 3, lambda number: seeded(f"a/{number}"))
    outcomes = [play_out(series.referee, ["random"] * 3)]
    for _ in range(2):
        assert not series.over
        outcomes.append(play_out(series.begin(), ["random"] * 3))
    assert series.over
    assert [referee.setup.first for referee in series.referees] == [1, 2, 0]
    assert series.totals() == tuple(map(sum, zip(*(over.outcome.scores for over in outcomes), strict=True)))
    assert series.record().total == series.totals()
    assert min(series.ranks()) == 1
    text = write(series.record())
    assert write(Series.resume(GAME, read(text), lambda _: seeded(0)).record()) == text


def test_greedy_beats_random():
    won = 0
    for seed in range(60):
        referee = dealt(seed)
        won += play_out(referee, ["greedy", "random"], seed).outcome.ranks[0] == 1
    assert won > 45


def test_an_unknown_player_is_refused_by_name():
    with pytest.raises(players.UnknownPlayer, match="“karl”. There are: level:1, .*, random, greedy, "):
        players.make("karl", GAME, 0)


def test_a_clock_counts_down_and_never_below_zero():
    assert Clock().left() == float("inf")
    assert Clock(0.0).left() == 0.0


def by_hand(state, depth: int, drawn: int, source) -> int:
    """Counts the sequences of decisions one by one."""
    pending = GAME.pending(state)
    if isinstance(pending, Chance):
        single = len(pending.actions) == 1
        place = 0 if single else source.pick(drawn, pending.weights)
        return by_hand(GAME.apply(state, pending.actions[place]), depth, drawn + (not single), source)
    if depth == 0 or isinstance(pending, Over):
        return 1
    return sum(by_hand(GAME.apply(state, action), depth - 1, drawn, source) for action in pending.actions)


@pytest.mark.parametrize("depth", range(6))
def test_perft_equals_counting_one_by_one(depth):
    state, source = GAME.initial(GAME.agree(2)), seeded(5)
    assert perft(GAME, state, depth, source) == by_hand(state, depth, 0, source)
    if depth:
        assert sum(count for _, count in divide(GAME, state, depth, source)) == perft(GAME, state, depth, source)
