"""Pictures of positions: a game so far, drawn for one viewer as an SVG document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over, Refusal, Seat, Viewer
from spieltisch.core.picture import Picture, PictureStyle
from spieltisch.core.picture.document import still
from spieltisch.core.picture.svg import text_width
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.gameplay.result import announce
from spieltisch.i18n.message import Audience, message_factory

_say = message_factory("")
_CAPTION = 1720  # the width of two lines


class NoPicture(Refusal):
    """The game draws no pictures."""

    code = "no-picture"


class NoPly(Refusal):
    """The game has fewer plies."""

    code = "no-ply"


class Frame(NamedTuple):
    """A drawn position: the picture, its title, its caption, and a description in sentences."""

    picture: Picture
    title: str
    caption: str
    description: str


def no_picture(game: AnyGame) -> NoPicture:
    """The refusal if a picture is needed and the game draws none."""
    return NoPicture(_say("picture.none", title=game.title))


def plies(progress: AnyProgress) -> int:
    """How many decisions players have made."""
    return sum(step.seat is not None for step in progress.steps)


def cut(progress: AnyProgress, ply: int) -> AnyProgress:
    """The game after that many decisions and the draws that they cause; NoPly if there are fewer."""
    left = ply
    for length, step in enumerate(progress.steps):
        if step.seat is not None:
            if not left:
                return _ending(progress, length)
            left -= 1
    if left:
        raise NoPly(_say("match.ply", last=ply - left, given=str(ply)))
    return progress


def _ending(progress: AnyProgress, length: int) -> AnyProgress:
    state, path = progress.steps[length].before, progress.path.cut(length)
    return replace(progress, state=state, pending=progress.game.pending(state), log=path, path=path)


def picture(
    progress: AnyProgress, viewer: Viewer, names: Sequence[str], language: str = "en", *, dark: bool = False
) -> str:
    """The position as an SVG document with what the viewer (None is a spectator) may know; the last turn is marked."""
    style = PictureStyle(dark, language)
    frame = draw(progress, Audience(names, viewer), style)
    return still(frame.picture, style, frame.title, frame.description, frame.caption)


def draw(progress: AnyProgress, audience: Audience, style: PictureStyle) -> Frame:
    """The position, drawn for the seat that the audience addresses; NoPicture if the game has no pictures."""
    game = progress.game
    drawn = registry.picture(game)
    if drawn is None:
        raise no_picture(game)
    viewer = _viewer(audience)
    view = game.observe(progress.state, viewer)
    start = _last_turn(progress)
    before = None if start is None else game.observe(progress.steps[start].before, viewer)
    caption = _caption(progress, audience, style)
    speech = registry.speech(game)
    description = " ".join(style.format(message) for message in speech.position(view, audience))
    title = f"{game.title}: {caption}" if caption else game.title
    return Frame(drawn(view, audience, style, before), title, caption or game.title, description)


def _viewer(audience: Audience) -> Viewer:
    return None if audience.listener is None else Seat(audience.listener)


def _last_turn(progress: AnyProgress) -> int | None:
    """The index of the step with which the last turn started; None if nobody has decided anything."""
    steps, start = progress.steps, None
    seat = next((step.seat for step in reversed(steps) if step.seat is not None), None)
    for index in range(len(steps) - 1, -1, -1):
        if steps[index].seat is not None and steps[index].seat != seat:
            break
        if steps[index].seat is not None:
            start = index
    return start


def _caption(progress: AnyProgress, audience: Audience, style: PictureStyle) -> str:
    """What happened last, as far as there is room for it; at the end who won and why."""
    end = ""
    if isinstance(progress.pending, Over):
        view, heard = progress.view(_viewer(audience)), progress.heard(_viewer(audience))
        result = announce(progress.game, progress.pending.outcome, view, heard, audience)
        end = " ".join(style.format(message) for message in (result.headline, *result.reason))
    told = [sentence for sentence, _ in groupby(_sentences(progress, audience, style))]
    while len(told) > (not end) and text_width(" ".join([*told, end]), 16) > _CAPTION:
        told.pop(0 if end else -1)  # how a game ended says more than how its last turn started
    return " ".join([*told, end]).strip()


def _sentences(progress: AnyProgress, audience: Audience, style: PictureStyle) -> Iterator[str]:
    """The last decision and the draws that it set off."""
    game, viewer = progress.game, _viewer(audience)
    speech, steps = registry.speech(game), progress.steps
    start = next((index for index in range(len(steps) - 1, -1, -1) if steps[index].seat is not None), None)
    if start is None:
        return
    states = [step.before for step in steps[start:]] + [progress.state]
    views = [game.observe(state, viewer) for state in states]
    for place, played in enumerate(progress.path[start:]):
        heard = played.witness(game, viewer)
        yield style.format(speech.happened(views[place], heard, views[place + 1], audience))
