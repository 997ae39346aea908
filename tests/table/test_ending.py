"""The end of a match: what a resignation means, standings, and who may see a finished match."""

from __future__ import annotations

from spieltisch.table.errors import NotFound, NotNow, NotYours
from spieltisch.table.state import Status
from tests.table.tables import (
    ADA,
    BEN,
    BOT,
    CLEO,
    DAN,
    CheckedTable,
    commands,
    join,
    keyed,
    next_game,
    person,
    resign,
    three_people,
)

share = keyed(commands.Share)


def test_the_match_that_a_resignation_ends_says_who_gave_up_and_who_wins():
    table = three_people()
    table.do(BEN, resign(1))
    assert table.look(ADA).table.ended is None
    table.do(CLEO, resign(2))
    assert table.look(ADA).table.ended == "Cleo resigned. You win."
    assert table.look(CLEO).table.ended == "You resigned. Ada wins."
    assert table.look(BEN).table.ended == "Cleo resigned. Ada wins."
    assert [event.words for event in table.look(ADA).events][-3:] == ["Ben resigns.", "Cleo resigns.", "You win."]


def test_bots_win_together_against_the_only_person_who_gives_up():
    table = CheckedTable(person("Ada"), BOT, BOT)
    table.do(ADA, resign(0))
    one, other = (seat.name for seat in table.live.seats[1:])
    assert table.look(ADA).table.ended == f"You resigned. {one} and {other} win."


def test_a_finished_game_has_a_headline_and_the_match_its_standings():
    table = CheckedTable(person("Ada"), BOT)
    table.play_on(lambda state: state.status is Status.PAUSED)
    seen = table.look(ADA)
    assert seen.position is not None
    assert (seen.position.headline or "").endswith(("points.", "point.", "victory.", "win.", "wins."))
    assert (len(seen.table.scores), seen.table.result) == (1, None)
    table.do(ADA, next_game())
    table.play_on(lambda state: state.status is Status.OVER)
    seen = table.look(ADA)
    assert [sum(game) for game in zip(*seen.table.scores, strict=True)] == seen.table.totals
    assert "match" in (seen.table.result or "")


def test_several_people_at_one_device_are_called_by_their_names():
    table = CheckedTable(person("Ada"), person("Eva"), games=1)
    table.play_on(lambda state: state.status is Status.OVER)
    seen = table.look(ADA)
    assert seen.position is not None
    assert "You" not in (seen.position.headline or "")


def finished() -> CheckedTable:
    table = three_people()
    table.do(BEN, resign(1))
    table.do(CLEO, resign(2))
    return table


def test_a_finished_match_is_seen_by_strangers_only_while_it_is_shared():
    table = finished()
    assert not table.live.may_watch(DAN)
    assert not table.live.may_watch(None)
    table.do(BEN, share(1, True))
    assert table.live.may_watch(DAN)
    assert table.live.may_watch(None)
    assert table.look(ADA).table.shared
    assert table.look(DAN).table.code is None
    assert table.look(ADA).events[-1].words == "Ben shares this game: anyone with the link can see it."
    table.do(ADA, share(0, False))
    assert not table.live.may_watch(DAN)
    assert table.look(BEN).events[-1].words == "Ada closes the link to this game."


def test_sharing_twice_changes_nothing():
    table = finished()
    for _ in range(2):
        table.do(ADA, share(0, True))
    assert sum("shares this game" in event.words or "share this game" in event.words for event in table.look(BEN).events) == 1  # fmt: skip


def test_a_match_is_shared_by_its_players_and_only_after_its_end():
    table = three_people()
    assert table.refused(ADA, share(0, True), NotNow).message.key == "table.not_now"
    table = finished()
    table.refused(DAN, share(0, True), NotFound)
    table.refused(ADA, share(1, True), NotYours)
    table.do(ADA, share(0, True))
    table.refused(DAN, share(0, False), NotYours)
    table.refused(DAN, join(None, "Dan", "", None), NotNow)
