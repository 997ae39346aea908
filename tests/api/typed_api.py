"""What type checkers see of the public API: mypy and pyright check these assertions, and the suite runs them.

A game that is found by its name has types that only the game knows, so its states, actions and views are `Any`. If the
game itself is given, they are exact.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, assert_type

import spieltisch
from spieltisch.core.game import AnyGame, Pending
from spieltisch.core.player import Scale
from spieltisch.core.twin import AnyTwin
from spieltisch.gameplay.progress import Progress
from spieltisch.games.template import GAME, Template
from spieltisch.games.template.state import Action, State
from spieltisch.games.template.view import View
from spieltisch.players.evaluation import ChoiceEvaluation


class First:
    """Takes the first choice."""

    def choose(self, seen: spieltisch.Seen[Action, View], clock: spieltisch.Clock) -> Action:
        assert_type(seen.view, View)
        assert_type(clock.left(), float)
        return seen.choices[0]


def check_functions() -> None:
    name = "template"
    assert_type(spieltisch.games(), tuple[str, ...])
    assert_type(spieltisch.bots(name), tuple[str, ...])
    assert_type(spieltisch.game(name), AnyGame)
    assert_type(spieltisch.game(GAME), Template)
    assert_type(spieltisch.match(name), spieltisch.Match[Any, Any, Any])
    assert_type(spieltisch.match(GAME, 2, seed=1), spieltisch.Match[State, Action, View])


def check_a_match_by_name(match: spieltisch.Match, folder: Path) -> None:
    assert_type(match, spieltisch.Match[Any, Any, Any])  # `Match` alone is enough, also under mypy's strict mode
    assert_type(match.game, AnyGame)
    assert_type(match.setup, spieltisch.Setup)
    assert_type(match.players, int)
    assert_type(match.names, tuple[str, ...])
    assert_type(match.turn, int | None)
    assert_type(match.ply, int)
    assert_type(match.over, bool)
    assert_type(match.legal, tuple[spieltisch.Move[Any], ...])
    assert_type(match.legal[0].seat, int | None)
    assert_type(str(match.legal[0]), str)
    assert_type(match.push(match.legal[0]), None)
    assert_type(match.pop(), spieltisch.Move[Any])
    assert_type(match.explain(match.legal[0]), str)
    assert_type(match.play("random", plies=2), spieltisch.Outcome | None)
    assert_type(match.at(1), spieltisch.Match[Any, Any, Any])
    assert_type(match.copy(), spieltisch.Match[Any, Any, Any])
    assert_type(match.board(), str)
    assert_type(match.describe(), str)
    assert_type(match.story(), list[str])
    assert_type(match.svg(), str)
    assert_type(match.film(), str)
    assert_type(match.record(), spieltisch.GameRecord)
    assert_type(match.save(folder / "evening.game"), None)
    assert_type(spieltisch.load(folder / "evening.game"), spieltisch.Match[Any, Any, Any])
    assert_type(spieltisch.load(match.record(), seed=1), spieltisch.Match[Any, Any, Any])
    path: str | os.PathLike[str] = str(folder / "evening.game")
    assert_type(spieltisch.load(path, game=1), spieltisch.Match[Any, Any, Any])
    assert_type(match.outcome, spieltisch.Outcome | None)
    assert_type(match.winners, tuple[int, ...])


def check_a_match_of_a_game(match: spieltisch.Match[State, Action, View]) -> None:
    assert_type(match.game, spieltisch.Game[State, Action, View])
    assert_type(match.state, State)
    assert_type(match.view(), View)
    assert_type(match.view(seat=1), View)
    assert_type(match.pending, Pending[Action])
    assert_type(match.progress, Progress[State, Action, View])
    assert_type(match.legal, tuple[spieltisch.Move[Action], ...])
    move = match.legal[0]
    assert_type(move, spieltisch.Move[Action])
    assert_type(move.action, Action)
    assert_type(move.seat, int | None)
    match.push(move.action)
    assert_type(match.pop(), spieltisch.Move[Action])
    assert_type(match.moves, tuple[spieltisch.Move[Action], ...])
    for played in match:
        assert_type(played, spieltisch.Move[Action])
    assert_type(match.play(First, plies=1), spieltisch.Outcome | None)
    assert_type(match.play(First(), "random", plies=1), spieltisch.Outcome | None)
    if isinstance(match.pending, spieltisch.Decision):
        assert_type(match.pending.seat, spieltisch.Seat)
    outcome = match.play("random")
    if outcome is not None:
        assert_type(outcome.scores, tuple[int, ...])
        assert_type(outcome.ranks, tuple[int, ...])
        assert_type(outcome.ending, str)


def check_evaluations(match: spieltisch.Match) -> None:
    evaluation = spieltisch.evaluate(match, "level:1", seed=1)
    assert_type(evaluation, spieltisch.Evaluation)
    assert_type(evaluation.seat, spieltisch.Seat)
    assert_type(evaluation.scale, Scale)
    assert_type(evaluation.choices, tuple[ChoiceEvaluation, ...])
    assert_type(evaluation.best.notation, str)
    assert_type(evaluation.best.values, tuple[float, ...])
    assert_type(evaluation.best.visits, int | None)


def check_errors(match: spieltisch.Match) -> None:
    try:
        match.push("nonsense")
    except spieltisch.Refusal as error:
        assert_type(error.rule, str | None)
        assert_type(error.code, str)
    options: Mapping[str, object] = {"piles": "closed"}
    try:
        spieltisch.match("template", options=options)
    except spieltisch.BadSetup as error:
        assert_type(error.field, str | None)
    try:
        assert_type(spieltisch.twin("template"), AnyTwin)
    except (spieltisch.NoTwin, spieltisch.MissingExtra) as error:
        assert_type(str(error), str)
    try:
        spieltisch.load("format spieltisch 1\n")
    except spieltisch.BadRecord as error:
        assert_type(error.line, int)


def check_all(folder: Path) -> None:
    """Runs everything, since what is asserted must also be true."""
    check_functions()
    check_a_match_by_name(spieltisch.match("template", players=2, seed=1), folder)
    check_a_match_of_a_game(spieltisch.match(GAME, players=2, seed=1))
    check_evaluations(spieltisch.match("template", players=2, seed=1))
    check_errors(spieltisch.match("template", players=2, seed=1))
