"""Another game with the same people: the rematch of a table, for a different game."""

from __future__ import annotations

import pytest

from spieltisch.core.game import AnyGame, BadSetup
from spieltisch.i18n.message import message_factory
from spieltisch.registry import UnknownGame
from spieltisch.table.commands import Context, SeatPlan, decide_rematch
from spieltisch.table.errors import NotNow
from spieltisch.table.state import Status, fold
from tests.table.tables import ADA, BOT, RANDOM, CheckedTable, person, rematch, resign


@pytest.mark.parametrize(("games", "following"), [(1, 1), (2, 3)])
def test_the_same_people_go_on_with_another_game_at_one_new_table(games, following):
    table = CheckedTable(person("Ada"), person("Ben"), BOT, games=games)
    for seat in (0, 1):
        table.do(ADA, resign(seat))
    table.refused(ADA, rematch("no such game"), UnknownGame)
    name = table.do(ADA, rematch("bigpoints"))["table"]
    assert table.do(ADA, rematch("rondo")) == {"table": name}
    look = table.look(ADA)
    assert (look.table.next, look.table.next_title) == (name, "Big Points")
    assert look.events[-1].words == "The same people continue with Big Points at a new table."
    again = fold((event, 0) for event in decide_rematch(table.live, Context(ADA, 0, RANDOM)))
    assert again is not None
    assert (again.opened.game, again.opened.players, again.opened.games, again.opened.first) == (
        "bigpoints", 3, following, 1,
    )  # fmt: skip
    assert [(seat.name, seat.reserved, seat.player) for seat in again.seats] == [
        ("Ada", True, None), ("Ben", True, None), ("Pip", False, "level:1"),
    ]  # fmt: skip


def test_a_game_that_is_not_for_so_many_people_is_refused():
    table = CheckedTable(person("Ada"), BOT, BOT, BOT, BOT, game="bigpoints", options={}, games=1)
    table.do(ADA, resign(0))
    table.refused(ADA, rematch("rondo"), BadSetup)
    assert table.do(ADA, rematch("bigpoints"))["table"]
    assert table.look(ADA).table.next_title is None


def test_a_bot_that_does_not_play_the_other_game_is_replaced():
    table = CheckedTable(person("Ada"), SeatPlan("bot", "Robby", "odd"), games=1)
    table.play_on(lambda state: state.status is Status.OVER)
    table.do(ADA, rematch("rondo"))

    def check(player: str, game: AnyGame) -> None:
        if player == "odd":
            raise NotNow(message_factory("")("table.longest"))

    again = fold((event, 0) for event in decide_rematch(table.live, Context(ADA, 0, RANDOM, check)))
    assert again is not None
    assert (again.seats[1].name, again.seats[1].player) == ("Robby", "level:3")
