"""How Turmbauer ends, what must hold, and what is no notation."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise, product
from random import Random

import pytest

from spieltisch.core.game import BadNotation, Decision, IllegalAction
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.series import Series
from spieltisch.gameplay.verify import verify
from spieltisch.games.turmbauer import GAME, Turmbauer
from spieltisch.games.turmbauer.building.cells import height, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.state import STANDS, Move, Phase
from spieltisch.games.turmbauer.tests.positions import (
    COURTYARD,
    FOR_REPLAY,
    choices,
    cubes,
    moving,
    new,
    outcome,
    placing,
    play,
    position,
    random_states,
    refused,
    side,
)
from spieltisch.records import BadRecord, read, write

# R20 to R22: the end

HEIGHTS = "B 1n@0,0,1 | B 2d@1,1,1;1,1,2 | G 1c@1,0,1"  # natural 2, blue 3, green 2, natural 1


def ended(stones="", pawns="", **more):
    """The outcome when the last player of the last round stays where they are."""
    players = more.setdefault("players", 3)
    last = "RBGK"[-1 if players != 3 else 2]
    return outcome(play(moving(stones, pawns, colour=last, in_round=12, **more), "."))


@pytest.mark.parametrize(("players", "turns"), [(2, 48), (3, 36), (4, 48)])
def test_r20_every_turn_uses_up_one_stone_so_there_are_twelve_rounds(players, turns):
    states = list(random_states(new(players), players))
    assert sum(state.phase is Phase.ROLL for state in states) == turns
    assert all(not each.stock for each in GAME.observe(states[-1], None).sides)
    assert outcome(states[-1]).ending == "built"
    assert len(states) <= GAME.bound(states[0].setup)
    for before, after in pairwise(states):
        left = [sum(map(sum, state.stocks)) for state in (before, after)]
        assert left[0] - left[1] == (after.phase is Phase.MOVE)


def test_r20_the_last_turn_of_the_last_round_ends_the_game():
    assert play(moving(colour="B", in_round=12), ".").phase is Phase.ROLL
    assert play(moving(colour="G", in_round=12), ".").phase is Phase.OVER
    assert play(moving(colour="G", in_round=11), ".").phase is Phase.ROLL
    assert play(moving(colour="R", in_round=12, first=1), ".").phase is Phase.OVER
    assert GAME.observe(play(moving(colour="G", in_round=12), "."), None).colour == "G"


def test_r20_the_highest_pawn_wins():
    assert ended(HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1")[:2] == ((2, 3, 1), (2, 1, 3))
    assert ended(HEIGHTS, "K:0,1,1", players=4)[:2] == ((0, 0, 0, 1), (2, 2, 2, 1))
    high = ended(HEIGHTS, "R:0,0,2 B:1,1,3", boxes={"B": "6r 6s 5c"}, rings="B:0")
    assert high.ranks == (2, 1, 3)


def test_r20_a_tie_goes_to_fewer_cubes_in_the_box():
    assert ended(boxes={"R": "6r", "G": "2d 3i", "B": "6r 1c"})[:2] == ((0, 0, 0), (2, 3, 1))
    assert ended(boxes={"R": "6r", "G": "2d 3i", "B": "6r"}, rings="G:0").ranks == (2, 2, 1)


def test_r20_then_to_more_rings_and_then_it_is_shared():
    assert ended(boxes={"R": "6r", "B": "3i 3v", "G": "6s"}, rings="R:1 B:2 G:0").ranks == (2, 1, 3)
    assert ended(boxes={"R": "6r", "B": "3i 3v"}, rings="R:1 B:1 G:0").ranks == (2, 2, 1)
    assert ended().ranks == (1, 1, 1)
    assert ended(players=4, pawns="R:0,0,1 G:1,0,1").ranks == (1, 3, 1, 3)


def test_r20_red_boxed_a_six_and_green_a_two_and_a_three_so_green_wins():
    """The sheet's example, played from the first roll to the last; blue boxed more than either."""
    boxed = {"R": ["6r"], "B": ["6r", "5c"], "G": ["2d", "3i"]}
    state, order = new(), {}
    for colour, last in boxed.items():
        built = list(side(state, colour).stock)
        for kind in last:
            built.remove(kind)
        order[colour] = built + last
    for number in range(36):
        colour = "RBG"[number % 3]
        kind = order[colour].pop(0)
        if kind in boxed[colour] and len(order[colour]) < len(boxed[colour]):
            state = play(state, "1+4", f"box {kind}", ".")
        else:
            state = play(state, "6+6", kind, "*", "stands", ".")
        assert cubes(state) == 126
    assert [side(state, colour).box for colour in "RBG"] == [("6r",), ("5c", "6r"), ("2d", "3i")]
    assert outcome(state) == ((0, 0, 0), (2, 3, 1), "built")


def test_r20_after_the_end_nothing_happens():
    state = play(moving(colour="G", in_round=12), ".")
    for text in ("1+1", "2d", "box 2d", "@0,0,1", "~N", "stands", ".", ">0,0,1"):
        assert refused(state, text, "the game is over") == "R20"


TALL = (
    "B 4i@0,0,1;0,0,2;0,0,3;0,0,4 | K 4i@0,0,5;0,0,6;0,0,7;0,0,8 | R 4i@0,0,9;0,0,10;0,0,11;0,0,12 | "
    "G 4i@1,1,1;1,1,2;1,1,3;1,1,4 | G 2d@1,1,5;1,1,6 | B 1n@1,1,7"
)


def test_r21_with_two_players_floors_13_and_8_make_21():
    result = ended(TALL, "R:0,0,13 G:1,1,8 B:1,0,1", players=2)
    assert (result.scores, result.ranks) == ((21, 1), (1, 2))
    assert ended(TALL, "R:0,0,13 G:1,1,8 B:1,0,1", players=4).scores == (13, 1, 8, 0)


def test_r21_boxed_cubes_and_rings_add_up_too():
    assert ended(boxes={"R": "3i", "G": "3v", "B": "5c"}, players=2).ranks == (2, 1)
    assert ended(boxes={"R": "3i", "G": "3v", "B": "5c", "K": "1n"}, rings="R:0 B:1", players=2).ranks == (2, 1)
    assert ended(boxes={"R": "3i", "B": "3v"}, rings="R:0 B:1 K:1", players=2) == ((0, 0), (1, 1), "built")


def collapse(stones="", pawns="", **more):
    """The outcome after three stones fell, built upon by the colour to play."""
    return outcome(play(placing("2d", stones, pawns, **more), "*", "fall 3"))


def test_r22_a_collapse_ends_the_game_at_once_and_its_causer_is_last():
    state = play(placing("1n", HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1", colour="B"), "*", "fall 3")
    assert outcome(state) == ((2, 3, 1), (1, 3, 2), "collapse")
    assert GAME.observe(state, None).fallen == 3
    assert GAME.observe(state, None).colour == "B"
    assert collapse(HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1", colour="G").ranks == (2, 1, 3)
    assert collapse(HEIGHTS, "R:0,0,2", colour="R").ranks[0] == 3


def test_r22_a_tie_goes_to_fewer_cubes_in_stock_and_box_together():
    """Blue has built 3 cubes, green 1: boxing does not help."""
    assert collapse(HEIGHTS).ranks == (3, 1, 2)
    assert collapse(HEIGHTS, boxes={"B": "6r 6s 5c 5p", "G": "1n"}).ranks == (3, 1, 2)


def test_r22_then_to_more_rings_and_then_it_is_shared():
    even = "B 2d@0,0,1;0,0,2 | G 2d@1,1,1;1,1,2"
    assert collapse(even, rings="B:1").ranks == (3, 2, 1)
    assert collapse(even).ranks == (3, 1, 1)
    four = f"{even} | K 2d@0,1,1;0,1,2"
    assert collapse(four, players=4).ranks == (4, 1, 1, 1)
    assert collapse(four, "G:1,0,1", players=4).ranks == (4, 2, 1, 2)


def test_r22_with_two_players_the_other_one_wins():
    assert collapse(TALL, "R:0,0,13 G:1,1,8", players=2, colour="G") == ((21, 0), (2, 1), "collapse")
    assert collapse(TALL, "R:0,0,13 G:1,1,8", players=2, colour="B") == ((21, 0), (1, 2), "collapse")


def test_r22_heights_are_those_before_this_turn_and_the_tower_is_kept():
    state = placing("1n", HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1")
    after = play(state, "*", "fall 4")
    assert (after.tower, after.pawns, after.stocks) == (state.tower, state.pawns, state.stocks)
    assert outcome(after).scores == (2, 3, 1)


def test_r22_in_a_match_the_game_of_whoever_made_the_tower_collapse_counts_nothing():
    """The tower falls as its ninth stone is built, so in the third round of three players its last player loses."""
    falling = Turmbauer(lambda tower, _: (3,) if len(tower) == 9 else (STANDS,))
    series = Series(falling, falling.agree(3, options={"hand": "calm"}), 2, lambda number: seeded(f"fall/{number}"))
    for number in range(2):
        referee = series.referee if number == 0 else series.begin()
        while isinstance(pending := referee.settle(), Decision):
            climbs = [action for action in pending.actions if isinstance(action, Move)]
            referee.play(pending.seat, [max(climbs, key=lambda move: height(move.field), default=pending.actions[0])])
    heights = [GAME.observe(referee.state, None).outcome.scores for referee in series.referees]
    assert min(heights[0][2], heights[1][0]) > 0, "the causers have climbed"
    assert series.totals() == (heights[0][0], sum(game[1] for game in heights), heights[1][2])
    assert verify(read(write(series.record()))).finished
    older = replace(series.record(), total=tuple(map(sum, zip(*heights, strict=True))))
    assert verify(read(write(older))).finished, "a record that was written before adds up the heights"
    wrong = replace(series.record(), total=(0, 0, 0))
    with pytest.raises(BadRecord, match="total"):
        verify(read(write(wrong)))


def test_r22_after_a_collapse_nothing_happens():
    state = play(placing("1n", HEIGHTS), "*", "fall 3")
    for text in ("1+1", "2d", "box 2d", "@0,0,1", "~N", "fall 3", ".", ">0,0,1"):
        assert refused(state, text, "collapsed") == "R22"


# Checks that must hold


@pytest.mark.parametrize(("players", "all_cubes"), [(2, 168), (3, 126), (4, 168)])
def test_no_cube_is_ever_lost(players, all_cubes):
    for state in random_states(new(players, first=1, hand="steady"), f"cubes {players}"):
        assert cubes(state) == all_cubes
        if state.phase is Phase.MOVE:
            for each in GAME.observe(state, None).sides:
                lying = sum(int(kind[0]) for kind in each.stock + each.box)
                built = sum(len(s.cells) for s in GAME.observe(state, None).tower if s.colour == each.colour)
                assert lying + built == 42


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_offered_is_allowed_and_nothing_else_is(players):
    dice = Random(players)
    states = [
        state for state in random_states(new(players), f"both {players}") if state.phase in (Phase.PLACE, Phase.MOVE)
    ]
    for state in states[10::15]:
        texts = {GAME.write(state, GAME.read(state, text)) for text in dice.sample(everything(state), 60)}
        assert {text for text in texts if allowed(state, text)} == texts & set(choices(state))


def allowed(state, text):
    try:
        play(state, text)
    except IllegalAction:
        return False
    return True


def everything(state):
    """Every place of the stone in hand around the tower, or every field with every ring."""
    there = [(x_of(each), y_of(each), z_of(each)) for each in terrain_of(state.tower).cubes]
    if state.phase is Phase.MOVE:
        fields = ["table", *(f"{x},{y},{z + up}" for x, y, z in there for up in (1, 2))]
        return [f"{ring}>{field}" for ring in ("", "b", "c") for field in fields]
    xs, ys, zs = (range(min(axis) - 3, max(axis) + 3) for axis in zip(*there, strict=True))
    orientations = sorted({each.offsets for each in state.stones.kinds[state.chosen].orientations})
    return [
        "@" + ";".join(f"{x + dx},{y + dy},{z + dz}" for dx, dy, dz in offsets)
        for offsets, x, y, z in product(orientations, xs, ys, zs)
    ]


# Notation


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "4L", "a", "4", "b4l", "box", "box  4l", "box a4l", "４l", "..", "pass"),
        *("@", "@0,0", "@0,0,1;", "@0;0;1", "@00,0,1", "@-0,0,1", "@+1,0,1", "@0, 0, 1", "@0,0,1 ", "@0,0,1000"),
        "@0,0,1;1,0,1;2,0,1;3,0,1;4,0,1;5,0,1;6,0,1",
        *(">", ">Table", "> table", ">0,0", ">0,0,0", ">0,0,-1", "a>0,0,1", "d>0,0,1", "bc>0,0,1"),
        *("3+7", "0+1", "3+", "11", "3+５", "~X", "~n", "~NE"),
        *("fall", "fall 0", "fall -1", "fall 1.", "falls 1", "stand", "Stands"),
    ],
)
def test_what_is_no_notation_is_refused(text):
    with pytest.raises(BadNotation, match="is not a move"):
        GAME.read(position(), text)


@pytest.mark.parametrize("text", ["@1２,0,1", ">0,0,1２", "fall 1２"])
def test_digits_of_other_scripts_are_no_notation(text):
    with pytest.raises(BadNotation):
        GAME.read(position(), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4x", "no stone called “4x”"),
        ("a6z", "no stone called “6z”"),
        ("box 1a", "no stone called “1a”"),
        ("@0,0,1;0,0,1", "“@0,0,1;0,0,1” names a cell twice"),
        ("@100,0,1", "“@100,0,1” lies beyond the table"),
        ("@0,-100,1", "“@0,-100,1” lies beyond the table"),
        ("@0,0,200", "“@0,0,200” lies beyond the table"),
        ("b>0,100,3", "“b>0,100,3” lies beyond the table"),
    ],
)
def test_what_names_nothing_is_refused_with_the_reason(text, reason):
    with pytest.raises(BadNotation, match=reason):
        GAME.read(position(), text)


def test_dice_and_cells_may_be_given_in_any_order_and_are_written_in_one():
    assert play(position(), "5+3").roll == (3, 5)
    state = placing("4l")
    given = GAME.read(state, "@1,0,1;1,0,2;2,0,1;3,0,1")
    assert GAME.write(state, given) == "@1,0,1;2,0,1;3,0,1;1,0,2"


def test_choices_of_places_are_sorted_by_floor_row_and_column():
    assert choices(placing("1c", COURTYARD)) == ["@2,-1,1", "@1,0,1", "@3,0,1", "@0,1,1", "@2,1,1"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_choice_is_read_as_it_is_written(players):
    for state in islice(random_states(new(players, hand="shaky"), f"words {players}"), 0, None, 5):
        if state.phase is not Phase.OVER:
            for action in FOR_REPLAY.pending(state).actions:
                assert GAME.read(state, GAME.write(state, action)) == action
