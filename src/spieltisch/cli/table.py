"""A table in the terminal: people and bots play one match on one screen."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from spieltisch import players, registry
from spieltisch.cli.menu import MOST_LISTED, Entry, Menu
from spieltisch.cli.story import Story
from spieltisch.cli.terminal import refusal_text, say, write_whole
from spieltisch.game import BadNotation, IllegalAction, Over, Refusal, Seat, Viewer, brief
from spieltisch.match.draft import Draft
from spieltisch.match.referee import Referee
from spieltisch.match.series import Series
from spieltisch.message import Argument
from spieltisch.pen import Pen
from spieltisch.player import AnyPlayer, Clock, Seen
from spieltisch.record import write


class Leave(Exception):
    """Somebody gets up before the end."""


class Table:
    """People and bots around one screen; the record is kept after every turn."""

    def __init__(
        self,
        series: Series[Any, Any, Any],
        bots: Mapping[int, AnyPlayer],
        names: Sequence[str],
        pen: Pen,
        file: Path,
        *,
        words: bool = False,
    ) -> None:
        self.series = series
        self.bots = bots
        self.names = names
        self.pen = pen
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
        words = self.pen.words(say(key, **arguments))
        click.echo(words if "file" in arguments else self.pen.wrapped(words))  # a path must stay in one piece

    def tell(self, lines: Sequence[str]) -> None:
        """What happened, a line each."""
        for line in lines:
            click.echo(self.pen.wrapped(line, self.pen.dim("· "), 2))

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
                self.referee.ask(self.bots[pending.seat])
            else:
                self._turn(pending.seat)
            if not self.people:
                self._tell(None)
        self._keep()
        self._end()

    def _announce(self) -> None:
        game, number = self.referee.game, len(self.series.referees)
        click.echo(self.pen.bold(game.title))
        if self.series.games > 1:
            self.say("play.game_of", number=number, games=self.series.games)
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
        return Story(self.referee, self.names, viewer, self.pen, words=self.words)

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
                click.echo(self.pen.bold(story.winners(self.series.ranks())))

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
            self.read(self.pen.words(say("play.enter")))
            self._clear()
        self.at_screen = seat

    def _clear(self) -> None:
        if self.pen.colour:
            click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)
        else:
            click.echo("\n" * shutil.get_terminal_size().lines, nl=False)

    def read(self, prompt: str) -> str:
        """A line from whoever sits at the screen."""
        return input(prompt).strip()


class Turn:
    """One turn of a person: choices, questions, steps taken back, until the turn is whole or taken back beyond it."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table = table
        self.seat = seat
        self.referee = table.referee
        self.game = table.referee.game
        self.speech = registry.speech(self.game)
        self.story = table.story(seat)
        self.draft = Draft(self.game, self.referee.state, seat)
        self.menu = self.new_menu()
        self.done = False
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.explain,
            "-": self.take_back,
            "undo": self.undo,
            "hint": self.hint,
            "log": self.log,
            "text": self.text,
            "rules": self.rules,
            "save": self.save,
            "quit": self.quit,
        }

    def run(self) -> None:
        """Asks until the turn is played, or undone."""
        self.show()
        while not self.done:
            whole = self.draft.complete
            prompt = say("play.confirm") if whole else say("play.prompt")
            line = self.table.read(self.table.pen.words(prompt) + " ")
            if whole and not line:
                return
            self.answer(line, whole=whole)
            if self.draft.complete and len(self.draft.actions) == 1:
                return

    def new_menu(self) -> Menu:
        """All that can be chosen now, below its headings."""
        view = self.draft.view
        return Menu(
            [
                Entry(number, self.game.write(self.draft.state, action), action, self.speech.headings(view, action))
                for number, action in enumerate(self.draft.choices, 1)
            ]
        )

    def show(self, beginning: str = "") -> None:
        """The table as the draft would leave it, and the choices, or those that begin like that."""
        lit = [entry.action for entry in self.menu.here if entry.text.startswith(beginning)]
        click.echo()
        for line in self.story.table(self.draft.view, lit):
            click.echo(line)
        click.echo()
        self.choices(beginning)

    def choices(self, beginning: str = "") -> None:
        """The choices by number, those that begin like that, or headings; a list that is still long is cut."""
        pen = self.table.pen
        if not beginning and (headings := self.menu.headings):
            for number, (heading, count) in enumerate(headings, 1):
                click.echo(f"  {number:>2}  {pen.words(say('play.heading', heading=heading, n=count))}")
            self.table.say("play.headings")
            return
        entries = [entry for entry in self.menu.here if entry.text.startswith(beginning)]
        width = max((len(entry.text) for entry in entries[:MOST_LISTED]), default=0)
        for entry in entries[:MOST_LISTED]:
            words = pen.words(self.speech.choice(self.draft.view, entry.action))
            if width > pen.width // 3:  # a notation that leaves no room: the sentence below it
                click.echo(f"  {entry.number:>2}  {pen.bold(entry.text)}")
                click.echo(pen.wrapped(words, " " * 6, 6))
            else:
                head = f"  {entry.number:>2}  {pen.bold(f'{entry.text:<{width}}')}  "
                click.echo(pen.wrapped(words, head, width + 8))
        if len(entries) > MOST_LISTED:
            self.table.say("play.more", more=len(entries) - MOST_LISTED, example=f"? {entries[-1].text[:2]}")
        if self.menu.opened:
            self.table.say("play.back_to_headings")

    def answer(self, line: str, *, whole: bool) -> None:
        word, _, rest = line.partition(" ")
        if line.startswith("?"):
            self.explain(line[1:].strip())
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif whole:
            self.table.say("play.whole")
        elif line:
            self.choose(line)
        else:
            self.choices()

    def choose(self, line: str) -> None:
        """Adds the choice to the draft: by its notation, or by its number; or opens the heading of that number."""
        named = {entry.text: entry for entry in self.menu.entries}
        if line in named:
            self.add(named[line])
        elif line.isdecimal() and line.isascii():
            headings = self.menu.headings
            most = len(headings or self.menu.entries)
            if not (len(line) < 6 and 1 <= int(line) <= most):
                self.table.say("play.number", most=most)
            elif headings:
                self.menu.open(headings[int(line) - 1][0])
                self.show()
            else:
                self.add(self.menu.entries[int(line) - 1])
        elif any(text.startswith(line) for text in named):
            self.show(line)
        else:
            click.echo(self.table.pen.wrapped(self.why_not(line)))

    def add(self, entry: Entry) -> None:
        self.draft.add(entry.action)
        self.menu = self.new_menu()
        if len(self.draft.actions) > 1 or not self.draft.complete:
            self.show()

    def why_not(self, line: str) -> str:
        """Why that is not possible: the rule that says no, or how a move is written."""
        try:
            self.game.apply(self.draft.state, self.game.read(self.draft.state, line))
        except (BadNotation, IllegalAction) as error:
            return refusal_text(error, self.table.pen.language)
        return self.table.pen.words(say("play.possible", move=line))

    def explain(self, about: str) -> None:
        """What is possible; about a move: what it would do, or why it cannot be done."""
        if not about:
            self.choices()
            self.table.say("play.help")
            return
        named = {entry.text: entry for entry in self.menu.entries}
        numbered = {str(entry.number): entry for entry in self.menu.here if not self.menu.headings}
        entry = named.get(about) or numbered.get(about)
        if entry:
            for line in self.story.table(self.draft.view, [entry.action]):
                click.echo(line)
            words = self.table.pen.words(self.speech.choice(self.draft.view, entry.action))
            self.table.say("play.would", move=entry.text, words=words)
        elif any(text.startswith(about) for text in named):
            self.show(about)
        else:
            click.echo(self.table.pen.wrapped(self.why_not(about)))

    def take_back(self, _: str) -> None:
        """Closes the heading that was opened last; where none was, takes the draft's last step out."""
        if self.menu.close():
            self.show()
        elif self.draft.take_back():
            self.menu = self.new_menu()
            self.show()
        else:
            self.table.say("play.nothing_back")

    def undo(self, _: str) -> None:
        """Goes back to the seat's turn before, where only bots sit opposite."""
        if len(self.table.people) > 1:
            self.table.say("play.undo_people")
            return
        try:
            self.referee.undo(self.referee.since_last_turn(self.seat))
        except Refusal as error:
            click.echo(refusal_text(error, self.table.pen.language))
            return
        self.draft = Draft(self.game, self.referee.state, self.seat)
        self.menu = self.new_menu()
        self.table.told[self.seat] = len(self.referee.steps)
        self.done = True
        self.table.say("play.undone")

    def hint(self, _: str) -> None:
        """What a bot would do, from what this seat may know."""
        name = players.best(self.game)
        if name == "random" or self.draft.complete:
            self.table.say("play.no_hint")
            return
        heard = (*self.referee.heard(self.seat), *self.draft.heard)
        action = players.make(name, self.game, 0).choose(Seen(self.draft.view, self.draft.choices, heard), Clock())
        words = self.table.pen.words(self.speech.choice(self.draft.view, action))
        self.table.say("play.hint", move=self.game.write(self.draft.state, action), words=words)

    def log(self, _: str) -> None:
        """What happened since this seat's last turn began; since the dealing where it had none."""
        past = self.referee.since_last_turn(self.seat)
        self.table.tell(self.story.since(len(self.referee.steps) - past if past else self.story.dealt))

    def text(self, _: str) -> None:
        for message in self.speech.position(self.draft.view, self.story.voices):
            click.echo(self.table.pen.wrapped(self.table.pen.words(message)))

    def rules(self, _: str) -> None:
        click.echo(registry.rules_page(self.game, self.table.pen.language))

    def save(self, name: str) -> None:
        """Writes the record to a file of that name; without a name says where it is kept."""
        try:
            path = Path(name).expanduser() if name else self.table.file
            if name and path.exists():
                self.table.say("file.exists", file=name)
                return
            write_whole(path, write(self.table.series.record()))
        except (OSError, RuntimeError, ValueError) as error:  # no such home, a name with a zero byte, a full disk
            reason = error.strerror if isinstance(error, OSError) else None
            self.table.say("file.cannot", file=brief(name), reason=reason or str(error))
            return
        self.table.say("play.saved", file=str(path), command=f"spieltisch play --resume {path}")

    def quit(self, _: str) -> None:
        raise Leave


with contextlib.suppress(ImportError):  # line editing and history at the prompt, where there is readline
    import readline  # noqa: F401
