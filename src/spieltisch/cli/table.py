"""A table in the terminal: people and bots play one match on one screen."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from spieltisch.cli.story import Story
from spieltisch.cli.terminal import Refused, say, write_whole
from spieltisch.cli.turn import Leave, Turn
from spieltisch.core.game import Over, Seat, Viewer
from spieltisch.core.player import AnyPlayer
from spieltisch.core.render import TextStyle
from spieltisch.i18n.message import Argument
from spieltisch.match.referee import Referee
from spieltisch.match.series import Series
from spieltisch.players.failures import PlayerFailed
from spieltisch.records import write


class Table:
    """People and bots around one screen; the record is kept after every turn."""

    def __init__(
        self,
        series: Series[Any, Any, Any],
        bots: Mapping[int, AnyPlayer],
        names: Sequence[str],
        style: TextStyle,
        file: Path,
        *,
        words: bool = False,
    ) -> None:
        self.series = series
        self.bots = bots
        self.names = names
        self.style = style
        self.file = file
        self.words = words
        self.people = [Seat(seat) for seat in range(len(names)) if seat not in bots]
        self.told: dict[Viewer, int] = {}
        self.at_screen: Viewer = self.people[0] if self.people else None
        self.warned = False

    @property
    def referee(self) -> Referee[Any, Any, Any]:
        return self.series.referee

    def say(self, key: str, **arguments: Argument) -> None:
        words = self.style.format(say(key, **arguments))
        click.echo(words if "file" in arguments else self.style.wrap(words))  # a path must stay in one piece

    def tell(self, lines: Sequence[str]) -> None:
        """What happened, a line each."""
        for line in lines:
            click.echo(self.style.wrap(line, self.style.dim("· "), 2))

    def run(self) -> None:
        """Plays the match to its end, or until somebody leaves."""
        try:
            while True:
                self._play_game()
                if self.series.over:
                    break
                self.series.begin()
                self.told.clear()
        except (Leave, EOFError, KeyboardInterrupt) as reason:
            self._keep()
            click.echo()
            if not self.warned:
                self.say("play.kept", file=str(self.file), command=f"spieltisch play --resume {self.file}")
            if isinstance(reason, KeyboardInterrupt):
                raise
            return
        if not self.warned:
            self.say("play.record", file=str(self.file))

    def _play_game(self) -> None:
        self._announce()
        while not isinstance(pending := self.referee.settle(), Over):
            self._keep()
            if pending.seat in self.bots:
                self._ask_bot(pending.seat)
            else:
                self._turn(pending.seat)
            if not self.people:
                self._tell(None)
        self._keep()
        self._end()

    def _ask_bot(self, seat: Seat) -> None:
        """Lets a bot play; one that fails ends the command with a sentence, and the game can be gone on with."""
        try:
            self.referee.ask(self.bots[seat])
        except PlayerFailed as error:
            self._keep()
            if not self.warned:
                self.say("play.kept", file=str(self.file), command=f"spieltisch play --resume {self.file}")
            raise Refused(error, self.style.language, self.names[seat]) from None

    def _announce(self) -> None:
        game, number = self.referee.game, len(self.series.referees)
        click.echo(self.style.bold(game.title))
        if self.series.games > 1:
            self.say("play.game_of", number=number, games=self.series.games)
        for note in game.notes():
            click.echo(self.style.wrap(self.style.format(note)))
        if self.people:
            self.say("play.help_hint")

    def _keep(self) -> None:
        """Writes the record; a disk that is full stops nobody from playing."""
        try:
            write_whole(self.file, write(self.series.record()))
        except OSError as error:
            if not self.warned:
                self.say("play.not_kept", file=str(self.file), reason=error.strerror or str(error))
            self.warned = True
        else:
            self.warned = False

    def story(self, viewer: Viewer) -> Story:
        """What that viewer is told."""
        return Story(self.referee, self.names, viewer, self.style, words=self.words)

    def _tell(self, viewer: Viewer) -> None:
        """Tells the viewer what happened since it was told last; not the dealing, which the table shows."""
        story = self.story(viewer)
        start = max(story.dealt, min(self.told.get(viewer, 0), len(self.referee.steps)))
        self.tell(story.since(start))
        self.told[viewer] = len(self.referee.steps)

    def _end(self) -> None:
        viewer = self.people[0] if len(self.people) == 1 else None
        self.told.setdefault(viewer, max(self.told.values(), default=0))  # several people: what nobody has seen yet
        self._tell(viewer)
        story = self.story(viewer)
        click.echo()
        for line in [*story.table(), "", *story.end()]:
            click.echo(line)
        if self.series.games > 1:
            totals = [f"{name} {total}" for name, total in zip(self.names, self.series.totals(), strict=True)]
            self.say("play.totals", totals=", ".join(totals))
            if self.series.over:
                click.echo(self.style.bold(story.winners(self.series.ranks())))

    def _turn(self, seat: Seat) -> None:
        self._hand_over(seat)
        self._tell(seat)
        turn = Turn(self, seat)
        turn.run()
        if turn.draft.actions:
            self.referee.play(seat, turn.draft.actions)
            self.told[seat] = len(self.referee.steps)

    def _hand_over(self, seat: Seat) -> None:
        """Covers what only the last one at the screen may see."""
        if seat != self.at_screen and self.referee.game.hides:
            self._clear()
            self.say("play.hand_over", name=self.names[seat])
            self.read(self.style.format(say("play.enter")))
            self._clear()
        self.at_screen = seat

    def _clear(self) -> None:
        if self.style.colour:
            click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)
        else:
            click.echo("\n" * shutil.get_terminal_size().lines, nl=False)

    def read(self, prompt: str) -> str:
        """A line from whoever sits at the screen."""
        return input(prompt).strip()


with contextlib.suppress(ImportError):  # line editing and history at the prompt, where there is readline
    import readline  # noqa: F401
