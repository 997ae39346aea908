"""The referee of one game: advances its progress, draws for chance, and asks players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Generic

from spieltisch.core.game import (
    A,
    Chance,
    Decision,
    Game,
    Heard,
    Over,
    Pending,
    S,
    Seat,
    Setup,
    V,
    Viewer,
    brief,
)
from spieltisch.core.player import Clock, Player, Seen
from spieltisch.core.type_errors import NotAnAction
from spieltisch.gameplay.chance import Source
from spieltisch.gameplay.errors import BadAnswer, NotPending
from spieltisch.gameplay.progress import Progress
from spieltisch.i18n.message import message_factory
from spieltisch.records import GameRecord, begin
from spieltisch.records.replay import Draw, Step

_say = message_factory("")


class Referee(Generic[S, A, V]):
    """One game from its setup to its end. All that has happened is in `progress`, which is replaced as a whole."""

    def __init__(
        self, game: Game[S, A, V], setup: Setup, source: Source, names: Mapping[int, str] | None = None
    ) -> None:
        self.source = source
        self.progress = Progress.start(game, setup)
        self._header = begin(game, setup, names)

    @classmethod
    def resume(cls, game: Game[S, A, V], record: GameRecord, source: Source) -> Referee[S, A, V]:
        """The referee of a recorded game, at the end of the record; BadRecord if the record cannot be replayed."""
        progress = Progress.resume(game, record)
        referee = cls(game, progress.setup, source)
        referee.progress = progress
        referee._header = replace(record, entries=(), practice=False, result=None, ending=None)
        return referee

    @property
    def game(self) -> Game[S, A, V]:
        return self.progress.game

    @property
    def setup(self) -> Setup:
        return self.progress.setup

    @property
    def state(self) -> S:
        return self.progress.state

    @property
    def pending(self) -> Pending[A]:
        return self.progress.pending

    @property
    def steps(self) -> Sequence[Step[S, A]]:
        """The actions that were not undone, each with the state before it."""
        return self.progress.steps

    @property
    def practice(self) -> bool:
        """Whether a turn was undone, which makes this a game for practice."""
        return self.progress.practice

    def settle(self) -> Decision[A] | Over:
        """Draws until a player has to decide or the game is over, and returns which."""
        while isinstance(chance := self.pending, Chance):
            self.draw(chance)
        return chance

    def draw(self, chance: Chance[A]) -> None:
        """Draws once; no draw number is used if there is only one possibility."""
        place = self.source.pick(self.progress.draws, chance.weights) if len(chance.actions) > 1 else 0
        self.progress = self.progress.apply(None, chance.actions[place])

    def judge(self, verdict: A) -> None:
        """Takes a verdict from outside the rules; NotPending if none is awaited."""
        if not (isinstance(self.pending, Chance) and self.pending.judged):
            raise NotPending(_say("turn.no_verdict"))
        self.progress = self.progress.apply(None, verdict)

    def play(self, seat: Seat, draft: Sequence[A]) -> None:
        """Plays the whole draft or none of it: NotPending, or IllegalAction with the rule that forbids it."""
        if isinstance(draft, str):  # which would be taken letter by letter
            raise NotAnAction(_say("slip.list", given=brief(draft), code=f'[game.read(state, "{brief(draft)}")]'))
        progress = self.progress
        for number, action in enumerate(draft):
            whose = progress.pending
            if not (isinstance(whose, Decision) and whose.seat == seat):
                raise NotPending(_say("turn.draft_over") if number else progress.not_pending(seat))
            progress = progress.apply(seat, action)
        self.progress = progress

    def undo(self, actions: int, *, practice: bool = True) -> None:
        """Undoes the last actions: the log keeps them and the undo, and what was drawn stays drawn."""
        self.progress = self.progress.undo(actions, practice=practice)

    def since_last_turn(self, seat: Seat) -> int:
        """How many actions back the seat's last turn started; 0 if it had none."""
        return self.progress.since_last_turn(seat)

    def heard(self, viewer: Viewer) -> Sequence[Heard]:
        """Everything the viewer has witnessed."""
        return self.progress.heard(viewer)

    def view(self, viewer: Viewer) -> V:
        """What the viewer may know."""
        return self.progress.view(viewer)

    def seen(self, seat: Seat) -> Seen[A, V]:
        """What a seat receives when it must choose; NotPending if it is not its turn."""
        return self.progress.seen(seat)

    def ask(self, player: Player[A, V], clock: Clock | None = None) -> None:
        """Lets a player take the pending decision; BadAnswer if it returns something else."""
        if not isinstance(self.pending, Decision):
            raise NotPending(_say("turn.nobody"))
        seat = self.pending.seat
        action = player.choose(self.seen(seat), clock or Clock())
        if action not in self.pending.actions:
            raise BadAnswer(_say("player.bad_answer", seat=int(seat)))
        self.progress = self.progress.apply(seat, action)

    def draws(self) -> Sequence[Draw[S, A]]:
        """Every draw that was made, including those that were undone."""
        return self.progress.drawn()

    def record(self) -> GameRecord:
        """The game so far, as a record."""
        return self.progress.record(self._header)
