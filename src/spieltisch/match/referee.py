"""The referee of one game: holds the state, draws for chance, keeps the log and gives every viewer its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Generic

from spieltisch.core.game import A, Chance, Decision, Game, Heard, Over, Pending, Refusal, S, Seat, Setup, V, Viewer
from spieltisch.core.player import Clock, Player, Seen
from spieltisch.i18n.message import Message, message_factory
from spieltisch.match.chance import Source
from spieltisch.match.draft import Draft
from spieltisch.records import Entry, GameRecord, Move, Undo, begin
from spieltisch.records.replay import Draw, Step, Transition, checked, replay

_say = message_factory("")


class NotPending(Refusal):
    """The game is not waiting for this."""

    code: ClassVar[str] = "not-pending"


class BadAnswer(Refusal):
    """A player returned something that is none of its choices."""

    code: ClassVar[str] = "bad-answer"


class Referee(Generic[S, A, V]):
    """One game from its setup to its end."""

    def __init__(
        self, game: Game[S, A, V], setup: Setup, source: Source, names: Mapping[int, str] | None = None
    ) -> None:
        self.game = game
        self.setup = setup
        self.source = source
        self.steps: list[Step[S, A]] = []
        self.transitions: list[Transition[S, A]] = []  # one per log entry, including those undone later
        self.state: S = game.initial(setup)
        self.pending: Pending[A] = game.pending(self.state)
        self._blank = begin(game, setup, names)
        self._entries: list[Entry] = []
        self._draws = 0
        self._practice = False
        self._heard: dict[Viewer, list[Heard]] = {}

    @classmethod
    def resume(cls, game: Game[S, A, V], record: GameRecord, source: Source) -> Referee[S, A, V]:
        """The referee of a recorded game, at the end of the record; BadRecord if the record cannot be replayed."""
        past = replay(game, record)
        referee = cls(game, past.setup, source)
        referee.steps = list(past.steps)
        referee.transitions = list(past.transitions)
        referee._set_state(past.state)
        referee._blank = replace(record, entries=(), practice=False, result=None, ending=None)
        referee._entries = list(record.entries)
        referee._draws = len(past.draws)
        referee._practice = record.practice
        return referee

    def _set_state(self, state: S) -> None:
        self.state = state
        self.pending = self.game.pending(state)

    def settle(self) -> Decision[A] | Over:
        """Resolves chance until a decision is pending or the game is over, and returns which."""
        while isinstance(chance := self.pending, Chance):
            self.draw(chance)
        return chance

    def draw(self, chance: Chance[A]) -> None:
        """Resolves one chance; a single possible action uses no draw number."""
        index = 0
        if len(chance.actions) > 1:
            index = self.source.pick(self._draws, chance.weights)
            self._draws += 1
        self._take(None, chance.actions[index])

    def judge(self, verdict: A) -> None:
        """Applies a verdict from outside the rules; NotPending if none is pending."""
        if not (isinstance(self.pending, Chance) and self.pending.judged):
            raise NotPending(_say("turn.no_verdict"))
        self._take(None, verdict)

    def follow(self, entry: Entry) -> None:
        """Applies a log entry that another referee of this game has written; BadRecord if the rules forbid it."""
        if isinstance(entry, Undo):
            self.undo(entry.actions, practice=False)
            return
        action = checked(self.game, self.state, entry, line=len(self._entries) + 1)
        self._draws += isinstance(self.pending, Chance) and self.pending.is_drawn
        self._take(entry.seat, action)

    def play(self, seat: Seat, draft: Sequence[A]) -> None:
        """Plays the whole draft or none of it; raises NotPending, or IllegalAction with the rule that forbids it."""
        rehearsal = Draft(self.game, self.state, seat)
        for action in draft:
            if rehearsal.complete:
                raise NotPending(self._not_yours(seat) if not rehearsal.actions else _say("turn.draft_over"))
            rehearsal.add(action)
        for action in draft:
            self._take(seat, action)

    def _not_yours(self, seat: Seat) -> Message:
        match self.pending:
            case Over():
                return _say("turn.over")
            case Decision(other, _):
                return _say("turn.other", seat=int(other), given=int(seat))
            case Chance():
                return _say("turn.chance")

    def _take(self, seat: Seat | None, action: A) -> None:
        text = self.game.write(self.state, action)
        after = self.game.apply(self.state, action)
        self.steps.append(Step(self.state, seat, action))
        self.transitions.append(Transition(self.steps[-1], after))
        self._entries.append(Move(seat, text))
        self._set_state(after)

    def undo(self, actions: int, *, practice: bool = True) -> None:
        """Undoes the last actions; the log keeps them and the undo, and draw numbers are not used again."""
        if not 0 < actions <= len(self.steps):
            raise NotPending(_say("undo.nothing"))
        state = self.steps[-actions].before
        del self.steps[-actions:]
        for heard in self._heard.values():
            del heard[len(self.steps) :]
        self.transitions.append(Transition(None, state))
        self._entries.append(Undo(actions))
        self._practice = self._practice or practice
        self._set_state(state)

    def since_last_turn(self, seat: Seat) -> int:
        """How many actions there were since the start of the seat's last turn, inclusive; 0 if it had none."""
        indexes = [index for index, step in enumerate(self.steps) if step.seat == seat]
        if not indexes:
            return 0
        start = indexes[-1]
        while start and self.steps[start - 1].seat == seat:
            start -= 1
        return len(self.steps) - start

    def heard(self, viewer: Viewer) -> Sequence[Heard]:
        """Every action as the viewer has witnessed it."""
        heard = self._heard.setdefault(viewer, [])
        for before, seat, action in self.steps[len(heard) :]:
            heard.append(Heard(seat, self.game.witness(before, action, viewer)))
        return tuple(heard)

    def view(self, viewer: Viewer) -> V:
        """The viewer's view of the current state."""
        return self.game.observe(self.state, viewer)

    def seen(self, seat: Seat) -> Seen[A, V]:
        """What a player receives when its seat must choose; NotPending if it need not."""
        match self.pending:
            case Decision(whose, actions) if whose == seat:
                return Seen(self.view(seat), actions, self.heard(seat))
        raise NotPending(self._not_yours(seat))

    def ask(self, player: Player[A, V], clock: Clock | None = None) -> None:
        """Asks a player for the pending decision and plays it; BadAnswer if it is none of the choices."""
        if not isinstance(self.pending, Decision):
            raise NotPending(_say("turn.nobody"))
        seat = self.pending.seat
        action = player.choose(self.seen(seat), clock or Clock())
        if action not in self.pending.actions:
            raise BadAnswer(_say("player.bad_answer", seat=int(seat)))
        self._take(seat, action)

    def draws(self) -> Sequence[Draw[S, A]]:
        """All draws, including those undone later."""
        draws = []
        for line, transition in enumerate(self.transitions, 1):
            if transition.step is not None and transition.step.seat is None:
                chance = self.game.pending(transition.step.before)
                if isinstance(chance, Chance) and chance.is_drawn:
                    draws.append(Draw(line, transition.step.before, chance, transition.step.action))
        return draws

    @property
    def entries(self) -> Sequence[Entry]:
        """The log entries so far."""
        return self._entries

    @property
    def practice(self) -> bool:
        """Whether an undo has made this a practice game."""
        return self._practice

    def record(self) -> GameRecord:
        """The game so far as a record."""
        over = self.pending.outcome if isinstance(self.pending, Over) else None
        return replace(
            self._blank,
            entries=tuple(self._entries),
            practice=self._practice,
            result=over and over.scores,
            ending=over and over.ending,
        )
