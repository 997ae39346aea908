"""Turns of a table: the last event of a turn carries its line, and what is undone is no turn any more."""

from __future__ import annotations

from spieltisch.table import projection
from spieltisch.table.responses import EventView, TurnView
from tests.table.tables import ADA, BEN, CLEO, CheckedTable, answer, ask_undo, play_draft, three_people


def turns(events: list[EventView]) -> list[TurnView]:
    """The turns that were not undone, each as far as it is told."""
    found: dict[int, TurnView] = {}
    for event in events:
        if event.back is not None:
            found = {first: turn for first, turn in found.items() if first < event.back}
        if event.turn:
            found[event.turn.first] = event.turn
    return list(found.values())


def line(turn: TurnView) -> str:
    return "".join(part.text for part in turn.parts)


def after_two_turns() -> CheckedTable:
    table = three_people()
    table.play_on(lambda state: state.waiting().seat == 2)
    return table


def test_the_deal_is_one_line_and_every_turn_another():
    told = turns(after_two_turns().look(CLEO, 2).events)
    assert [turn.seat for turn in told] == [None, 0, 1]
    assert line(told[0]) == "Everything is set up."
    assert line(told[1]).startswith("Ada lays")
    assert all(turn.complete for turn in told)


def test_a_deal_is_told_once_with_its_last_draw():
    told = three_people().look(BEN, 1).events
    assert len([event for event in told if event.kind == "draw"]) > 1
    assert [event.number for event in told if event.turn] == [told[-1].number]


def test_an_unfinished_turn_is_told_so_far_and_again_when_it_goes_on():
    table = three_people()
    table.do(ADA, play_draft(0, table.live.version, table.choices()[:1]))
    first, seen = turns(table.look(BEN, 1).events)[-1], table.live.version
    table.until_turn_of(1)
    later = turns(table.look(BEN, 1, after=seen).events)
    assert not first.complete
    assert [(turn.first, turn.seat, turn.complete) for turn in later] == [(first.first, 0, True)]


def test_an_undo_names_the_first_event_that_it_took_back():
    table = three_people()
    start = table.live.version
    table.do(ADA, play_draft(0, table.live.version, table.choices()[:1]))
    table.do(ADA, ask_undo(0, table.live.version))
    table.do(BEN, answer(1, table.live.version, yes=True))
    table.do(CLEO, answer(2, table.live.version, yes=True))
    told = table.look(BEN, 1).events
    assert told[-1].kind == "undo"
    assert told[-1].back == start + 1
    assert [turn.seat for turn in turns(told)] == [None]


def test_events_carry_the_same_turns_however_they_are_paged(monkeypatch):
    table = after_two_turns()
    whole = table.look(CLEO, 2).events
    monkeypatch.setattr(projection, "PAGE", 1)
    pages = [event for after in range(table.live.version) for event in table.look(CLEO, 2, after=after).events]
    assert pages == whole
