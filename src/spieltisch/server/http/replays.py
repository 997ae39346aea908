"""The paths for what takes its time: records replayed and proven, and closer looks at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, ParamSpec

from fastapi import APIRouter, Depends, Path, Request, Response

from spieltisch.core.game import Seat as SeatOf
from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import RefusalData, Refused
from spieltisch.server.http import requests, responses
from spieltisch.server.http.auth import Language, OptionalClient, check_request, client_address
from spieltisch.server.http.limits import TooLarge
from spieltisch.server.http.routes import WHY, Here, Json, Seat, limits_of
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.workers import replays, rules
from spieltisch.server.workers.pool import WorkerTimeout

P = ParamSpec("P")
SECONDS: Final = 10  # that a record may take
FILM_SECONDS: Final = 20
_say = message_factory("")
_nothing: dict[int | str, dict[str, object]] = {204: {"description": "There is nothing to be seen."}}
router = APIRouter(prefix="/api", responses=WHY, dependencies=[Depends(check_request)])  # type: ignore[arg-type]


class Film(Response):
    """Bytes in a game's own form, or nothing."""

    media_type = "application/octet-stream"

    def __init__(self, body: bytes = b"", status_code: int = 200) -> None:
        super().__init__(body, status_code if body else 204)
        self.headers["cache-control"] = "no-store"


@router.get("/tables/{table}/films/{event}", tags=["tables"], response_class=Film, responses=_nothing)
async def film(
    table: str, event: Annotated[int, Path(ge=1, le=10**9)], request: Request, tables: Here, who: OptionalClient
) -> Response:
    """How an event was seen to happen, such as a fall, in the game's own form; 204 where there is nothing to be seen."""
    found = await tables.find(table)
    happened = await tables.ask(found, rules.happened, who and who.holder, event)
    return await _filmed(request, tables, replays.film, (await tables.stand(found)).game, happened)


@router.get("/tables/{table}/inside", tags=["tables"], response_model=responses.Inside)
async def inside(table: str, request: Request, tables: Here, who: OptionalClient, seat: Seat = None) -> Response:
    """What only a closer look at the position shows, in the game's own form."""
    found = await tables.find(table)
    view = await tables.ask(found, rules.view, who and who.holder, seat)
    return await _read(request, tables, replays.inside, (await tables.stand(found)).game, view)


@router.post("/replays", tags=["records"], response_model=responses.Retold)
async def replay(asked: requests.Replay, request: Request, tables: Here, language: Language) -> Response:
    """A game of a record: every sentence of it, and a hundred views."""
    viewer = None if asked.viewer is None else SeatOf(asked.viewer)
    return await _read(request, tables, replays.retell, asked.record, asked.game, viewer, asked.first, language)


@router.post("/replays/film", tags=["records"], response_class=Film, responses=_nothing)
async def replayed_film(asked: requests.OfEntry, request: Request, tables: Here) -> Response:
    """How an entry of a record was seen to happen, counted from 0; 204 where there is nothing to be seen."""
    return await _filmed(request, tables, replays.film_of, asked.record, asked.game, asked.entry)


@router.post("/replays/inside", tags=["records"], response_model=responses.Inside)
async def replayed_inside(asked: requests.OfEntry, request: Request, tables: Here) -> Response:
    """What only a closer look at a position of a record shows, after so many entries."""
    viewer = None if asked.viewer is None else SeatOf(asked.viewer)
    return await _read(request, tables, replays.inside_of, asked.record, asked.game, viewer, asked.entry)


@router.post("/proofs", tags=["records"], response_model=responses.Proof)
async def proof(asked: requests.OfRecord, request: Request, tables: Here, language: Language) -> Response:
    """Whether every draw of a record is proven fair, after a check of everything in it."""
    return await _read(request, tables, replays.prove, asked.record, language)


async def _filmed(
    request: Request, tables: Tables, work: Callable[P, bytes | RefusalData], *args: P.args, **kwargs: P.kwargs
) -> Film:
    """A film; none where it takes too long to make."""
    try:
        return Film(await _taking_time(request, tables, FILM_SECONDS, work, *args, **kwargs))
    except TooLarge:
        return Film()


async def _read(
    request: Request, tables: Tables, work: Callable[P, bytes | RefusalData], *args: P.args, **kwargs: P.kwargs
) -> Json:
    """What is told of a position or a record."""
    return Json(await _taking_time(request, tables, SECONDS, work, *args, **kwargs))


async def _taking_time(
    request: Request,
    tables: Tables,
    seconds: int,
    work: Callable[P, bytes | RefusalData],
    *args: P.args,
    **kwargs: P.kwargs,
) -> bytes:
    """What is told by somebody whom no table waits for."""
    limits_of(request).count_replay(client_address(request))
    with limits_of(request).replay_slot(client_address(request)):
        try:
            told = await tables.processes.call_replay(seconds, work, *args, **kwargs)
        except WorkerTimeout:
            raise TooLarge(_say("replay.long", seconds=seconds)) from None
    if isinstance(told, RefusalData):
        raise Refused(told)
    return told


@router.get("/fairness", tags=["records"], response_model=list[responses.FairGame])
async def fairness(tables: Here) -> Response:
    """The draws of all finished games held against their odds."""
    found = await tables.store.list_tallies()
    return Json(await tables.processes.call_replay(SECONDS, replays.weigh, found))
