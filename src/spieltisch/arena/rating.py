"""Ratings: a number for every entrant, from whom it beat in which game."""

from __future__ import annotations

from typing import NamedTuple

from openskill.models import PlackettLuce

from spieltisch.arena.deals import Played


class Rating(NamedTuple):
    """How strong, and how far off that may be (one standard deviation)."""

    strength: float
    deviation: float

    @property
    def reach(self) -> float:
        """How far off it is in about one case of twenty."""
        return 2 * self.deviation


class Ratings:
    """The ratings of all entrants, after the games in the order in which they were added.

    Bots do not learn between games, so nothing is added to the uncertainty from game to game (tau is 0). Whoever sat on
    several seats of a game goes by the mean of what these seats would have become.
    """

    def __init__(self, entrants: int) -> None:
        self._model = PlackettLuce(tau=0.0)
        start = self._model.rating()
        self._now = [Rating(start.mu, start.sigma)] * entrants

    def __getitem__(self, entrant: int) -> Rating:
        return self._now[entrant]

    def add(self, game: Played) -> None:
        """One more game."""
        # a rating object a seat: the model would rate one that sits twice as one and the same
        teams = [[self._model.rating(*self._now[entrant])] for entrant in game.seats]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in game.ranks])
        for entrant in set(game.seats):
            mine = [rated[seat][0] for seat, other in enumerate(game.seats) if other == entrant]
            self._now[entrant] = Rating(
                sum(one.mu for one in mine) / len(mine), sum(one.sigma for one in mine) / len(mine)
            )
