"""The referee of one game: holds the state, lets chance draw, keeps the log, and tells every viewer what it may know."""

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
    """The game does not wait for this."""

    code: ClassVar[str] = "not-pending"


class BadAnswer(Refusal):
    """A player answered with something that is none of its choices."""

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
        self.transitions: list[Transition[S, A]] = []  # every entry of the log, also what was taken back
        self.state: S = game.initial(setup)
        self.pending: Pending[A] = game.pending(self.state)
        self._blank = begin(game, setup, names)
        self._entries: list[Entry] = []
        self._draws = 0
        self._practice = False
        self._heard: dict[Viewer, list[Heard]] = {}

    @classmethod
    def resume(cls, game: Game[S, A, V], record: GameRecord, source: Source) -> Referee[S, A, V]:
        """The referee of a recorded game, at its last line; BadRecord where the record does not replay."""
        past = replay(game, record)
        referee = cls(game, past.setup, source)
        referee.steps = list(past.steps)
        referee.transitions = list(past.transitions)
        referee._at(past.state)
        referee._blank = replace(record, entries=(), practice=False, result=None, ending=None)
        referee._entries = list(record.entries)
        referee._draws = len(past.draws)
        referee._practice = record.practice
        return referee

    def _at(self, state: S) -> None:
        self.state = state
        self.pending = self.game.pending(state)

    def settle(self) -> Decision[A] | Over:
        """Lets chance draw until somebody has to decide or the game is over, and answers which."""
        while isinstance(chance := self.pending, Chance):
            self.draw(chance)
        return chance

    def draw(self, chance: Chance[A]) -> None:
        """Lets chance draw once; where there is nothing to choose from, no draw number is used."""
        place = 0
        if len(chance.actions) > 1:
            place = self.source.pick(self._draws, chance.weights)
            self._draws += 1
        self._take(None, chance.actions[place])

    def judge(self, verdict: A) -> None:
        """Takes a verdict from outside the rules; NotPending where none is waited for."""
        if not (isinstance(self.pending, Chance) and self.pending.judged):
            raise NotPending(_say("turn.no_verdict"))
        self._take(None, verdict)

    def follow(self, entry: Entry) -> None:
        """Goes on by what another referee of this game has written; BadRecord where the rules do not allow it."""
        if isinstance(entry, Undo):
            self.undo(entry.actions, practice=False)
            return
        action = checked(self.game, self.state, entry, line=len(self._entries) + 1)
        self._draws += isinstance(self.pending, Chance) and self.pending.is_drawn
        self._take(entry.seat, action)

    def play(self, seat: Seat, draft: Sequence[A]) -> None:
        """Plays the whole draft or nothing of it: NotPending, or IllegalAction with the rule that says no."""
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
        self._at(after)

    def undo(self, actions: int, *, practice: bool = True) -> None:
        """Takes the last actions back: the log keeps them and the undo, and what was drawn stays drawn."""
        if not 0 < actions <= len(self.steps):
            raise NotPending(_say("undo.nothing"))
        state = self.steps[-actions].before
        del self.steps[-actions:]
        for heard in self._heard.values():
            del heard[len(self.steps) :]
        self.transitions.append(Transition(None, state))
        self._entries.append(Undo(actions))
        self._practice = self._practice or practice
        self._at(state)

    def since_last_turn(self, seat: Seat) -> int:
        """How many actions lie between now and the beginning of the seat's last turn; 0 where it had none."""
        places = [place for place, step in enumerate(self.steps) if step.seat == seat]
        if not places:
            return 0
        place = places[-1]
        while place and self.steps[place - 1].seat == seat:
            place -= 1
        return len(self.steps) - place

    def heard(self, viewer: Viewer) -> Sequence[Heard]:
        """Everything the viewer has witnessed."""
        heard = self._heard.setdefault(viewer, [])
        for before, seat, action in self.steps[len(heard) :]:
            heard.append(Heard(seat, self.game.witness(before, action, viewer)))
        return tuple(heard)

    def view(self, viewer: Viewer) -> V:
        """What the viewer may know."""
        return self.game.observe(self.state, viewer)

    def seen(self, seat: Seat) -> Seen[A, V]:
        """What the seat is told when it must choose; NotPending where it need not."""
        match self.pending:
            case Decision(whose, actions) if whose == seat:
                return Seen(self.view(seat), actions, self.heard(seat))
        raise NotPending(self._not_yours(seat))

    def ask(self, player: Player[A, V], clock: Clock | None = None) -> None:
        """Lets a player take the pending decision; BadAnswer where it answers with something else."""
        if not isinstance(self.pending, Decision):
            raise NotPending(_say("turn.nobody"))
        seat = self.pending.seat
        action = player.choose(self.seen(seat), clock or Clock())
        if action not in self.pending.actions:
            raise BadAnswer(_say("player.bad_answer", seat=int(seat)))
        self._take(seat, action)

    def draws(self) -> Sequence[Draw[S, A]]:
        """Every draw that was made, whether it was taken back later or not."""
        drawn = []
        for line, transition in enumerate(self.transitions, 1):
            if transition.step is not None and transition.step.seat is None:
                chance = self.game.pending(transition.step.before)
                if isinstance(chance, Chance) and chance.is_drawn:
                    drawn.append(Draw(line, transition.step.before, chance, transition.step.action))
        return drawn

    @property
    def entries(self) -> Sequence[Entry]:
        """The log so far."""
        return self._entries

    @property
    def practice(self) -> bool:
        """Whether something was taken back that makes this a game for practice."""
        return self._practice

    def record(self) -> GameRecord:
        """The log so far, as a record."""
        over = self.pending.outcome if isinstance(self.pending, Over) else None
        return replace(
            self._blank,
            entries=tuple(self._entries),
            practice=self._practice,
            result=over and over.scores,
            ending=over and over.ending,
        )
