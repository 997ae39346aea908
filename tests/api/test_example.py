"""The example that the public API was designed by works as written, for every game."""

from __future__ import annotations

import pytest

import spieltisch

EXAMPLE = """
import spieltisch

match = spieltisch.match("rondo", players=3, seed=1)     # or spieltisch.game("rondo") for the bare rules
print(match)                                             # the board as the terminal draws it; repr says name, ply, who is to move
match.legal                                              # actions; str(action) is its notation
match.push("I4:B"); match.pop()
match.view(seat=1)                                       # what that seat may know
match.svg()                                              # a picture; in a notebook the match shows itself
match.play("level:3", "level:5", MyBot())                # to the end
match.save("evening.game"); spieltisch.load("evening.game")
"""  # its last line, `analyse`, is left out until there is analysis
MOVE = "I4:B"  # as an example of notation: I4 is not next to the centre, where a first chain starts (R6)


class MyBot:
    """Takes the last choice."""

    def choose(self, seen, clock):
        return seen.choices[-1]


def test_the_move_in_the_example_is_read_but_rule_6_refuses_it_as_a_first_move():
    match = spieltisch.match("rondo", players=3, seed=1)
    match.game.read(match.state, MOVE)
    with pytest.raises(spieltisch.IllegalAction) as refused:
        match.push(MOVE)
    assert refused.value.rule == "R6"


@pytest.mark.parametrize("name", spieltisch.games())
def test_the_example_works_as_written(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    first = spieltisch.match(name, players=3, seed=1)
    code = EXAMPLE.replace("rondo", name).replace(MOVE, first.legal[0])
    assert code.count(first.legal[0]) >= 1
    names = {"MyBot": MyBot}
    exec(compile(code, "the example", "exec"), names)  # noqa: S102 - as a reader would run it
    assert capsys.readouterr().out == f"{first}\n"
    match = names["match"]
    assert repr(first) == f"<Match {name}: 3 players, ply 0, seat 0 to move>"
    assert match.over
    assert match.names == ("level:3", "level:5", "MyBot")
    assert spieltisch.load("evening.game") == match
    assert first.game is spieltisch.game(name)
    assert [str(move) for move in first.legal] == list(first.legal)
    assert first.view(seat=1) != first.view(seat=0) or not first.game.hides
    assert first._repr_svg_() == first.svg()
