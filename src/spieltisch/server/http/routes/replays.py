"""Routes for expensive requests: replays, proofs, animations of events and details of positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, ParamSpec

from fastapi import Path, Request, Response

from spieltisch.core.game import Seat
from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import RefusalData, Refused
from spieltisch.server.http import requests, responses
from spieltisch.server.http.auth import Language, OptionalClient, client_address
from spieltisch.server.http.limits import TooLarge
from spieltisch.server.http.routes.dependencies import JsonBytes, LiveTables, OwnSeat, api_router, rate_limiter
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.workers import replays, rules
from spieltisch.server.workers.pool import Priority, TimeLimit, WorkerTimeout

P = ParamSpec("P")
SECONDS: Final = TimeLimit(cpu=10.0, wall=300.0)  # that a record may take
FILM_SECONDS: Final = TimeLimit(cpu=20.0, wall=300.0)
_say = message_factory("")
_nothing: dict[int | str, dict[str, object]] = {204: {"description": "There is nothing to be seen."}}
router = api_router()


class Film(Response):
    """Bytes in a game's own format, or no content."""

    media_type = "application/octet-stream"

    def __init__(self, body: bytes = b"", status_code: int = 200) -> None:
        super().__init__(body, status_code if body else 204)
        self.headers["cache-control"] = "no-store"


class Picture(Response):
    """An SVG picture."""

    media_type = "image/svg+xml"

    def __init__(self, body: bytes = b"", status_code: int = 200) -> None:
        super().__init__(body, status_code)
        self.headers["cache-control"] = "no-store"


@router.get("/tables/{table}/films/{event}", tags=["tables"], response_class=Film, responses=_nothing)
async def film(
    table: str,
    event: Annotated[int, Path(ge=1, le=10**9)],
    request: Request,
    tables: LiveTables,
    client: OptionalClient,
) -> Response:
    """The animation of an event, such as a fall, in the game's own format; 204 if there is none."""
    found = await tables.find(table)
    happened = await tables.ask(found, rules.find_step, client and client.holder, event)
    return await _film(request, tables, replays.film, (await tables.status(found)).game, happened)


@router.get("/tables/{table}/inside", tags=["tables"], response_model=responses.DetailsView)
async def inside(
    table: str, request: Request, tables: LiveTables, client: OptionalClient, seat: OwnSeat = None
) -> Response:
    """Details of the position, in the game's own format."""
    found = await tables.find(table)
    view = await tables.ask(found, rules.see_view, client and client.holder, seat)
    return await _read(request, tables, replays.details, (await tables.status(found)).game, view)


@router.post("/replays", tags=["records"], response_model=responses.ReplayView)
async def replay(
    question: requests.ReplayQuestion, request: Request, tables: LiveTables, language: Language
) -> Response:
    """A game of a record: all its events as sentences, and up to a hundred views."""
    viewer = None if question.viewer is None else Seat(question.viewer)
    return await _read(
        request, tables, replays.replay_game, question.record, question.game, viewer, question.first, language
    )


@router.post("/replays/film", tags=["records"], response_class=Film, responses=_nothing)
async def replayed_film(question: requests.EntryQuestion, request: Request, tables: LiveTables) -> Response:
    """The animation of an entry of a record, counted from 0; 204 if there is none."""
    return await _film(request, tables, replays.film_of_record, question.record, question.game, question.entry)


@router.post("/replays/inside", tags=["records"], response_model=responses.DetailsView)
async def replayed_inside(question: requests.EntryQuestion, request: Request, tables: LiveTables) -> Response:
    """Details of a position of a record, after that many entries."""
    viewer = None if question.viewer is None else Seat(question.viewer)
    return await _read(
        request, tables, replays.details_of_record, question.record, question.game, viewer, question.entry
    )


@router.post("/replays/picture", tags=["records"], response_class=Picture)
async def picture(
    question: requests.PictureQuestion, request: Request, tables: LiveTables, language: Language
) -> Response:
    """The last position of a game of a record as an SVG picture; at its end with the result."""
    viewer = None if question.viewer is None else Seat(question.viewer)
    return Picture(
        await _run(
            request,
            tables,
            Priority.QUESTION,
            SECONDS,
            replays.draw_record,
            question.record,
            question.game,
            viewer,
            language,
            dark=question.dark,
        )
    )


@router.post("/proofs", tags=["records"], response_model=responses.Proof)
async def proof(
    question: requests.RecordQuestion, request: Request, tables: LiveTables, language: Language
) -> Response:
    """Verifies a record, and says whether every draw is proven fair."""
    return await _read(request, tables, replays.prove, question.record, language)


async def _film(
    request: Request, tables: Tables, work: Callable[P, bytes | RefusalData], *args: P.args, **kwargs: P.kwargs
) -> Film:
    """An animation; none if it takes too long to compute."""
    try:
        return Film(await _run(request, tables, Priority.FILM, FILM_SECONDS, work, *args, **kwargs))
    except TooLarge:
        return Film()


async def _read(
    request: Request, tables: Tables, work: Callable[P, bytes | RefusalData], *args: P.args, **kwargs: P.kwargs
) -> JsonBytes:
    """The result of a request about a position or a record."""
    return JsonBytes(await _run(request, tables, Priority.QUESTION, SECONDS, work, *args, **kwargs))


async def _run(
    request: Request,
    tables: Tables,
    priority: Priority,
    limit: TimeLimit,
    work: Callable[P, bytes | RefusalData],
    *args: P.args,
    **kwargs: P.kwargs,
) -> bytes:
    """The response of a replay worker, for which no table waits."""
    rate_limiter(request).count_replay(client_address(request))
    with rate_limiter(request).replay_slot(client_address(request)):
        try:
            told = await tables.workers.call_replay(priority, limit, work, *args, **kwargs)
        except WorkerTimeout:
            raise TooLarge(_say("replay.long", seconds=int(limit.cpu))) from None
    if isinstance(told, RefusalData):
        raise Refused(told)
    return told


@router.get("/fairness", tags=["records"], response_model=list[responses.FairnessReport])
async def fairness(tables: LiveTables) -> Response:
    """The draws of all finished games, compared with their odds."""
    totals = await tables.store.list_draw_totals()
    return JsonBytes(await tables.workers.call_replay(Priority.QUESTION, SECONDS, replays.judge_fairness, totals))
