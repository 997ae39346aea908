"""Turn prompt: the interactive loop in which a person plays one turn at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spieltisch import players, registry
from spieltisch.cli.terminal import say
from spieltisch.core.game import BadNotation, IllegalAction, Refusal, Seat, brief
from spieltisch.core.player import Clock, Seen
from spieltisch.gameplay.draft import Draft
from spieltisch.gameplay.errors import format_refusal
from spieltisch.gameplay.hint import describe_hint
from spieltisch.gameplay.menu import MAX_LISTED, Entry, Menu
from spieltisch.i18n.message import Message
from spieltisch.records import write
from spieltisch.records.files import write_atomically

if TYPE_CHECKING:
    from spieltisch.cli.session import Session


class Quit(Exception):
    """Somebody quits before the end of the match."""


class TurnPrompt:
    """One person's turn: reads choices and commands until the turn is complete, or the turn before it is undone."""

    def __init__(self, session: Session, seat: Seat) -> None:
        self.session = session
        self.style = session.style
        self.seat = seat
        self.referee = session.referee
        self.game = session.referee.game
        self.speech = registry.speech(self.game)
        self.transcript = session.transcript(seat)
        self.draft = Draft(self.game, self.referee.state, seat)
        self.menu = self._new_menu()
        self.listed: list[Entry | Message] = []  # what a number means: the list that was printed last
        self.undone = False
        self.commands: dict[str, Callable[[str], None]] = {
            "-": self._take_back,
            "undo": self._undo,
            "hint": self._hint,
            "log": self._log,
            "text": self._text,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Prompts until the turn is confirmed or undone."""
        self._print_table()
        while not self.undone:
            complete = self.draft.complete
            prompt = say("play.confirm") if complete else say("play.prompt")
            line = self.session.read(self.style.format(prompt) + " ")
            if complete and not line:
                return
            self._handle(line, complete=complete)
            if self.draft.complete and len(self.draft.actions) == 1:
                return

    def _new_menu(self) -> Menu:
        view = self.draft.view
        return Menu(
            [
                Entry(self.game.write(self.draft.state, action), action, self.speech.headings(view, action))
                for action in self.draft.choices
            ]
        )

    # output

    def _print_table(self, prefix: str = "") -> None:
        """The table after the draft, and the choices, or those whose notation starts with the prefix."""
        highlights = [entry.action for entry in self._entries(prefix)]
        click.echo()
        self._print_drawing(highlights)
        click.echo()
        self._print_choices(prefix)

    def _print_drawing(self, highlights: list[Any]) -> None:
        for line in self.transcript.table(self.draft.view, highlights):
            click.echo(line)

    def _entries(self, prefix: str) -> list[Entry]:
        """All choices that start with the prefix; without a prefix, those below the opened headings."""
        if not prefix:
            return self.menu.visible
        return [entry for entry in self.menu.entries if entry.text.startswith(prefix)]

    def _print_choices(self, prefix: str = "") -> None:
        """The choices that start with the prefix, or the headings, by number; a list that is too long is cut."""
        if not prefix and (headings := self.menu.headings):
            self.listed = [heading for heading, _ in headings]
            for number, (heading, count) in enumerate(headings, 1):
                click.echo(f"  {number:>2}  {self.style.format(say('play.heading', heading=heading, n=count))}")
            self.session.print_message("play.headings")
            return
        entries = self._entries(prefix)
        self._print_entries(entries[:MAX_LISTED])
        if len(entries) > MAX_LISTED:
            example = f"? {entries[-1].text[: len(prefix) + 2]}"
            self.session.print_message("play.more", more=len(entries) - MAX_LISTED, example=example)
        if self.menu.opened:
            self.session.print_message("play.back_to_headings")

    def _print_entries(self, entries: list[Entry]) -> None:
        style = self.style
        self.listed = list(entries)
        width = max((len(entry.text) for entry in entries), default=0)
        for number, entry in enumerate(entries, 1):
            sentence = style.format(self.speech.choice(self.draft.view, entry.action))
            if width > style.width // 3:  # the notation leaves too little room: the sentence goes below it
                click.echo(f"  {number:>2}  {style.bold(entry.text)}")
                click.echo(style.wrap(sentence, " " * 6, 6))
            else:
                head = f"  {number:>2}  {style.bold(f'{entry.text:<{width}}')}  "
                click.echo(style.wrap(sentence, head, width + 8))

    def _print_advice(self, view: Any, action: Any) -> None:
        for message in self.speech.advice(view, action):
            click.echo(self.style.wrap(self.style.format(message)))

    # input

    def _handle(self, line: str, *, complete: bool) -> None:
        word, _, rest = line.partition(" ")
        if line.startswith("?"):
            self._explain(line[1:].strip())
        elif word in self.commands:
            self.commands[word](rest.strip())
        elif complete:
            self.session.print_message("play.whole")
        elif line:
            self._choose(line)
        else:
            self._print_choices()

    def _choose(self, line: str) -> None:
        """Adds a choice to the draft, by its notation or its number, or opens the heading with that number."""
        by_text = {entry.text: entry for entry in self.menu.entries}
        if line in by_text:
            self._add(by_text[line])
        elif line.isdecimal() and line.isascii():
            if (found := self._by_number(line)) is None:
                self.session.print_message("play.number", most=len(self.listed))
            elif isinstance(found, Entry):
                self._add(found)
            else:
                self.menu.open(found)
                self._print_table()
        elif any(text.startswith(line) for text in by_text):
            self._print_table(line)
        else:
            click.echo(self.style.wrap(self._reason_against(line)))

    def _by_number(self, line: str) -> Entry | Message | None:
        """The choice or heading with that number in the list that was printed last."""
        number = int(line) if line.isdecimal() and line.isascii() and len(line) < 6 else 0
        return self.listed[number - 1] if 1 <= number <= len(self.listed) else None

    def _add(self, entry: Entry) -> None:
        self.draft.add(entry.action)
        self.menu = self._new_menu()
        if len(self.draft.actions) > 1 or not self.draft.complete:
            self._print_table()

    def _reason_against(self, line: str) -> str:
        """Why that move is impossible: the rule that forbids it, or how moves are written."""
        if self.draft.complete:  # the next decision is another player's and may not be known yet
            return self.style.format(say("play.whole"))
        try:
            self.game.apply(self.draft.state, self.game.read(self.draft.state, line))
        except (BadNotation, IllegalAction) as error:
            return format_refusal(error, self.style.language)
        return self.style.format(say("play.possible", move=line))

    def _explain(self, about: str) -> None:
        """Prints all choices; or what one move would do, or why it is impossible."""
        if not about:
            self._print_choices()
            if self.draft.complete and self.draft.actions:
                self._print_advice(self.draft.view_before, self.draft.actions[-1])
            self.session.print_message("play.help")
            return
        by_text = {entry.text: entry for entry in self.menu.entries}
        entry = by_text.get(about) or self._by_number(about)
        if isinstance(entry, Message):
            self.menu.open(entry)
            self._print_table()
        elif entry:
            self._print_drawing([entry.action])
            sentence = self.style.format(self.speech.choice(self.draft.view, entry.action))
            self.session.print_message("play.would", move=entry.text, words=sentence)
            self._print_advice(self.draft.view, entry.action)
        elif any(text.startswith(about) for text in by_text):
            self._print_table(about)
        else:
            click.echo(self.style.wrap(self._reason_against(about)))

    # commands

    def _take_back(self, _: str) -> None:
        """Closes the heading that was opened last; if none is open, takes back the draft's last action."""
        if self.menu.close():
            self._print_table()
        elif self.draft.take_back():
            self.menu = self._new_menu()
            self._print_table()
        else:
            self.session.print_message("play.nothing_back")

    def _undo(self, _: str) -> None:
        """Goes back to the seat's previous turn, if all other players are bots."""
        if len(self.session.people) > 1:
            self.session.print_message("play.undo_people")
            return
        try:
            self.referee.undo(self.referee.since_last_turn(self.seat))
        except Refusal as error:
            click.echo(format_refusal(error, self.style.language))
            return
        self.draft = Draft(self.game, self.referee.state, self.seat)
        self.menu = self._new_menu()
        self.session.reported[self.seat] = len(self.referee.steps)
        self.undone = True
        self.session.print_message("play.undone")

    def _hint(self, _: str) -> None:
        """Prints what a bot would choose that knows only what this seat may know, and why."""
        if self.draft.complete:
            self.session.print_message("play.no_hint")
            return
        heard = (*self.referee.heard(self.seat), *self.draft.heard)
        action = players.make(players.STRONGEST, self.game, 0).choose(
            Seen(self.draft.view, self.draft.choices, heard), Clock()
        )
        words = describe_hint(self.game, self.draft.view, action, self.draft.choices)
        move = self.game.write(self.draft.state, action)
        self.session.print_message("play.hint", move=move, words=self.style.format(words.proposal))
        if words.reason:
            click.echo(self.style.wrap(self.style.format(words.reason)))

    def _log(self, _: str) -> None:
        """Prints what happened since this seat's last turn started, or since the deal before its first turn."""
        past = self.referee.since_last_turn(self.seat)
        start = len(self.referee.steps) - past if past else self.transcript.opening_draws
        self.session.print_events(self.transcript.turns(start))

    def _text(self, _: str) -> None:
        for message in self.speech.position(self.draft.view, self.transcript.audience):
            click.echo(self.style.wrap(self.style.format(message)))

    def _rules(self, _: str) -> None:
        click.echo(registry.rules_page(self.game, self.style.language, numbers=True))

    def _save(self, name: str) -> None:
        """Saves the record to the named file; without a name, to the file that the match is saved in anyway."""
        try:
            path = Path(name).expanduser() if name else self.session.file
            if name and path.exists():
                self.session.print_message("file.exists", file=name)
                return
            write_atomically(path, write(self.session.series.record()))
        except (OSError, RuntimeError, ValueError) as error:  # an unknown home, a NUL in the name, a full disk
            reason = error.strerror if isinstance(error, OSError) else None
            self.session.print_message("file.cannot", file=brief(name), reason=reason or str(error))
            return
        self.session.print_message("play.saved", file=str(path), command=f"spieltisch play --resume {path}")

    def _quit(self, _: str) -> None:
        raise Quit
