"""Ratings: a Plackett–Luce rating per entrant, from the ranks in every game."""

from __future__ import annotations

from typing import NamedTuple

from openskill.models import PlackettLuce

from spieltisch.arena.deals import GameResult


class Rating(NamedTuple):
    """Strength with its standard deviation."""

    strength: float
    deviation: float

    @property
    def margin(self) -> float:
        """Half the width of an interval that misses about once in twenty cases."""
        return 2 * self.deviation


class Ratings:
    """The ratings of all entrants after the games added so far; their order matters.

    Bots do not learn between games, so no uncertainty is added from game to game (tau is 0). An entrant on several seats
    of a game gets the mean of what those seats would have become.
    """

    def __init__(self, entrants: int) -> None:
        self._model = PlackettLuce(tau=0.0)
        start = self._model.rating()
        self._ratings = [Rating(start.mu, start.sigma)] * entrants

    def __getitem__(self, entrant: int) -> Rating:
        return self._ratings[entrant]

    def add(self, game: GameResult) -> None:
        """Updates the ratings by one game."""
        # One rating object per seat: the model would treat an entrant on two seats as one player.
        teams = [[self._model.rating(*self._ratings[entrant])] for entrant in game.seats]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in game.ranks])
        for entrant in set(game.seats):
            own = [rated[seat][0] for seat, other in enumerate(game.seats) if other == entrant]
            self._ratings[entrant] = Rating(
                sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own)
            )
