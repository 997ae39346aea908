"""Selective search on a value net, for any number of seats: a beam over each turn, and max^n over the best turns.

A ply is a turn of one seat: all its actions until something else is pending, found by beam search and valued at its end
(or a single decision, if the lookahead has no beam). From ply to ply only the best turns are followed, and in each state
the seat to move takes the turn that is best for itself (max^n). All states of a ply are valued in one batch per seat.
Draws are sampled, so each search covers one possible course of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

from spieltisch.core.game import Chance, Decision, Sampler, Seat, Setup
from spieltisch.core.net import Lookahead
from spieltisch.nets.evaluator import Evaluator

POINT: Final = 0.0005  # share of the victory that one point of lead counts for, so that ties are broken sensibly
_LONGEST: Final = 16  # decisions of one turn; a longer one is valued before its end


@dataclass(slots=True)
class Node:
    """A state after a turn of the seat `mover`, with the value of every seat and the turns that may follow."""

    state: Any
    mover: Seat
    actions: tuple[Any, ...]  # of that turn
    shares: Sequence[float]  # of the victory, per seat
    points: Sequence[float]  # at the end, per seat
    children: list[Node] = field(default_factory=list)

    def worth(self, seat: int) -> float:
        """What the node is worth to a seat: its share of the victory, and its lead as a tie-break."""
        return self.shares[seat] + POINT * self.lead(seat)

    def lead(self, seat: int) -> float:
        """The seat's expected lead over the best other seat at the end."""
        return self.points[seat] - max(points for other, points in enumerate(self.points) if other != seat)

    def backed_up(self) -> Node:
        """The leaf that best play of all seats leads to, in the part of the tree that was searched."""
        if not self.children:
            return self
        seat = self.children[0].mover
        return max((child.backed_up() for child in self.children), key=lambda leaf: leaf.worth(seat))


class Search:
    """Searches the choices of a seat in determinizations: complete states that are consistent with what the seat knows."""

    def __init__(self, evaluator: Evaluator, lookahead: Lookahead, sampler: Sampler) -> None:
        self.evaluator, self.lookahead, self.sampler = evaluator, lookahead, sampler
        self.game = evaluator.game

    def choices(self, setup: Setup, worlds: Sequence[Any]) -> list[Node]:
        """For each choice of the seat to move the best turn that starts with it, with means over the worlds; the best first.

        Turns that were followed further come before those that were not. They are the same in all worlds, since a turn
        is valued by what its seat knows.
        """
        leaves: dict[tuple[Any, ...], list[Node]] = {}
        turns: list[Node] = []
        for world in worlds:
            (turns,) = self._expand(setup, [world])
            followed = nodes = turns[: self.lookahead.widths[0] if self.lookahead.widths else 1]
            for width in self.lookahead.widths[1:]:
                nodes = self._follow(setup, nodes, width)
            for turn in followed:
                leaves.setdefault(turn.actions, []).append(turn.backed_up())
        seat = turns[0].mover
        ranked = _best_first(_mean(seat, actions, some) for actions, some in leaves.items())
        best: dict[Any, Node] = {}
        for turn in [*ranked, *turns]:
            best.setdefault(turn.actions[0], turn)
        return list(best.values())

    def _follow(self, setup: Setup, nodes: Sequence[Node], width: int) -> list[Node]:
        """The nodes of the next ply: the best turns of the seat to move after each of the nodes."""
        states = [(node, self._settle(node.state)) for node in nodes]
        waiting = [(node, state) for node, state in states if isinstance(self.game.pending(state), Decision)]
        for (node, _), turns in zip(waiting, self._expand(setup, [state for _, state in waiting]), strict=True):
            node.children = turns[:width]
        return [child for node, _ in waiting for child in node.children]

    def _settle(self, state: Any) -> Any:
        """The state in which somebody has to decide, or the game is over, after sampled draws."""
        while isinstance(pending := self.game.pending(state), Chance):
            if len(pending.actions) == 1 or pending.judged:
                state = self.game.apply(state, pending.actions[0])
            else:
                state = self.game.apply(state, self.sampler.choices(pending.actions, pending.weights)[0])
        return state

    def _expand(self, setup: Setup, states: Sequence[Any]) -> list[list[Node]]:
        """The turns of the seat to move in each of the states, the best for it first."""
        ended: list[dict[Any, Node]] = [{} for _ in states]
        seats = [self._decision(state).seat for state in states]
        growing: list[tuple[int, tuple[Any, ...], Any]] = [(number, (), state) for number, state in enumerate(states)]
        begun: list[list[Node]] = []
        for step in range(_LONGEST):
            found = [
                (number, (*actions, action), self.game.apply(state, action))
                for number, actions, state in growing
                for action in self._decision(state).actions
            ]
            nodes = self._value(setup, [(state, seats[number], actions) for number, actions, state in found])
            unfinished: list[list[Node]] = [[] for _ in states]
            for (number, actions, _), node in zip(found, nodes, strict=True):
                if self.lookahead.beam and step < _LONGEST - 1 and self._goes_on(node):
                    unfinished[number].append(node)
                else:
                    ended[number].setdefault((actions[0], node.state), node)
            ranked = [_best_first(some) for some in unfinished]
            begun = begun or ranked
            growing = [
                (number, node.actions, node.state)
                for number, some in enumerate(ranked)
                for node in some[: self.lookahead.beam]
            ]
            if not growing:
                break
        return [_with_every_start(_best_first(some.values()), rest) for some, rest in zip(ended, begun, strict=True)]

    def _goes_on(self, node: Node) -> bool:
        pending = self.game.pending(node.state)
        return isinstance(pending, Decision) and pending.seat == node.mover

    def _decision(self, state: Any) -> Decision[Any]:
        pending = self.game.pending(state)
        assert isinstance(pending, Decision)
        return pending

    def _value(self, setup: Setup, moves: Sequence[tuple[Any, Seat, tuple[Any, ...]]]) -> list[Node]:
        """The nodes of states, each valued as the seat that has moved knows it."""
        nodes: dict[int, Node] = {}
        for seat in sorted({seat for _, seat, _ in moves}):
            numbers = [number for number, move in enumerate(moves) if move[1] == seat]
            values = self.evaluator.evaluate(setup, [moves[number][0] for number in numbers], seat)
            shares, points = values.shares.tolist(), values.points.tolist()
            for row, number in enumerate(numbers):
                state, _, actions = moves[number]
                nodes[number] = Node(state, seat, actions, shares[row], points[row])
        return [nodes[number] for number in range(len(moves))]


def _mean(mover: Seat, actions: tuple[Any, ...], leaves: Sequence[Node]) -> Node:
    """A turn with the mean values of the leaves that it leads to."""
    shares = [fmean(column) for column in zip(*(leaf.shares for leaf in leaves), strict=True)]
    points = [fmean(column) for column in zip(*(leaf.points for leaf in leaves), strict=True)]
    return Node(leaves[0].state, mover, actions, shares, points)


def _best_first(nodes: Iterable[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: -node.worth(node.mover))


def _with_every_start(turns: list[Node], begun: Sequence[Node]) -> list[Node]:
    """The turns, and after them those that the beam has dropped if no other one starts with the same action."""
    starts = {turn.actions[0] for turn in turns}
    return [*turns, *(turn for turn in begun if turn.actions[0] not in starts)]
