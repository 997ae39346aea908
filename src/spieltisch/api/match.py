"""A match as a Python object: moves are pushed and popped, the table is shown, and it is saved as a record."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeAlias

from spieltisch import pictures, registry
from spieltisch.api.arguments import checked_language, clock_of, path_of
from spieltisch.core.game import Decision, Game, Outcome, Over, Pending, Refusal, Seat, Setup, Viewer, brief
from spieltisch.core.render import TextStyle
from spieltisch.core.type_errors import whole_number
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import Progress
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.transcript import Transcript, seat_names
from spieltisch.i18n.message import message_factory
from spieltisch.players import PlayerLike, make_players, player_name
from spieltisch.records import GameRecord, write
from spieltisch.records.files import write_atomically
from spieltisch.records.model import shorten_name
from spieltisch.records.replay import Step

if TYPE_CHECKING:  # for type checkers, which know defaults of type variables in every version: `Match` alone is enough
    from typing_extensions import TypeVar

    S = TypeVar("S", default=Any)
    A = TypeVar("A", default=Any)
    V = TypeVar("V", default=Any)
else:
    from spieltisch.core.game import A, S, V

Viewpoint: TypeAlias = int | Literal["turn"] | None  # a seat, the seat to move, or a spectator
_say = message_factory("")


class Move(str, Generic[A]):
    """A move in notation, as text. `action` is the game's own value of it, `seat` is its seat (None for chance)."""

    __slots__ = ("action", "seat")
    action: A
    seat: int | None

    def __new__(cls, text: str, seat: int | None, action: A) -> Self:
        move = super().__new__(cls, text)
        move.action, move.seat = action, seat
        return move

    def __getnewargs__(self) -> tuple[str, int | None, A]:  # type: ignore[override]
        return str(self), self.seat, self.action


class Match(Generic[S, A, V]):
    """One game from its setup to its end. Moves are pushed and popped; chance is drawn in between.

    Made by `spieltisch.match` and `spieltisch.load`. `str(match)` is the table as the terminal draws it; a notebook
    shows a picture.
    """

    def __init__(
        self,
        referee: Referee[S, A, V],
        names: Mapping[int, str] | None = None,
        seed: int | str | None = None,
        *,
        auto_draw: bool = True,
    ) -> None:
        self._referee = referee
        self._names = dict(names or {})
        self._seed = token_hex(16) if seed is None else seed
        self._auto_draw = auto_draw
        self._past: list[Progress[S, A, V]] = []  # before each pushed move; shorter than the game if it was loaded
        self._settle()

    # What is on the table

    @property
    def game(self) -> Game[S, A, V]:
        """The rules."""
        return self._referee.game

    @property
    def setup(self) -> Setup:
        """Players, edition and options."""
        return self._referee.setup

    @property
    def state(self) -> S:
        """The game's complete state, an immutable value, including what is hidden."""
        return self._referee.state

    @property
    def pending(self) -> Pending[A]:
        """What happens next, as the rules say it: a `Decision`, a `Chance` or `Over`."""
        return self._referee.pending

    @property
    def progress(self) -> Progress[S, A, V]:
        """The game so far, as an immutable value."""
        return self._referee.progress

    @property
    def players(self) -> int:
        """The number of players; seats are counted from 0."""
        return self.setup.players

    @property
    def turn(self) -> int | None:
        """The seat to move; None if the game is over, or if it waits for chance."""
        return int(self.pending.seat) if isinstance(self.pending, Decision) else None

    @property
    def legal(self) -> tuple[Move[A], ...]:
        """The legal moves, in notation; empty if the game is over."""
        if isinstance(self.pending, Over):
            return ()
        return tuple(Move(self.game.write(self.state, action), self.turn, action) for action in self.pending.actions)

    @property
    def moves(self) -> tuple[Move[A], ...]:
        """Everything that happened: the moves of the seats, and the draws of chance (seat None)."""
        return tuple(self)

    def __iter__(self) -> Iterator[Move[A]]:
        return (self._move(step) for step in self._referee.steps)

    @property
    def ply(self) -> int:
        """How many decisions the players have made; draws are not counted."""
        return sum(step.seat is not None for step in self._referee.steps)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.pending, Over)

    @property
    def outcome(self) -> Outcome | None:
        """Scores, ranks and what ended the game; None while it is under way."""
        return self.pending.outcome if isinstance(self.pending, Over) else None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with rank 1; empty while the game is under way."""
        return tuple(seat for seat, rank in enumerate(self.outcome.ranks) if rank == 1) if self.outcome else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names; a seat without a name is called by its number."""
        return tuple(seat_names(self.players, "en", self._names))

    def view(self, seat: int | None = None) -> V:
        """All that a seat may know, or a spectator (None), as the game's own value."""
        return self._referee.view(self._viewer(seat))

    # Playing

    def push(self, *moves: str | A) -> None:
        """Plays moves of the seats to move: notation, a `Move`, or the game's own action. All of them, or none.

        The draws that a move causes are made at once, unless the match was made with `auto_draw=False`.

        Raises:
            BadNotation: if the text is not the notation of any move.
            IllegalAction: if a rule forbids it; `rule` is its number.
            NotPending: if the game is over.

        """
        before, length = self._referee.progress, len(self._past)
        try:
            for move in moves:
                self._push(move)
        except BaseException:
            self._referee.progress = before
            del self._past[length:]
            raise

    def _push(self, move: str | A) -> None:
        progress = self._referee.progress
        seat = self._seat_to_move()
        after = progress.advance(seat, str(move)) if isinstance(move, str) else progress.apply(seat, move)
        self._past.append(progress)
        self._referee.progress = after
        self._settle()

    def pop(self) -> Move[A]:
        """Takes back the last decision and the draws it caused, as if they had never happened, and returns it."""
        past = self._past or self._replay_past()
        if not past:
            raise NotPending(_say("match.nothing"))
        self._past, length = past, len(past[-1].path)
        popped = self._referee.steps[length]
        self._referee.progress = past.pop()
        return self._move(popped)

    def draw(self) -> Move[A]:
        """Draws for chance, once; only for a match with `auto_draw=False`."""
        if isinstance(self.pending, Decision | Over):
            raise NotPending(_say("turn.no_verdict"))
        self._past.append(self._referee.progress)
        self._referee.draw(self.pending)
        return self.moves[-1]

    def play(self, *players: PlayerLike, plies: int | None = None, seconds: float | None = None) -> Outcome | None:
        """Lets players finish the game, or play a number of plies; returns the outcome if the game is over.

        A player is a name such as "level:3", a class with a method `choose`, or an instance of one. One player plays all
        seats; otherwise there is one per seat. `seconds` is the time for each decision.
        """
        left = None if plies is None else whole_number("plies", plies, "plies=1")
        clock_of(seconds)  # a wrong type is refused before anything happens
        seated = make_players(players, self.game, self.players, f"{self._seed}/{self.ply}")
        for seat, player in enumerate(players * self.players if len(players) == 1 else players):
            self._names.setdefault(seat, shorten_name(player_name(player)))
        while not self.over and (left is None or left > 0):
            self._referee.settle()
            if self.turn is not None:
                self._past.append(self._referee.progress)
                self._referee.ask(seated[self.turn], clock_of(seconds))
                left = None if left is None else left - 1
            self._settle()
        return self.outcome

    def at(self, ply: int) -> Match[S, A, V]:
        """A copy of the match as it was after that many decisions; 0 is the start."""
        wanted = whole_number("ply", ply, "match.at(1)")
        if not 0 <= wanted <= self.ply:
            raise Refusal(_say("match.ply", last=self.ply, given=brief(wanted)))
        earlier = self.copy()
        while earlier.ply > wanted:
            earlier.pop()
        return earlier

    def copy(self) -> Match[S, A, V]:
        """An independent copy; the same moves lead to the same draws in it."""
        referee = Referee(self.game, self.setup, self._referee.source)
        referee.progress = self._referee.progress
        made = Match(referee, self._names, self._seed, auto_draw=self._auto_draw)
        made._past = [*self._past]
        return made

    __copy__ = copy

    # Showing

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        where = f"seat {self.turn} to move" if self.turn is not None else "chance to draw"
        if self.outcome:
            where = f"over, scores {' '.join(map(str, self.outcome.scores))}"
        return f"<Match {self.game.name}: {self.players} players, ply {self.ply}, {where}>"

    def board(self, seat: Viewpoint = "turn", *, language: str = "en", colour: bool = False, width: int = 100) -> str:
        """The table as the terminal draws it, as a seat sees it: by default the seat to move."""
        style = TextStyle(colour, whole_number("width", width, "width=100"), checked_language(language))
        return "\n".join(self._transcript(seat, style).table())

    def describe(self, seat: Viewpoint = "turn", *, language: str = "en") -> str:
        """The table in sentences, as a seat sees it."""
        return "\n".join(self._transcript(seat, _sentences_in(language), words=True).table())

    def story(self, seat: Viewpoint = None, *, language: str = "en") -> list[str]:
        """What happened, one sentence per move, as a seat or a spectator witnessed it."""
        transcript = self._transcript(seat, _sentences_in(language))
        return transcript.events(transcript.opening_draws) + (transcript.result() if self.over else [])

    def explain(self, move: str | A, *, language: str = "en") -> str:
        """What a move of the seat to move would do, in a sentence; what cannot be pushed is refused as by `push`."""
        style = _sentences_in(language)
        action = self.game.read(self.state, str(move)) if isinstance(move, str) else move
        self.game.write(self.state, action)  # which refuses what is not an action
        if isinstance(self.pending, Over) or action not in self.pending.actions:
            self.progress.apply(self._seat_to_move(), action)  # which refuses it with its rule
        message = registry.speech(self.game).choice(self.view(self.turn), action)
        return style.format(message)

    def svg(self, seat: Viewpoint = None, *, dark: bool = False, language: str = "en") -> str:
        """The table as an SVG picture, as a seat or a spectator sees it; what changed in the last turn is marked."""
        viewer, names = self._picture_of(seat, language)
        return pictures.picture(self.progress, viewer, names, language, dark=dark)

    def film(self, seat: Viewpoint = None, *, dark: bool = False, language: str = "en") -> str:
        """The match so far as one animated SVG picture, a second per decision."""
        viewer, names = self._picture_of(seat, language)
        return pictures.film(self.progress, viewer, names, language, dark=dark)

    def _picture_of(self, seat: Viewpoint, language: str) -> tuple[Viewer, list[str]]:
        viewer = self._viewer(self.turn if seat == "turn" else seat)
        return viewer, seat_names(self.players, checked_language(language), self._names)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the picture for spectators; None if the game has no pictures."""
        return self.svg() if registry.picture(self.game) else None

    def _transcript(self, seat: Viewpoint, style: TextStyle, *, words: bool = False) -> Transcript:
        names = seat_names(self.players, style.language, self._names)
        viewer = self._viewer(self.turn if seat == "turn" else seat)
        return Transcript(self._referee, names, viewer, style, words=words)

    # Keeping

    def record(self) -> GameRecord:
        """The match as a record."""
        return replace(self._referee.record(), names=tuple(sorted(self._names.items())))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the match to a file, as a record that `spieltisch.load` reads; the file is replaced as a whole.

        Raises:
            Refusal: if the folder does not exist.

        """
        file = path_of(path)
        if not file.parent.is_dir():
            raise Refusal(_say("match.folder", folder=brief(file.parent)))
        write_atomically(file, write(self.record()))

    def __eq__(self, other: object) -> bool:
        """Whether both have the same game, the same setup, and the same moves and draws."""
        if not isinstance(other, Match):
            return NotImplemented
        return (self.game.name, self.setup) == (other.game.name, other.setup) and [
            (move.seat, str(move)) for move in self
        ] == [(move.seat, str(move)) for move in other]

    __hash__ = None  # type: ignore[assignment]  # it changes

    def _move(self, step: Step[S, A]) -> Move[A]:
        seat = None if step.seat is None else int(step.seat)
        return Move(self.game.write(step.before, step.action), seat, step.action)

    def _settle(self) -> None:
        if self._auto_draw:
            self._referee.settle()

    def _replay_past(self) -> list[Progress[S, A, V]]:
        """The progress before each decision of a loaded match."""
        progress = Progress.start(self.game.for_replay, self.setup)
        past = []
        for step in self._referee.steps:
            if step.seat is not None or not self._auto_draw:
                past.append(replace(progress, game=self.game))
            progress = progress.apply(step.seat, step.action)
        return past

    def _seat_to_move(self) -> Seat | None:
        return None if self.turn is None else Seat(self.turn)

    def _viewer(self, seat: int | None) -> Viewer:
        if seat is None:
            return None
        if not isinstance(seat, int) or not 0 <= seat < self.players:
            raise Refusal(_say("match.seat", last=self.players - 1, given=brief(seat)))
        return Seat(seat)


def _sentences_in(language: str) -> TextStyle:
    """The style of sentences that are not wrapped."""
    return TextStyle(False, 10_000, checked_language(language))
