"""Terminal session: people and bots play one match on one screen (hot seat)."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from spieltisch.cli.terminal import CommandRefused, say
from spieltisch.cli.turn import Quit, TurnPrompt
from spieltisch.core.game import Over, Seat, Viewer
from spieltisch.core.player import AnyPlayer
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.referee import Referee
from spieltisch.gameplay.series import Series
from spieltisch.gameplay.transcript import Transcript
from spieltisch.i18n.message import Argument
from spieltisch.players.failures import PlayerFailed
from spieltisch.records import write
from spieltisch.records.files import write_atomically


class Session:
    """One match at the terminal; the record is saved after every turn."""

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
        self.reported: dict[Viewer, int] = {}  # how many actions each viewer has been told of
        self.current_viewer: Viewer = self.people[0] if self.people else None
        self.save_failed = False

    @property
    def referee(self) -> Referee[Any, Any, Any]:
        return self.series.referee

    def print_message(self, key: str, **arguments: Argument) -> None:
        """Prints a message of the shell."""
        text = self.style.format(say(key, **arguments))
        click.echo(text if "file" in arguments else self.style.wrap(text))  # wrapping would break a path

    def print_events(self, lines: Sequence[str]) -> None:
        """Prints what happened, one event per line."""
        for line in lines:
            click.echo(self.style.wrap(line, self.style.dim("· "), 2))

    def run(self) -> None:
        """Plays the match until it ends or somebody quits."""
        try:
            while True:
                self._play_game()
                if self.series.over:
                    break
                self.series.begin()
                self.reported.clear()
        except (Quit, EOFError, KeyboardInterrupt) as reason:
            self._save()
            click.echo()
            self._print_how_to_resume()
            if isinstance(reason, KeyboardInterrupt):
                raise
            return
        if not self.save_failed:
            self.print_message("play.record", file=str(self.file))

    def _play_game(self) -> None:
        self._print_title()
        while not isinstance(pending := self.referee.settle(), Over):
            self._save()
            if pending.seat in self.bots:
                self._play_bot(pending.seat)
            else:
                self._play_person(pending.seat)
            if not self.people:
                self._report(None)
        self._save()
        self._print_result()

    def _play_bot(self, seat: Seat) -> None:
        """Plays a bot's turn; if the bot fails, the command ends with a sentence, and the match can be resumed."""
        try:
            self.referee.ask(self.bots[seat])
        except PlayerFailed as error:
            self._save()
            self._print_how_to_resume()
            raise CommandRefused(error, self.style.language, self.names[seat]) from None

    def _play_person(self, seat: Seat) -> None:
        self._hand_over(seat)
        self._report(seat)
        turn = TurnPrompt(self, seat)
        turn.run()
        if turn.draft.actions:
            self.referee.play(seat, turn.draft.actions)
            self.reported[seat] = len(self.referee.steps)

    def _save(self) -> None:
        """Saves the record; if that fails, the match goes on with a warning."""
        try:
            write_atomically(self.file, write(self.series.record()))
        except OSError as error:
            if not self.save_failed:
                self.print_message("play.not_kept", file=str(self.file), reason=error.strerror or str(error))
            self.save_failed = True
        else:
            self.save_failed = False

    def transcript(self, viewer: Viewer) -> Transcript:
        """The current game as text for that viewer."""
        return Transcript(self.referee, self.names, viewer, self.style, words=self.words)

    def _report(self, viewer: Viewer) -> None:
        """Prints what happened since the viewer's last report, without the dealing, which the table shows."""
        transcript = self.transcript(viewer)
        start = max(transcript.opening_draws, min(self.reported.get(viewer, 0), len(self.referee.steps)))
        self.print_events(transcript.turns(start))
        self.reported[viewer] = len(self.referee.steps)

    def _print_how_to_resume(self) -> None:
        if not self.save_failed:
            self.print_message("play.kept", file=str(self.file), command=f"spieltisch play --resume {self.file}")

    def _print_title(self) -> None:
        game, number = self.referee.game, len(self.series.referees)
        click.echo(self.style.bold(game.title))
        if self.series.games > 1:
            self.print_message("play.game_of", number=number, games=self.series.games)
        elif not self.referee.steps and (advised := game.recommended_games(self.series.setup.players)) > 1:
            self.print_message("play.match", games=advised)
        for note in game.notes():
            click.echo(self.style.wrap(self.style.format(note)))
        kinds = {seat: self.series.names[seat].partition(" ")[0] for seat in self.bots}  # a name may have a number
        bots = [f"{self.names[seat]} ({kind})" for seat, kind in kinds.items() if not self.names[seat].startswith(kind)]
        if bots:
            self.print_message("play.bots", bots=tuple(bots))
        if self.people:
            self.print_message("play.help_hint")

    def _print_result(self) -> None:
        viewer = self.people[0] if len(self.people) == 1 else None
        self.reported.setdefault(viewer, max(self.reported.values(), default=0))  # skip what somebody has seen
        self._report(viewer)
        transcript = self.transcript(viewer)
        click.echo()
        for line in [*transcript.table(), "", *transcript.result()]:
            click.echo(line)
        if self.series.games > 1:
            totals = [f"{name} {total}" for name, total in zip(self.names, self.series.totals(), strict=True)]
            self.print_message("play.totals", totals=", ".join(totals))
            if self.series.over:
                click.echo(self.style.bold(transcript.match_result(self.series.totals(), self.series.ranks())))

    def _hand_over(self, seat: Seat) -> None:
        """Clears the screen before the seat changes, if the game has hidden information."""
        if seat != self.current_viewer and self.referee.game.hides:
            self._clear()
            self.print_message("play.hand_over", name=self.names[seat])
            self.read(self.style.format(say("play.enter")))
            self._clear()
        self.current_viewer = seat

    def _clear(self) -> None:
        if self.style.colour:
            click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)
        else:
            click.echo("\n" * shutil.get_terminal_size().lines, nl=False)

    def read(self, prompt: str) -> str:
        """One line of input."""
        return input(prompt).strip()


with contextlib.suppress(ImportError):  # line editing and history at the prompt, if Python has readline
    import readline  # noqa: F401
