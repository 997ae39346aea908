"""The paths of the server: every command is HTTP with JSON, and names no game."""

from __future__ import annotations

import json
import re
from typing import Annotated, Final, ParamSpec

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse

from spieltisch import __version__, players, registry
from spieltisch.core.game import Choice, Document
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import message_factory
from spieltisch.players import Access
from spieltisch.server.http import requests, responses
from spieltisch.server.http.auth import (
    Client,
    Language,
    OptionalClient,
    RequiredClient,
    check_request,
    client_address,
    set_cookie,
)
from spieltisch.server.http.limits import RateLimiter
from spieltisch.server.http.sse import Stream, tell, watch
from spieltisch.server.runtime.tables import Tables, new_code, new_name, new_secrets
from spieltisch.server.workers import rules as rules_worker
from spieltisch.server.workers.rules import Watcher
from spieltisch.table.commands import play, seating
from spieltisch.table.commands.context import Command

P = ParamSpec("P")
MOST_LISTED: Final = 50
_say = message_factory("")

WHY = {status: {"model": responses.Refusal} for status in (403, 404, 409, 413, 422, 429, 503)}
router = APIRouter(prefix="/api", responses=WHY, dependencies=[Depends(check_request)])  # type: ignore[arg-type]


async def tables_of(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def limits_of(request: Request) -> RateLimiter:
    limits: RateLimiter = request.app.state.limits
    return limits


Here = Annotated[Tables, Depends(tables_of)]
Seat = Annotated[int | None, Query(ge=0, le=99, description="Which of one's own seats looks, where there are several.")]


class Json(Response):
    """JSON that is ready to be sent."""

    media_type = "application/json"

    def __init__(self, body: bytes | str, status: int = 200) -> None:
        super().__init__(body, status)
        self.headers["cache-control"] = "no-store"


async def _do(tables: Tables, table: str, command: Command, who: Client, asked: requests.Keyed) -> Json:
    return Json(await tables.perform(table, command, who.holder, asked.key, asked.model_dump_json(exclude={"key"})))


@router.get("/here", tags=["server"])
def here(request: Request) -> responses.Here:
    """Which server this is, and where people in the same network reach it."""
    return responses.Here(version=__version__, lan=request.app.state.lan, languages=list(LANGUAGES))


@router.get("/games", tags=["games"])
def games(language: Language) -> list[responses.GameCard]:
    """The games that can be played here, with their editions, options and bots."""
    return [_card(name, language) for name in registry.names() if registry.find(name).offered]


def _card(name: str, language: str) -> responses.GameCard:
    game = registry.find(name)

    def word(key: str) -> str:
        return format_message(message_factory(name)(key), language)

    options = [
        responses.Option(
            name=option.name,
            values=list(option.values) if isinstance(option, Choice) else None,
            names=[word(f"option.{option.name}.{one}") for one in option.values]
            if isinstance(option, Choice)
            else None,
            default=option.default,
            words=word(f"option.{option.name}"),
        )
        for option in game.options
        if isinstance(option, Choice | Document)
    ]
    return responses.GameCard(
        game=name,
        title=game.title,
        line=word("line"),
        minutes=game.minutes,
        players=list(game.players),
        editions=[
            responses.Edition(name=one.name, words=word(f"edition.{one.name}"), players=list(one.players))
            for one in game.editions
        ],
        options=options,
        games={number: game.recommended_games(number) for number in game.players},
        hides=game.hides,
        bots=list(players.names(game, Access.REMOTE)),
        notes=[format_message(note, language) for note in game.notes()],
    )


@router.get("/games/{game}/rules", tags=["games"], response_class=PlainTextResponse)
def rules(
    game: str,
    language: Language,
    numbered: Annotated[bool, Query(description="The rules that refusals name, by number and in English.")] = False,
) -> str:
    """The rules of a game for people, as Markdown."""
    found = registry.find(game)
    return registry.numbered_rules(found) if numbered else registry.rules_page(found, language)


@router.get("/tables", tags=["tables"])
async def public_tables(tables: Here) -> list[responses.Listed]:
    """The public tables where something is going on, the latest first."""
    return [
        responses.Listed(table=name, **json.loads(summary))
        for name, summary in await tables.store.list_public(MOST_LISTED)
    ]


@router.post("/tables", tags=["tables"], status_code=201, response_model=responses.OpenedTable)
async def open_table(asked: requests.OpenTable, request: Request, tables: Here, who: RequiredClient) -> Response:
    """Opens a table. Where no seat is open, the match begins as soon as the nonces are revealed."""
    limits_of(request).count_table(client_address(request))
    seats = [seating.Plan(one.kind, one.name, one.player, one.commit) for one in asked.seats]
    command = seating.Open(
        asked.game, seats, asked.edition, asked.options, asked.first, asked.games, asked.public, asked.seconds,
        asked.late, new_code(), new_secrets(),
    )  # fmt: skip
    told = json.dumps(asked.model_dump(exclude={"key"}), sort_keys=True)
    table = await tables.open_table(command, who.holder, asked.key, told)
    answer = Json(json.dumps({"table": table}), 201)
    set_cookie(request, answer, who)
    return answer


@router.get("/tables/{table}", tags=["tables"], response_model=responses.Told)
async def look(table: str, tables: Here, who: OptionalClient, language: Language, seat: Seat = None) -> Response:
    """The table and the game as the browser may know them, without the events."""
    found = await tables.find(table)
    return Json(await tables.ask(found, rules_worker.tell, who and who.holder, seat, language, 10**9))


@router.get("/tables/{table}/events", tags=["tables"], response_model=responses.Told)
async def events(
    table: str,
    tables: Here,
    who: OptionalClient,
    language: Language,
    seat: Seat = None,
    after: Annotated[int, Query(ge=0, le=10**9, description="The last event that is known.")] = 0,
) -> Response:
    """The same, with everything that happened after an event."""
    found = await tables.find(table)
    return Json(await tables.ask(found, rules_worker.tell, who and who.holder, seat, language, after))


@router.get("/tables/{table}/stream", tags=["tables"], response_class=Stream)
async def stream(
    table: str,
    request: Request,
    tables: Here,
    who: OptionalClient,
    language: Language,
    seat: Seat = None,
    after: Annotated[int, Query(ge=0, le=10**9, description="The last event that is known.")] = 0,
    last_event_id: Annotated[str | None, Header(description="The same, from browsers that connect again.")] = None,
) -> Response:
    """The table as an event stream: `happened` for every event that was missed and every new one, `table` for how
    it is then, `here` for the seats whose people are there, `clock` where a turn has a limit, `gone` at the end of
    the table.
    """
    known = int(last_event_id) if last_event_id and re.fullmatch(r"[0-9]{1,9}", last_event_id) else after
    found = await tables.find(table)
    limits_of(request).check_streams(client_address(request))
    watcher = Watcher(who and who.holder, seat, language, known)
    first = await tell(tables, found, watcher)  # a refusal is an answer of its own
    answer = Stream(watch(tables, found, watcher, first), limits_of(request).stream_slot(client_address(request)))
    answer.headers.update({"cache-control": "no-store", "x-accel-buffering": "no"})
    return answer


@router.get("/tables/{table}/record", tags=["tables"], response_class=PlainTextResponse)
async def record(table: str, tables: Here, who: OptionalClient, seat: Seat = None) -> Response:
    """The record: whole when the match is over, before that as the seat witnessed it."""
    found = await tables.find(table)
    text = await tables.ask(found, rules_worker.record, who and who.holder, seat)
    answer = PlainTextResponse(text)
    answer.headers["content-disposition"] = f'attachment; filename="{table}.game"'
    answer.headers["cache-control"] = "no-store"
    return answer


@router.delete("/tables/{table}", tags=["tables"], status_code=204)
async def delete(table: str, tables: Here, who: RequiredClient) -> None:
    """Deletes the table and everything that is known of it; for its host."""
    await tables.delete(table, who.holder)


@router.post("/tables/{table}/watch", tags=["seats"], response_model=responses.Done)
async def come(table: str, asked: requests.Watch, request: Request, tables: Here, who: RequiredClient) -> Response:
    """Comes to a private table by its invitation, to watch or to sit down later."""
    answer = await _do(tables, table, seating.Watch(asked.code), who, asked)
    set_cookie(request, answer, who)
    return answer


@router.post("/tables/{table}/join", tags=["seats"], response_model=responses.Done)
async def join(table: str, asked: requests.Join, request: Request, tables: Here, who: RequiredClient) -> Response:
    """Takes a seat; whoever has it already gets it again."""
    command = seating.Join(asked.seat, asked.name, asked.code, asked.commit)
    answer = await _do(tables, table, command, who, asked)
    set_cookie(request, answer, who)
    return answer


@router.post("/tables/{table}/seats", tags=["seats"], response_model=responses.Done)
async def arrange(table: str, asked: requests.Arrange, tables: Here, who: RequiredClient) -> Response:
    """Gives a seat to a bot, or opens it, before the match; for the host."""
    return await _do(tables, table, seating.Arrange(asked.seat, asked.player), who, asked)


@router.post("/tables/{table}/start", tags=["seats"], response_model=responses.Done)
async def start(table: str, asked: requests.Keyed, tables: Here, who: RequiredClient) -> Response:
    """Begins the match, when every seat is taken."""
    return await _do(tables, table, seating.Start(), who, asked)


@router.post("/tables/{table}/reveal", tags=["seats"], response_model=responses.Done)
async def reveal(table: str, asked: requests.Reveal, tables: Here, who: RequiredClient) -> Response:
    """Reveals the nonce of one's seat; after ten seconds it is not waited for any more."""
    return await _do(tables, table, seating.Reveal(asked.seat, asked.nonce), who, asked)


@router.post("/tables/{table}/leave", tags=["seats"], response_model=responses.Done)
async def leave(table: str, asked: requests.OfSeat, tables: Here, who: RequiredClient) -> Response:
    """Leaves the table; in the middle of a match a bot plays on."""
    return await _do(tables, table, seating.Leave(asked.seat), who, asked)


@router.post("/tables/{table}/lend", tags=["seats"], response_model=responses.Done)
async def lend(table: str, asked: requests.Lend, tables: Here, who: RequiredClient) -> Response:
    """Lets a bot play for one's seat."""
    return await _do(tables, table, seating.Lend(asked.seat, asked.player), who, asked)


@router.post("/tables/{table}/return", tags=["seats"], response_model=responses.Done)
async def give_back(table: str, asked: requests.OfSeat, tables: Here, who: RequiredClient) -> Response:
    """Takes one's seat back from a bot."""
    return await _do(tables, table, seating.Return(asked.seat), who, asked)


@router.post("/tables/{table}/stand-in", tags=["seats"], response_model=responses.Done)
async def stand_in(table: str, asked: requests.AskBot, tables: Here, who: RequiredClient) -> Response:
    """Asks the others to let a bot play for somebody who is away."""
    return await _do(tables, table, play.AskBot(asked.seat, asked.about), who, asked)


@router.post("/tables/{table}/rematch", tags=["seats"], response_model=responses.Done)
async def rematch(table: str, asked: requests.Keyed, tables: Here, who: RequiredClient) -> Response:
    """Goes on at a new table with the same people; whoever asks second gets the same one."""
    return await _do(tables, table, seating.Rematch(new_name(), new_code(), new_secrets()), who, asked)


@router.post("/tables/{table}/preview", tags=["play"], response_model=responses.Previewed)
async def preview(
    table: str, asked: requests.Preview, tables: Here, who: RequiredClient, language: Language
) -> Response:
    """Where a draft would lead; nothing is played, and nobody else sees it."""
    found = await tables.find(table)
    return Json(
        await tables.ask(found, rules_worker.preview, who.holder, asked.seat, asked.version, asked.draft, language)
    )


@router.post("/tables/{table}/actions", tags=["play"], response_model=responses.Done)
async def actions(table: str, asked: requests.Play, tables: Here, who: RequiredClient) -> Response:
    """Plays a draft, whole or not at all."""
    return await _do(tables, table, play.Play(asked.seat, asked.version, asked.draft), who, asked)


@router.post("/tables/{table}/hint", tags=["play"], response_model=responses.Hint)
async def hint(
    table: str, asked: requests.Preview, request: Request, tables: Here, who: RequiredClient, language: Language
) -> Response:
    """What a strong bot would do there, from what the seat may know."""
    with limits_of(request).hint_slot(client_address(request)):
        return Json(await tables.hint(table, who.holder, asked.seat, asked.version, asked.draft, language))


@router.post("/tables/{table}/undo", tags=["play"], response_model=responses.Done)
async def undo(table: str, asked: requests.Versioned, tables: Here, who: RequiredClient) -> Response:
    """Takes one's last turn back: at once against bots alone, among people when all say yes and nothing was drawn."""
    return await _do(tables, table, play.AskUndo(asked.seat, asked.version), who, asked)


@router.post("/tables/{table}/answer", tags=["play"], response_model=responses.Done)
async def answer(table: str, asked: requests.Answer, tables: Here, who: RequiredClient) -> Response:
    """Says yes or no to what somebody asked."""
    return await _do(tables, table, play.Answer(asked.seat, asked.version, asked.yes), who, asked)


@router.post("/tables/{table}/resign", tags=["play"], response_model=responses.Done)
async def resign(table: str, asked: requests.OfSeat, tables: Here, who: RequiredClient) -> Response:
    """Gives up."""
    return await _do(tables, table, play.Resign(asked.seat), who, asked)


@router.post("/tables/{table}/continue", tags=["play"], response_model=responses.Done)
async def go_on(table: str, asked: requests.Keyed, tables: Here, who: RequiredClient) -> Response:
    """Begins the next game of the match."""
    return await _do(tables, table, play.Continue(), who, asked)
