"""The progress of one game as an immutable value: its setup, every action so far, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias

from spieltisch.core.game import A, Chance, Decision, Game, Heard, Over, Pending, S, Seat, Setup, V, Viewer
from spieltisch.core.log import Log
from spieltisch.core.player import Seen
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.turns import Next, next_of
from spieltisch.i18n.message import Message, message_factory
from spieltisch.records import Entry, GameRecord, Move, Undo
from spieltisch.records.replay import Draw, Step, replay

_say = message_factory("")


@dataclass(frozen=True, slots=True)
class PlayedEntry(Generic[S, A]):
    """One entry of a game's log: an action and the state after it, or an undo (`step` is None)."""

    step: Step[S, A] | None
    after: S
    entry: Entry
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # what was derived from it

    def __reduce__(self) -> tuple[type[PlayedEntry[S, A]], tuple[object, ...]]:  # without what was derived from it
        return PlayedEntry, (self.step, self.after, self.entry)

    def witness(self, game: Game[S, A, V], viewer: Viewer) -> Heard:
        """The action as the viewer witnessed it, computed once."""
        known: Heard | None = self.cache.get(viewer)
        if known is None:
            assert self.step is not None
            before, seat, action = self.step
            known = self.cache[viewer] = Heard(seat, game.witness(before, action, viewer))
        return known

    def next(self, game: Game[S, A, V], pending: Pending[A] | None = None) -> Next:
        """What was pending after it, computed once: finding all choices may take long."""
        known: Next | None = self.cache.get(Next)
        if known is None:
            known = next_of(game, self.after, game.pending(self.after) if pending is None else pending)
            self.cache[Next] = known
        return known


@dataclass(frozen=True, slots=True)
class Progress(Generic[S, A, V]):
    """A game so far."""

    game: Game[S, A, V] = field(compare=False)
    setup: Setup
    state: S
    pending: Pending[A]
    log: Log[PlayedEntry[S, A]]  # every entry, including what was undone
    path: Log[PlayedEntry[S, A]]  # the actions that were not undone
    draws: int = 0  # how many draw numbers were used
    practice: bool = False  # whether a turn was undone against bots

    @classmethod
    def start(cls, game: Game[S, A, V], setup: Setup) -> Progress[S, A, V]:
        """A game in which nothing has happened."""
        state = game.initial(setup)
        return cls(game, setup, state, game.pending(state), Log(), Log())

    @classmethod
    def resume(cls, game: Game[S, A, V], record: GameRecord) -> Progress[S, A, V]:
        """A recorded game, at the end of the record; BadRecord if the record cannot be replayed."""
        past = replay(game, record)
        log = Log(
            PlayedEntry(made.step, made.after, entry)
            for made, entry in zip(past.transitions, record.entries, strict=True)
        )
        path: Log[PlayedEntry[S, A]] = Log()
        for played in log:
            undone = played.entry.actions if isinstance(played.entry, Undo) else 0
            path = path.cut(len(path) - undone) if undone else path.append(played)
        pending = game.pending(past.state)
        return cls(game, past.setup, past.state, pending, log, path, len(past.draws), record.practice)

    def advance(self, seat: Seat | None, text: str) -> Progress[S, A, V]:
        """The game after an action in notation; BadNotation if there is none, otherwise as `apply`."""
        self._check_turn(seat)
        return self.apply(seat, self.game.read(self.state, text))

    def apply(self, seat: Seat | None, action: A) -> Progress[S, A, V]:
        """The game after an action of a seat, or of chance (None).

        NotPending if the game waits for something else, IllegalAction if a rule forbids it.
        """
        self._check_turn(seat)
        after = self.game.apply(self.state, action)
        entry = Move(seat, self.game.write(self.state, action))
        played = PlayedEntry(Step(self.state, seat, action), after, entry)
        pending = self.game.pending(after)
        played.next(self.game, pending)
        return replace(
            self,
            state=after,
            pending=pending,
            log=self.log.append(played),
            path=self.path.append(played),
            draws=self.draws + (isinstance(self.pending, Chance) and self.pending.is_drawn),
        )

    def undo(self, actions: int, *, practice: bool = False) -> Progress[S, A, V]:
        """The game with its last actions undone; the log keeps them, and their draw numbers stay used."""
        if not 0 < actions <= len(self.path):
            raise NotPending(_say("undo.nothing"))
        step = self.path[-actions].step
        assert step is not None
        return replace(
            self,
            state=step.before,
            pending=self.game.pending(step.before),
            log=self.log.append(PlayedEntry(None, step.before, Undo(actions))),
            path=self.path.cut(len(self.path) - actions),
            practice=self.practice or practice,
        )

    def _check_turn(self, seat: Seat | None) -> None:
        match self.pending:
            case Decision(whose, _) if whose == seat:
                return
            case Chance() if seat is None:
                return
        raise NotPending(self.not_pending(seat))

    def not_pending(self, seat: Seat | None) -> Message:
        """Why this seat, or chance (None), can do nothing now."""
        match self.pending:
            case Over():
                return _say("turn.over")
            case Decision(other, _) if seat is not None:
                return _say("turn.other", seat=int(other) + 1, given=int(seat) + 1)
            case Decision():
                return _say("turn.no_verdict")
            case Chance():
                return _say("turn.chance")

    @property
    def steps(self) -> list[Step[S, A]]:
        """The actions that were not undone, each with the state before it."""
        return [played.step for played in self.path if played.step is not None]

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return isinstance(self.pending, Over)

    def since_last_turn(self, seat: Seat) -> int:
        """How many actions back the seat's last turn started; 0 if it had none."""
        place = len(self.path)
        while place and self._mover(place - 1) != seat:
            place -= 1
        if not place:
            return 0
        while place and self._mover(place - 1) == seat:
            place -= 1
        return len(self.path) - place

    def _mover(self, place: int) -> Seat | None:
        step = self.path[place].step
        return step.seat if step else None

    def heard(self, viewer: Viewer) -> Sequence[Heard]:
        """Everything the viewer has witnessed of the actions that were not undone."""
        return tuple(made.witness(self.game, viewer) for made in self.path)

    def view(self, viewer: Viewer) -> V:
        """What the viewer may know."""
        return self.game.observe(self.state, viewer)

    def seen(self, seat: Seat) -> Seen[A, V]:
        """What a seat receives when it must choose; NotPending if it is not its turn."""
        match self.pending:
            case Decision(whose, actions) if whose == seat:
                return Seen(self.view(seat), actions, self.heard(seat))
        raise NotPending(self.not_pending(seat))

    def drawn(self) -> Sequence[Draw[S, A]]:
        """Every draw that was made, including those that were undone."""
        found = []
        for line, made in enumerate(self.log, 1):
            if made.step is not None and made.step.seat is None:
                chance = self.game.pending(made.step.before)
                if isinstance(chance, Chance) and chance.is_drawn:
                    found.append(Draw(line, made.step.before, chance, made.step.action))
        return found

    def record(self, header: GameRecord) -> GameRecord:
        """The game so far, as a record with this header."""
        over = self.pending.outcome if isinstance(self.pending, Over) else None
        return replace(
            header,
            entries=tuple(made.entry for made in self.log),
            practice=self.practice,
            result=over and over.scores,
            ending=over and over.ending,
        )

    def redact(self, record: GameRecord, viewer: Viewer) -> GameRecord:
        """The record of this game as a viewer witnessed it; the viewer after the last seat is a spectator."""
        witnessed = [made.entry if made.step is None else Move(*made.witness(self.game, viewer)) for made in self.log]
        return replace(record, viewer=self.setup.players if viewer is None else int(viewer), entries=tuple(witnessed))


AnyProgress: TypeAlias = Progress[Any, Any, Any]
