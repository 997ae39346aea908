"""Routes about the server and its games."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse

from spieltisch import __version__, players, registry
from spieltisch.core.game import Choice, Document
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import message_factory
from spieltisch.players import Access
from spieltisch.server.http import responses
from spieltisch.server.http.auth import Language
from spieltisch.server.http.routes.dependencies import api_router

router = api_router()


@router.get("/here", tags=["server"])
def here(request: Request) -> responses.ServerInfo:
    """The version of the server, and its address for people in the same network."""
    return responses.ServerInfo(version=__version__, lan=request.app.state.lan, languages=list(LANGUAGES))


@router.get("/games", tags=["games"])
def list_games(language: Language) -> list[responses.GameCard]:
    """The games that can be played here, with their editions, options and bots."""
    return [_card(name, language) for name in registry.names() if registry.find(name).offered]


def _card(name: str, language: str) -> responses.GameCard:
    game = registry.find(name)

    def text(key: str) -> str:
        return format_message(message_factory(name)(key), language)

    def option(one: Choice | Document) -> responses.Option:
        values = one.values if isinstance(one, Choice) else None
        return responses.Option(
            name=one.name,
            values=None if values is None else list(values),
            names=None if values is None else [text(f"option.{one.name}.{value}") for value in values],
            default=one.default,
            words=text(f"option.{one.name}"),
            about=text(f"option.{one.name}.about"),
        )

    return responses.GameCard(
        game=name,
        title=game.title,
        line=text("line"),
        minutes=game.minutes,
        players=list(game.players),
        editions=[
            responses.Edition(name=one.name, words=text(f"edition.{one.name}"), players=list(one.players))
            for one in game.editions
        ],
        options=[option(one) for one in game.options],
        games={number: game.recommended_games(number) for number in game.players},
        hides=game.hides,
        bots=list(players.names(game, Access.REMOTE)),
        notes=[format_message(note, language) for note in game.notes()],
    )


@router.get("/games/{game}/rules", tags=["games"], response_class=PlainTextResponse)
def rules(
    game: str,
    language: Language,
    numbered: Annotated[bool, Query(description="The numbered rules as implemented, in English.")] = False,
    annotated: Annotated[
        bool, Query(description="With comments that name the numbered rules of a passage, and the figures.")
    ] = False,
) -> str:
    """The rules of a game for people, as Markdown."""
    found = registry.find(game)
    return registry.numbered_rules(found) if numbered else registry.rules_page(found, language, annotated=annotated)
