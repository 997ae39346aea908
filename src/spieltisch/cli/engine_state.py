"""States of the engine protocol: a tree of games that the caller explores, loads and imagines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.cli.engine_request import BadRequest
from spieltisch.core.decode import BadValue, from_json
from spieltisch.core.game import (
    AnyGame,
    Chance,
    Choice,
    Decision,
    Heard,
    Over,
    Pending,
    Seat,
    Setup,
    Viewer,
    brief,
)
from spieltisch.core.json import Json
from spieltisch.core.player import Seen
from spieltisch.gameplay.errors import NotPending
from spieltisch.i18n.message import message_factory
from spieltisch.records import BadRecord, Move, Record, begin, read, write
from spieltisch.records.replay import replay

_say = message_factory("")


class Known(NamedTuple):
    """What a viewer had witnessed before a state was imagined for it."""

    viewer: Viewer
    heard: Sequence[Heard]


class Node(NamedTuple):
    """A node of the game tree that the caller explores: a state, and the action that led to it from its parent."""

    game: AnyGame
    setup: Setup
    state: Any
    parent: Node | None = None
    seat: Seat | None = None
    action: Any = None
    known: Known | None = None  # at the root of imagined states

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        path: list[Node] = []
        at: Node | None = self
        while at is not None:
            path.append(at)
            at = at.parent
        path.reverse()
        return path

    def steps(self) -> Iterator[tuple[Any, Node]]:
        """Every step from the root, each with the state before it."""
        return ((step.parent.state, step) for step in self.path() if step.parent is not None)

    def heard(self, viewer: Viewer) -> list[Heard]:
        """What the viewer has witnessed; in an imagined game others have witnessed only what came after."""
        known = self.path()[0].known
        before = known.heard if known is not None and known.viewer == viewer else ()
        after = (Heard(step.seat, self.game.witness(state, step.action, viewer)) for state, step in self.steps())
        return [*before, *after]

    def apply(self, action: Any, game: AnyGame | None = None) -> Node:
        """The node after an action of the seat that decides, or of chance."""
        pending = self.game.pending(self.state)
        seat = pending.seat if isinstance(pending, Decision) else None
        after = (game or self.game).apply(self.state, action)
        return Node(self.game, self.setup, after, self, seat, action)

    def decision(self) -> tuple[Seat, Seen[Any, Any]]:
        """The seat that decides, and what it has seen; NotPending if nobody does."""
        pending = self.game.pending(self.state)
        if not isinstance(pending, Decision):
            raise NotPending(_say("turn.over" if isinstance(pending, Over) else "turn.chance"))
        view = self.game.observe(self.state, pending.seat)
        return pending.seat, Seen(view, pending.actions, self.heard(pending.seat))

    def record(self) -> str:
        """The text of the game so far; BadRequest for an imagined game, whose past is unknown."""
        if self.path()[0].known is not None:
            raise BadRequest(_say("request.imagined"))
        moves = [Move(step.seat, self.game.write(before, step.action)) for before, step in self.steps()]
        pending = self.game.pending(self.state)
        over = pending.outcome if isinstance(pending, Over) else None
        record = replace(
            begin(self.game, self.setup), entries=tuple(moves), result=over and over.scores, ending=over and over.ending
        )
        return write(Record((record,)))


def load(text: str, number: int | None) -> Node:
    """The end of a recorded game, the last of the record unless a number is given, from 0; BadRecord names the line."""
    try:
        games = read(text).games
        if number is not None and not 0 <= number < len(games):
            raise BadRequest(_say("request.number", last=len(games) - 1))
        record = games[-1 if number is None else number]
        game = registry.find(record.game)
        past = replay(game, record)
    except BadRecord as error:
        raise BadRecord(error.line, _say("request.record", line=error.line, reason=error.message), error.rule) from None
    node = Node(game, past.setup, game.initial(past.setup))
    for step in past.steps:
        node = node.apply(step.action, game.for_replay)
    return node


def imagine_node(node: Node, viewer: Viewer, seed: int) -> Node:
    """A random state that is consistent with what the viewer knows, as the root of a new game."""
    heard = node.heard(viewer)
    view = node.game.recall(node.game.observe(node.state, viewer), heard)
    state = node.game.imagine(view, Random(f"imagine {seed}"))
    return Node(node.game, node.setup, state, known=Known(viewer, heard))


def imagine_view(game: AnyGame, view: Json, heard: Json, seed: int) -> Node:
    """The same from a view and witnessed actions as a bot receives them; BadRequest names what does not fit."""
    try:
        decoded = from_json(registry.view_type(game), view, "view")
        witnessed: list[Heard] = from_json(list[Heard], heard, "heard")
    except BadValue as error:
        raise BadRequest(_say("request.kind", field=brief(error.place))) from None
    setup: Setup = decoded.setup
    if game.agree(setup.players, setup.edition, dict(setup.options), setup.first, setup.rules) != setup:
        raise BadRequest(_say("request.kind", field="view.setup"))
    if decoded.viewer is not None and not 0 <= decoded.viewer < setup.players:
        raise BadRequest(_say("request.viewer", last=setup.players - 1))
    try:
        state = game.imagine(game.recall(decoded, witnessed), Random(f"imagine {seed}"))
        pending = game.pending(state)
        seated = not isinstance(pending, Decision) or pending.seat in range(setup.players)
        consistent = seated and game.observe(state, decoded.viewer) == decoded
    except Exception:  # noqa: BLE001 - games rely on views of their own making
        consistent, state = False, None
    if not consistent:
        raise BadRequest(_say("request.view", title=game.title))
    return Node(game, setup, state, known=Known(decoded.viewer, witnessed))


def describe_game(game: AnyGame) -> Json:
    """A game with its settings."""
    options: dict[str, Json] = {
        option.name: {"type": "choice", "values": list(option.values), "default": option.default}
        if isinstance(option, Choice)
        else {"type": "document", "default": None}
        for option in game.options
    }
    return {
        "game": game.name,
        "title": game.title,
        "players": [game.players.start, game.players.stop - 1],
        "editions": [edition.name for edition in game.editions],
        "options": options,
        "rules": list(game.rules),
        "offered": game.offered,
    }


def describe_pending(game: AnyGame, state: Any) -> Json:
    """What is pending: a decision, a chance or the end."""
    pending: Pending[Any] = game.pending(state)
    match pending:
        case Decision(seat, actions):
            return {"kind": "decision", "seat": seat, "actions": [game.write(state, action) for action in actions]}
        case Chance(actions, weights):
            written: list[Json] = [game.write(state, action) for action in actions]
            return {"kind": "chance", "actions": written, "weights": list(weights)}
        case Over((scores, ranks, ending)):
            return {"kind": "over", "scores": list(scores), "ranks": list(ranks), "ending": ending}
