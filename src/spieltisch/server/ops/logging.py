"""Structured logs: one JSON object a line on standard error, with events and numbers, without secrets."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog


def set_up(level: str) -> None:
    """Sends everything from that level on to standard error, and of the libraries what is a warning or worse."""
    chosen = logging.getLevelNamesMapping()[level.upper()]
    libraries = logging.StreamHandler(sys.stderr)
    libraries.setFormatter(_Bare())
    logging.basicConfig(handlers=[libraries], level=max(chosen, logging.WARNING), force=True)
    if chosen >= logging.WARNING:
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what is no HTTP is nobody's concern here
    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(chosen),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


class _Bare(logging.Formatter):
    """What a library says, without the values that it says it of: they may be anybody's."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        told = {
            "event": str(record.msg).partition("\n")[0],  # before anything is filled in
            "library": record.name,
            **(error_fields(error) if error is not None else {}),
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        return json.dumps(told, ensure_ascii=False)


def error_fields(error: BaseException) -> dict[str, Any]:
    """What may be logged of an error: its kind and our places it came through, none of its values."""
    frames = [(Path(frame.filename), frame) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [one for one in frames[:-1] if "spieltisch" in one[0].parts][-8:]
    places = [f"{path.stem}:{frame.name}:{frame.lineno}" for path, frame in (*ours, *frames[-1:])]
    return {"kind": type(error).__name__, "through": places}
