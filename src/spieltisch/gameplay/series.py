"""A match of several games: the seats take turns starting, and their match points are added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from spieltisch.core.game import A, Game, Over, S, Setup, V, ranking
from spieltisch.gameplay.chance import Source
from spieltisch.gameplay.referee import Referee
from spieltisch.records import GameRecord, Record


class Series(Generic[S, A, V]):
    """The games of one match; the last one is under way or over."""

    def __init__(
        self,
        game: Game[S, A, V],
        setup: Setup,
        games: int,
        source: Callable[[int], Source],
        names: Mapping[int, str] | None = None,
    ) -> None:
        self.game = game
        self.setup = setup
        self.games = games
        self._source = source
        self.names: Mapping[int, str] = names or {}  # as records have them
        self.referees: list[Referee[S, A, V]] = []
        self.begin()

    @classmethod
    def resume(cls, game: Game[S, A, V], record: Record, source: Callable[[int], Source]) -> Series[S, A, V]:
        """The match of a record, at its end; BadRecord if one of its games cannot be replayed."""
        played = [Referee.resume(game, one, source(number)) for number, one in enumerate(record.games)]
        series = cls(game, played[0].setup, record.match or 1, source, dict(record.games[0].names))
        series.referees = played
        return series

    def begin(self) -> Referee[S, A, V]:
        """Starts the next game; the seat after the last starting seat starts."""
        number = len(self.referees)
        assert number < self.games
        first = (self.setup.first + number) % self.setup.players
        setup = self.game.agree(
            self.setup.players, self.setup.edition, dict(self.setup.options), first, self.setup.rules
        )
        self.referees.append(Referee(self.game, setup, self._source(number), self.names))
        return self.referees[-1]

    @property
    def referee(self) -> Referee[S, A, V]:
        """The referee of the current or last game."""
        return self.referees[-1]

    @property
    def over(self) -> bool:
        """Whether all games are over."""
        return len(self.referees) == self.games and isinstance(self.referee.pending, Over)

    def totals(self) -> tuple[int, ...]:
        """The match points of all finished games, added up per seat."""
        ended = [referee.pending.outcome for referee in self.referees if isinstance(referee.pending, Over)]
        points = [self.game.match_points(outcome) for outcome in ended]
        return tuple(sum(one[seat] for one in points) for seat in range(self.setup.players))

    def ranks(self) -> tuple[int, ...]:
        """The ranks in the match: by total score, with shared ranks for ties; those of the game if there is only one."""
        if self.games == 1 and isinstance(self.referee.pending, Over):
            return self.referee.pending.outcome.ranks
        return ranking([(total,) for total in self.totals()])

    def record(self) -> Record:
        """The match so far as a record."""
        games: Sequence[GameRecord] = [referee.record() for referee in self.referees]
        if self.games == 1:
            return Record(tuple(games))
        return Record(tuple(games), self.games, self.totals() if self.over else None)
