"""One turn of a person at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spieltisch import players, registry
from spieltisch.cli.menu import MOST_LISTED, Entry, Menu
from spieltisch.cli.terminal import refusal_text, say, write_whole
from spieltisch.core.game import BadNotation, IllegalAction, Refusal, Seat, brief
from spieltisch.core.player import Clock, Seen
from spieltisch.i18n.message import Message
from spieltisch.match.draft import Draft
from spieltisch.records import write

if TYPE_CHECKING:
    from spieltisch.cli.table import Table


class Leave(Exception):
    """Somebody gets up before the end."""


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
        self.listed: list[Entry | Message] = []
        self.done = False
        self.commands: dict[str, Callable[[str], None]] = {
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
            line = self.table.read(self.table.style.format(prompt) + " ")
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
                Entry(self.game.write(self.draft.state, action), action, self.speech.headings(view, action))
                for action in self.draft.choices
            ]
        )

    def show(self, beginning: str = "") -> None:
        """The table as the draft would leave it, and the choices, or those that begin like that."""
        highlights = [entry.action for entry in self.beginning_with(beginning)]
        click.echo()
        for line in self.story.table(self.draft.view, highlights):
            click.echo(line)
        click.echo()
        self.choices(beginning)

    def beginning_with(self, beginning: str) -> list[Entry]:
        """The choices that begin like that, whatever is opened; without a beginning those below the opened headings."""
        if not beginning:
            return self.menu.here
        return [entry for entry in self.menu.entries if entry.text.startswith(beginning)]

    def choices(self, beginning: str = "") -> None:
        """The choices by number, those that begin like that, or headings; a list that is still long is cut.

        What was listed last is what a number means.
        """
        style = self.table.style
        if not beginning and (headings := self.menu.headings):
            self.listed = [heading for heading, _ in headings]
            for number, (heading, count) in enumerate(headings, 1):
                click.echo(f"  {number:>2}  {style.format(say('play.heading', heading=heading, n=count))}")
            self.table.say("play.headings")
            return
        entries = self.beginning_with(beginning)
        listed = entries[:MOST_LISTED]
        self.listed = list(listed)
        width = max((len(entry.text) for entry in listed), default=0)
        for number, entry in enumerate(listed, 1):
            words = style.format(self.speech.choice(self.draft.view, entry.action))
            if width > style.width // 3:  # a notation that leaves no room: the sentence below it
                click.echo(f"  {number:>2}  {style.bold(entry.text)}")
                click.echo(style.wrap(words, " " * 6, 6))
            else:
                head = f"  {number:>2}  {style.bold(f'{entry.text:<{width}}')}  "
                click.echo(style.wrap(words, head, width + 8))
        if len(entries) > MOST_LISTED:
            example = f"? {entries[-1].text[: len(beginning) + 2]}"
            self.table.say("play.more", more=len(entries) - MOST_LISTED, example=example)
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
            if (found := self.numbered(line)) is None:
                self.table.say("play.number", most=len(self.listed))
            elif isinstance(found, Entry):
                self.add(found)
            else:
                self.menu.open(found)
                self.show()
        elif any(text.startswith(line) for text in named):
            self.show(line)
        else:
            click.echo(self.table.style.wrap(self.why_not(line)))

    def numbered(self, line: str) -> Entry | Message | None:
        """The choice or the heading of that number in the last list."""
        number = int(line) if line.isdecimal() and line.isascii() and len(line) < 6 else 0
        return self.listed[number - 1] if 1 <= number <= len(self.listed) else None

    def add(self, entry: Entry) -> None:
        self.draft.add(entry.action)
        self.menu = self.new_menu()
        if len(self.draft.actions) > 1 or not self.draft.complete:
            self.show()

    def why_not(self, line: str) -> str:
        """Why that is not possible: the rule that says no, or how a move is written."""
        if self.draft.complete:  # what comes next is not the player's, and not to be known yet
            return self.table.style.format(say("play.whole"))
        try:
            self.game.apply(self.draft.state, self.game.read(self.draft.state, line))
        except (BadNotation, IllegalAction) as error:
            return refusal_text(error, self.table.style.language)
        return self.table.style.format(say("play.possible", move=line))

    def explain(self, about: str) -> None:
        """What is possible; about a move: what it would do, or why it cannot be done."""
        if not about:
            self.choices()
            if self.draft.complete and self.draft.actions:
                self.advise(self.draft.view_before, self.draft.actions[-1])
            self.table.say("play.help")
            return
        named = {entry.text: entry for entry in self.menu.entries}
        entry = named.get(about) or self.numbered(about)
        if isinstance(entry, Message):
            self.menu.open(entry)
            self.show()
        elif entry:
            for line in self.story.table(self.draft.view, [entry.action]):
                click.echo(line)
            words = self.table.style.format(self.speech.choice(self.draft.view, entry.action))
            self.table.say("play.would", move=entry.text, words=words)
            self.advise(self.draft.view, entry.action)
        elif any(text.startswith(about) for text in named):
            self.show(about)
        else:
            click.echo(self.table.style.wrap(self.why_not(about)))

    def advise(self, view: Any, action: Any) -> None:
        for message in self.speech.advice(view, action):
            click.echo(self.table.style.wrap(self.table.style.format(message)))

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
            click.echo(refusal_text(error, self.table.style.language))
            return
        self.draft = Draft(self.game, self.referee.state, self.seat)
        self.menu = self.new_menu()
        self.table.told[self.seat] = len(self.referee.steps)
        self.done = True
        self.table.say("play.undone")

    def hint(self, _: str) -> None:
        """What a bot would do, from what this seat may know."""
        if self.draft.complete:
            self.table.say("play.no_hint")
            return
        heard = (*self.referee.heard(self.seat), *self.draft.heard)
        action = players.make(players.STRONGEST, self.game, 0).choose(
            Seen(self.draft.view, self.draft.choices, heard), Clock()
        )
        words = self.table.style.format(self.speech.choice(self.draft.view, action))
        self.table.say("play.hint", move=self.game.write(self.draft.state, action), words=words)

    def log(self, _: str) -> None:
        """What happened since this seat's last turn began; since the dealing where it had none."""
        past = self.referee.since_last_turn(self.seat)
        self.table.tell(self.story.since(len(self.referee.steps) - past if past else self.story.dealt))

    def text(self, _: str) -> None:
        for message in self.speech.position(self.draft.view, self.story.audience):
            click.echo(self.table.style.wrap(self.table.style.format(message)))

    def rules(self, _: str) -> None:
        click.echo(registry.rules_page(self.game, self.table.style.language))

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
