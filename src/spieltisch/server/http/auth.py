"""Who asks: a browser's secret, of which only the hash is ever kept, and the language it reads."""

from __future__ import annotations

import hashlib
import re
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Query, Request, Response

from spieltisch.core.game import brief
from spieltisch.i18n.format import LANGUAGES
from spieltisch.i18n.message import message_factory
from spieltisch.server.http.limits import RateLimiter
from spieltisch.table.errors import BadRequest, NotYours

_say = message_factory("")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,128}")  # 128 bits or more
_YEAR: Final = 365 * 24 * 3600


class Client(NamedTuple):
    """A browser, by the hash of its secret, and whether the secret came in a header and is to be kept as a cookie."""

    holder: str
    secret: str
    fresh: bool


def cookie_name(request: Request) -> str:
    """The cookie's name: over https one that no other site can set."""
    return "__Host-spieltisch" if request.url.scheme == "https" else "spieltisch"


def _secret(request: Request) -> tuple[str, bool] | None:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return given.strip(), True
    kept = request.cookies.get(cookie_name(request))
    return (kept, False) if kept else None


def find_client(request: Request) -> Client | None:
    """Who asks, where it says so; BadRequest for a secret that is too short to be one."""
    given = _secret(request)
    if given is None:
        return None
    secret, fresh = given
    if not _SECRET.fullmatch(secret):
        raise BadRequest(_say("server.secret"))
    return Client(hashlib.sha256(secret.encode()).hexdigest(), secret, fresh)


def require_client(request: Request) -> Client:
    """Who asks; a refusal where it does not say."""
    found = find_client(request)
    if found is None:
        raise NotYours(_say("server.no_secret"))
    return found


def set_cookie(request: Request, response: Response, found: Client) -> None:
    """Keeps the secret in the browser, where no script can read it."""
    if found.fresh:
        response.set_cookie(
            cookie_name(request),
            found.secret,
            max_age=_YEAR,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )


def request_language(request: Request) -> str:
    """The language asked for, else the first of the browser's that is spoken here, else English."""
    asked = request.query_params.get("language", "")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "")[:200].split(","):
        word = part.split(";")[0].strip()[:2].lower()
        if word in LANGUAGES:
            return word
    return "en"


async def _language(
    request: Request,
    language: Annotated[str | None, Query(description="de, en, fr, it, nl or es; else the browser's.")] = None,
) -> str:
    if language is not None and language not in LANGUAGES:
        raise BadRequest(_say("language.unknown", given=brief(language), known=LANGUAGES))
    return request_language(request)


async def check_request(request: Request) -> None:
    """Counts the request, and refuses what another site's page sends in a browser's name."""
    limits: RateLimiter = request.app.state.limits
    limits.count_request(client_address(request))
    found = find_client(request)
    if found is not None:
        limits.count_request(found.holder)
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise NotYours(_say("server.origin"))


def client_address(request: Request) -> str:
    """Where a request comes from; with IPv6 the network, since every household has more addresses than can be counted."""
    host = request.client.host if request.client else ""
    try:
        found = ip_address(host)
    except ValueError:
        return host[:100]
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


async def _anybody(request: Request) -> Client | None:
    return find_client(request)


async def _somebody(request: Request) -> Client:
    return require_client(request)


OptionalClient = Annotated[Client | None, Depends(_anybody)]  # async, all of them: others would be given to threads
RequiredClient = Annotated[Client, Depends(_somebody)]
Language = Annotated[str, Depends(_language)]
