"""What leaves the server: a table as one viewer may know it, made from views and witnesses alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Heard, Over, Pending, Seat, Viewer
from spieltisch.core.json import Json, to_json
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience, Message, message_factory
from spieltisch.match.draft import Draft
from spieltisch.match.referee import Referee
from spieltisch.records import GameRecord, Move, Record, read, write
from spieltisch.records.replay import Transition
from spieltisch.table import events as lines
from spieltisch.table.state import Place, Sitting, Status, Wait

_say = message_factory("")
_SILENT: Final = (lines.Opened, lines.Watched, lines.Gathered, lines.Revealed, lines.Practised)


class Eyes(NamedTuple):
    """Who looks: the hash of a browser's secret, the seat it looks from, and the language it reads."""

    holder: str | None
    viewer: Viewer
    language: str


def eyes(sitting: Sitting, holder: str | None, seat: int | None, language: str) -> Eyes:
    """How somebody looks at the table: from the seat asked for, else from the seat to move or the first that it has."""
    mine = sitting.seats_of(holder)
    if seat in mine or not mine:
        return Eyes(holder, Seat(seat) if mine and seat is not None else None, language)
    pending = sitting.referee.pending if sitting.referee else None
    turn = pending.seat if isinstance(pending, Decision) else None
    return Eyes(holder, turn if turn in mine else mine[0], language)


def told(sitting: Sitting, look: Eyes, after: int) -> dict[str, Json]:
    """The table as it is, and what happened after that line."""
    return {
        "version": sitting.version,
        "events": list(events(sitting, look, after)),
        "table": table(sitting, look),
        "position": position(sitting, look),
    }


def events(sitting: Sitting, look: Eyes, after: int) -> Iterator[Json]:
    """What happened after that line, as the viewer witnessed it."""
    entries = {
        number: (game, place) for game, numbers in enumerate(sitting.numbers) for place, number in enumerate(numbers)
    }
    for number in range(max(after, 0) + 1, sitting.version + 1):
        row = sitting.rows[number - 1]
        event: dict[str, Json] | None
        if number in entries:
            event = _entry(sitting, look, number, *entries[number])
        else:
            event = _other(sitting, look, number, row.line)
        if event is not None:
            yield {"number": number, "at": row.at, **event}


def _entry(sitting: Sitting, look: Eyes, number: int, game: int, place: int) -> dict[str, Json]:
    assert sitting.series is not None
    referee = sitting.series.referees[game]
    happened = referee.transitions[place]
    if happened.step is None:
        words = format_message(_say("table.undone"), look.language)
        return {"kind": "undo", "game": game, "seat": None, "text": sitting.rows[number - 1].line, "words": words}
    if (number, look.viewer) not in sitting.spoken:
        audience = Audience(sitting.named[number - 1], look.viewer)
        sitting.spoken[number, look.viewer] = spoken(referee.game, happened, look.viewer, audience)
    heard, message = sitting.spoken[number, look.viewer]
    kind = "draw" if heard.seat is None else "move"
    return {
        "kind": kind,
        "game": game,
        "seat": heard.seat,
        "text": heard.text,
        "words": format_message(message, look.language),
    }


def spoken(game: AnyGame, happened: Transition[Any, Any], viewer: Viewer, audience: Audience) -> tuple[Heard, Message]:
    """An action as the viewer witnessed it, and the sentence about it."""
    assert happened.step is not None
    before, seat, action = happened.step
    heard = Heard(seat, game.witness(before, action, viewer))
    views = game.observe(before, viewer), game.observe(happened.after, viewer)
    return heard, registry.speech(game).happened(views[0], heard, views[1], audience)


def _other(sitting: Sitting, look: Eyes, number: int, text: str) -> dict[str, Json] | None:
    """A line that is no action: something at the table, or a game that begins or ends."""
    if number in sitting.began:
        game = sitting.began.index(number)
        words = format_message(_say("table.begins", number=game + 1, games=sitting.opened.games), look.language)
        return {"kind": "begin", "game": game, "seat": None, "text": "", "words": words}
    line = lines.parsed(text)
    if line is None or isinstance(line, _SILENT):
        return None
    message = _sentence(sitting, look, number, line)
    kind = type(line).__name__.lower()
    seat = getattr(line, "seat", None)
    return {"kind": kind, "game": None, "seat": seat, "text": "", "words": format_message(message, look.language)}


def _sentence(sitting: Sitting, look: Eyes, number: int, line: lines.Line) -> Message:
    audience = Audience(sitting.named[number - 2 if isinstance(line, lines.Freed) else number - 1], look.viewer)
    match line:
        case lines.Placed(_, name, player):
            kind, _, level = player.partition(":")
            if kind == "level":
                return _say("table.placed_level", name=name, level=level)
            return _say("table.placed", name=name, player=player)
        case lines.Freed(seat, player):
            return audience(_say, "table.left" if player is None else "table.left_bot", seat)
        case lines.Asked(seat, what, about):
            return audience(
                _say, f"table.asked_{what}", seat, **({} if what == "undo" else {"other": audience.names[about]})
            )
        case lines.Answered(seat, yes):
            return audience(_say, "table.yes" if yes else "table.no", seat)
        case lines.Sat(seat) | lines.Lent(seat) | lines.Returned(seat) | lines.Resigned(seat) | lines.Late(seat):
            return audience(_say, f"table.{type(line).__name__.lower()}", seat)
        case lines.Kept(seat):
            return audience(_say, "table.kept", seat)
        case lines.Failed(seat):
            return _say("table.failed", name=audience.names[seat])
        case lines.Ended():
            return _say("table.ended")
        case _:
            return _say("table.followed")


def table(sitting: Sitting, look: Eyes) -> dict[str, Json]:
    """Everything about the table but the game itself."""
    opened, mine, series = sitting.opened, sitting.seats_of(look.holder), sitting.series
    ask = sitting.ask
    waiting = sitting.waiting()
    inside = bool(mine) or look.holder == opened.host
    return {
        "game": opened.game,
        "title": sitting.game.title,
        "edition": opened.edition,
        "options": to_json(opened.options),
        "players": opened.players,
        "games": opened.games,
        "number": len(series.referees) - 1 if series else None,
        "status": sitting.status.value,
        "waiting": waiting.kind.value,
        "turn": waiting.seat,
        "public": opened.public,
        "seconds": opened.seconds,
        "late": opened.late,
        "host": look.holder == opened.host,
        "code": opened.code if inside else None,
        "you": [int(seat) for seat in mine],
        "viewer": look.viewer,
        "hides": sitting.game.hides,
        "seats": [_seat(place, look) for place in sitting.places],
        "ask": None if ask is None else to_json(ask),
        "totals": list(series.totals()) if series else None,
        "practice": bool(series and any(referee.practice for referee in series.referees)),
        "next": sitting.next if look.holder is not None and inside else None,
        "fair": _fair(sitting),
        "notes": [format_message(note, look.language) for note in sitting.game.notes()],
    }  # fmt: skip


def _seat(place: Place, look: Eyes) -> dict[str, Json]:
    kind = "person" if place.holder else "bot" if place.player else "open"
    return {
        "name": place.name,
        "kind": kind,
        "player": place.player,
        "you": place.holder is not None and place.holder == look.holder,
        "kept": place.kept,
        "free": place.left or (place.empty and (not place.kept or place.holder == look.holder)),
        "resigned": place.resigned,
        "late": place.late,
    }


def _fair(sitting: Sitting) -> dict[str, Json]:
    """The proofs of fair chance, as far as they may be known."""
    over = [game for game, _ in enumerate(sitting.numbers) if _is_closed(sitting, game)]
    return {
        "commits": list(sitting.commits()),
        "commitments": [place.commit for place in sitting.places],
        "nonces": [place.nonce if place.revealed else None for place in sitting.places],
        "secrets": [sitting.opened.secrets[game] if game in over else None for game in range(sitting.opened.games)],
    }


def _is_closed(sitting: Sitting, game: int) -> bool:
    """Whether a game will not go on, so that its secret is no longer one."""
    assert sitting.series is not None
    return sitting.ended or isinstance(sitting.series.referees[game].pending, Over)


def position(sitting: Sitting, look: Eyes) -> dict[str, Json] | None:
    """The game under way as the viewer may know it; None before the first."""
    referee = sitting.referee
    if referee is None or sitting.series is None:
        return None
    audience, speech = Audience(sitting.names(), look.viewer), registry.speech(referee.game)
    view = referee.view(look.viewer)
    pending = referee.pending
    body: dict[str, Json] = {
        "game": len(sitting.series.referees) - 1,
        "view": to_json(view),
        "told": list(format_messages(speech.position(view, audience), look.language)),
        "choices": [],
        **ending(referee.game, pending, view, audience, look.language),
    }
    if isinstance(pending, Decision) and sitting.waiting()[:2] == (Wait.PERSON, look.viewer):
        body["choices"] = choices(referee.game, referee.state, view, pending.actions, look.language)
    return body


def ending(game: AnyGame, pending: Pending[Any], view: Any, audience: Audience, language: str) -> dict[str, Json]:
    """How a game has ended and who has won, as soon as it is over."""
    if not isinstance(pending, Over):
        return {"outcome": None, "sheet": [], "winners": None}
    best = [seat for seat, rank in enumerate(pending.outcome.ranks) if rank == 1]
    return {
        "outcome": to_json(pending.outcome),
        "sheet": list(format_messages(registry.speech(game).scores(view, audience), language)),
        "winners": format_message(audience.together(_say, "wins", best), language),
    }


def choices(game: AnyGame, state: Any, view: Any, actions: Sequence[Any], language: str) -> Json:
    """What a seat can choose: its notation, what it would do, and where it is found among many."""
    speech = registry.speech(game)
    return [
        {
            "text": game.write(state, action),
            "words": format_message(speech.choice(view, action), language),
            "paths": [list(format_messages(path, language)) for path in speech.headings(view, action)],
        }
        for action in actions
    ]


def preview(
    referee: Referee[Any, Any, Any], names: Sequence[str], seat: Seat, actions: Sequence[Any], language: str
) -> dict[str, Json]:
    """Where a draft would lead, for the eyes of its seat alone."""
    game, speech = referee.game, registry.speech(referee.game)
    audience = Audience(names, seat)
    draft = Draft(game, referee.state, seat)
    said: list[Json] = []
    for action in actions:
        before = draft.view
        heard = Heard(seat, game.witness(draft.state, action, seat))
        draft.add(action)
        said.append(format_message(speech.happened(before, heard, draft.view, audience), language))
    advice = speech.advice(draft.view_before, actions[-1]) if actions else ()
    return {
        "view": to_json(draft.view),
        "choices": choices(game, draft.state, draft.view, draft.choices, language),
        "complete": draft.complete,
        "words": said,
        "told": list(format_messages(speech.position(draft.view, audience), language)),
        "advice": list(format_messages(advice, language)),
        "signs": [message.key for message in advice],
    }


def record_text(sitting: Sitting, viewer: Viewer) -> str:
    """The record: whole when the match is over, else with what the viewer may not know as `?`."""
    if sitting.series is None or sitting.status is Status.OVER:
        return "\n".join(sitting.script) + "\n" if sitting.script else ""
    if sitting.status is Status.PAUSED:
        return "\n".join(sitting.script) + "\n"
    referee = sitting.series.referee
    start = next(at for at in range(len(sitting.script) - 1, -1, -1) if sitting.script[at].startswith("game "))
    witnessed = [
        Move(happened.step.seat, referee.game.witness(happened.step.before, happened.step.action, viewer))
        if happened.step
        else entry
        for happened, entry in zip(referee.transitions, referee.entries, strict=True)
    ]
    eyes_of = len(sitting.places) if viewer is None else int(viewer)  # one seat further: a spectator
    head = replace(_header(sitting, start), viewer=eyes_of, entries=tuple(witnessed), practice=referee.practice)
    block = write(Record((head,)))[:-1].split("\n")[1:]
    return "\n".join([*sitting.script[:start], *block]) + "\n"


def _header(sitting: Sitting, start: int) -> GameRecord:
    header = [line for line in sitting.script[start:] if not lines.is_entry(line)]
    return read("\n".join(["format spieltisch 1", *header])).games[0]


def summary(sitting: Sitting) -> Mapping[str, Json]:
    """What a list of public tables tells."""
    return {
        "game": sitting.opened.game,
        "title": sitting.game.title,
        "status": sitting.status.value,
        "seats": [place.name if place.holder or place.player else None for place in sitting.places],
        "free": sum(place.left or (place.empty and not place.kept) for place in sitting.places),
    }
