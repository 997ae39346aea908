"""The command `spieltisch solve`."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

import click

from spieltisch import registry
from spieltisch.cli.terminal import (
    CommandRefused,
    detect_style,
    exit_on_refusal,
    language_option,
    read_record,
    say,
)
from spieltisch.core.game import AnyGame, Chance, Decision, Outcome, Over, Refusal
from spieltisch.core.player import Clock
from spieltisch.gameplay.transcript import seat_names
from spieltisch.i18n.format import decimal, format_message
from spieltisch.i18n.message import Audience, Message
from spieltisch.players.solve import NODES, Solution, find_hints, solve
from spieltisch.records import BadRecord, GameRecord
from spieltisch.records.replay import replay


class NotSolved(Refusal):
    """The search ran out of nodes or time."""

    code: ClassVar[str] = "not-solved"


class _Position(NamedTuple):
    """A position of a record, and the number of actions before it."""

    game: AnyGame
    state: Any
    at: int


@click.command(epilog="Example: spieltisch solve evening.game --at 90 --seconds 20")
@click.argument("file")
@click.option("--at", "--ply", type=click.IntRange(0), show_default="the last", help="Solve the position after this many actions, counted like `show --at`.")  # fmt: skip
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Number of the game in a match, from 1.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1), default=NODES, show_default=True, help="Maximum number of positions to search.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Maximum time to search.")
@click.option("--best", is_flag=True, help="Solve for the best line only, not for every choice; faster.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@language_option
def command(
    file: str,
    at: int | None,
    number: int,
    nodes: int,
    seconds: float | None,
    best: bool,
    as_json: bool,
    language: str,
) -> None:
    """Solve the endgame of a recorded game: how it ends if everybody plays perfectly.

    All players are assumed to know everything, including what is hidden. Positions with chance still to come cannot be
    solved.
    """
    record = read_record(file, language)
    with exit_on_refusal(language):
        if number > len(record.games):
            raise Refusal(say("show.no_game", games=len(record.games)))
        one = record.games[number - 1]
        try:
            position = _position(one, at)
        except BadRecord as error:
            raise CommandRefused(error, language, f"{file}:{error.line}") from None
        began = time.monotonic()
        solved = _solve(position, nodes, seconds, language, every=not best)
    took = time.monotonic() - began
    if as_json:
        click.echo(json.dumps(_as_json(position, solved, took), ensure_ascii=False))
        return
    _print_solution(position, solved, _names(one, language), language)
    click.echo(
        format_message(say("solve.count", nodes=solved.nodes, seconds=decimal(language, took, 1)), language), err=True
    )


def _names(one: GameRecord, language: str) -> list[str]:
    """The players' names; all are called by their seats' numbers if two have the same name."""
    names = seat_names(one.players, language, dict(one.names))
    return names if len(set(names)) == len(names) else seat_names(one.players, language)


def _position(one: GameRecord, at: int | None) -> _Position:
    """The position after that many actions and any forced outcomes, with the quick judge from there on."""
    game = registry.find(one.game)
    past = replay(game, one)
    game, at = game.for_simulation, len(past.steps) if at is None else min(at, len(past.steps))
    state = past.steps[at].before if at < len(past.steps) else past.state
    while isinstance(pending := game.pending(state), Chance) and len(pending.actions) == 1:
        state = game.apply(state, pending.actions[0])
    return _Position(game, state, at)


def _solve(position: _Position, nodes: int, seconds: float | None, language: str, *, every: bool) -> Solution:
    """Solves the position; refuses if the game is over or the search runs out."""
    game, state, _ = position
    if isinstance(game.pending(state), Over):
        raise Refusal(say("turn.over"))
    clock = Clock(None if seconds is None else time.monotonic() + seconds)
    key, order, bounds = find_hints(game)
    with _progress(game.title, nodes) as watch:
        solved = solve(
            game, state, nodes, key=key, order=order, bounds=bounds, clock=clock, all_actions=every, progress=watch
        )
    if solved is not None:
        return solved
    if seconds is not None and clock.left() <= 0:
        raise NotSolved(say("solve.seconds", seconds=decimal(language, seconds, 1)))
    raise NotSolved(say("solve.nodes", nodes=nodes))


@contextlib.contextmanager
def _progress(label: str, nodes: int) -> Iterator[Callable[[int], None] | None]:
    """A callback for a progress bar of searched positions; None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=nodes)
        yield lambda done: bar.update(task, completed=done)


def _print_solution(position: _Position, solved: Solution, names: Sequence[str], language: str) -> None:
    """Prints how the game ends, the best line, and what each choice leads to."""
    style, audience = detect_style(language), Audience(names)
    played = _write_line(position, solved.line)
    chooses = next(seat for seat, _ in played if seat is not None)
    click.echo(style.format(say("solve.position", actions=position.at, name=names[chooses])))
    seats = zip(names, solved.outcome.scores, strict=True)
    points = tuple(say("solve.points", name=name, points=score) for name, score in seats)
    click.echo(style.format(say("solve.end", points=points)))
    click.echo(style.bold(style.format(_winners(solved.outcome, audience))))
    turns = [
        f"{'*' if seat is None else names[seat]} {' '.join(text for _, text in moves)}"
        for seat, moves in groupby(played, key=lambda move: move[0])
    ]
    click.echo(style.wrap(style.format(say("solve.line", line=" · ".join(turns)))))
    if solved.choices:
        click.echo(style.format(say("solve.choices")))
    texts = [position.game.write(position.state, variation.action) for variation in solved.choices]
    width = max(map(len, texts), default=0)
    for text, variation in zip(texts, solved.choices, strict=True):
        scores = " ".join(f"{score:>3}" for score in variation.outcome.scores)
        click.echo(f"  {text:<{width}}  {scores}  {style.format(_winners(variation.outcome, audience))}")


def _winners(outcome: Outcome, audience: Audience) -> Message:
    return audience.together(say, "wins", [seat for seat, rank in enumerate(outcome.ranks) if rank == 1])


def _write_line(position: _Position, line: Sequence[Any]) -> list[tuple[int | None, str]]:
    """The actions of a line in notation, each with its seat; None is chance."""
    game, state, _ = position
    played: list[tuple[int | None, str]] = []
    for action in line:
        pending = game.pending(state)
        played.append((int(pending.seat) if isinstance(pending, Decision) else None, game.write(state, action)))
        state = game.apply(state, action)
    return played


def _as_json(position: _Position, solved: Solution, took: float) -> dict[str, Any]:
    def ended(outcome: Outcome, line: Sequence[Any]) -> dict[str, Any]:
        moves = [{"seat": seat, "action": text} for seat, text in _write_line(position, line)]
        return {**outcome._asdict(), "line": moves}

    return {
        "game": position.game.name,
        "at": position.at,
        **ended(solved.outcome, solved.line),
        "choices": [
            {
                "action": position.game.write(position.state, variation.action),
                **ended(variation.outcome, variation.line),
            }
            for variation in solved.choices
        ],
        "nodes": solved.nodes,
        "seconds": round(took, 3),
    }
