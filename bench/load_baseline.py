"""Baseline of the load test: the same framework and server, with commands that do nothing and streams of their numbers."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

app = FastAPI()
changes: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
versions: defaultdict[str, int] = defaultdict(int)


class Play(BaseModel):
    """A command with the fields of the real one."""

    key: str
    seat: int
    version: int
    draft: list[str]


@app.post("/api/tables/{table}/actions")
async def actions(table: str, command: Play) -> dict[str, int]:
    versions[table] += len(command.draft)
    changes.pop(table, asyncio.Event()).set()
    return {"version": versions[table]}


@app.get("/api/tables/{table}/stream")
async def stream(table: str) -> StreamingResponse:
    async def send() -> AsyncIterator[bytes]:
        while True:
            changed = changes[table]
            yield b'event: table\ndata: {"version": %d}\n\n' % versions[table]
            await changed.wait()

    return StreamingResponse(send(), media_type="text/event-stream")


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="critical", access_log=False, timeout_graceful_shutdown=1)
