"""Authentication: a client is known by a secret token of its own, of which the server stores only the hash."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Query, Request, Response

from spieltisch.core.game import brief
from spieltisch.i18n.format import LANGUAGES
from spieltisch.i18n.message import message_factory
from spieltisch.server.http.limits import RateLimiter
from spieltisch.table.errors import BadRequest, NotYours

_say = message_factory("")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22,128}")  # at least 128 bits
_YEAR: Final = 365 * 24 * 3600
MAX_CACHED_ADDRESSES: Final = 4096


class Client(NamedTuple):
    """A client: the hash of its token, which holds seats, and whether the token came in a header."""

    holder: str
    token: str
    from_header: bool


def cookie_name(request: Request) -> str:
    """The name of the cookie; over HTTPS it has a prefix that keeps other sites from setting it."""
    return "__Host-spieltisch" if request.url.scheme == "https" else "spieltisch"


def find_client(request: Request) -> Client | None:
    """The client that sends the request, if it sends a token; BadRequest if the token is malformed."""
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    from_header = scheme.lower() == "bearer"
    token = credentials.strip() if from_header else request.cookies.get(cookie_name(request)) or None
    if token is None:
        return None
    if not _TOKEN.fullmatch(token):
        raise BadRequest(_say("server.secret"))
    return Client(hashlib.sha256(token.encode()).hexdigest(), token, from_header)


def require_client(request: Request) -> Client:
    """The client that sends the request; NotYours if it sends no token."""
    client = find_client(request)
    if client is None:
        raise NotYours(_say("server.no_secret"))
    return client


def set_cookie(request: Request, response: Response, client: Client) -> None:
    """Stores a token that came in a header as a cookie, which no script can read."""
    if client.from_header:
        response.set_cookie(
            cookie_name(request),
            client.token,
            max_age=_YEAR,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )


def request_language(request: Request) -> str:
    """The language in the query, else the first supported one of Accept-Language, else English."""
    asked = request.query_params.get("language", "")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "")[:200].split(","):
        code = part.split(";")[0].strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return "en"


async def check_request(request: Request) -> None:
    """Applies the rate limit, and refuses requests from another origin's page."""
    limiter: RateLimiter = request.app.state.limits
    limiter.count_request(client_address(request))
    client = find_client(request)
    if client is not None:
        limiter.count_request(client.holder)
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise NotYours(_say("server.origin"))


def client_address(request: Request) -> str:
    """The client's address; for IPv6 its /64 network, since every household has countless addresses."""
    return _network(request.client.host) if request.client else ""


@lru_cache(MAX_CACHED_ADDRESSES)
def _network(host: str) -> str:
    """An address as it counts for limits; a request asks for it several times."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:100]
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def is_loopback(request: Request) -> bool:
    """Whether the client is on the server's own machine; behind a trusted proxy, its own address counts."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


# dependencies are async, since FastAPI runs others in a thread pool


async def _language(
    request: Request,
    language: Annotated[str | None, Query(description="de, en, fr, it, nl or es; by default the browser's.")] = None,
) -> str:
    if language is not None and language not in LANGUAGES:
        raise BadRequest(_say("language.unknown", given=brief(language), known=LANGUAGES))
    return request_language(request)


async def _optional_client(request: Request) -> Client | None:
    return find_client(request)


async def _required_client(request: Request) -> Client:
    return require_client(request)


OptionalClient = Annotated[Client | None, Depends(_optional_client)]
RequiredClient = Annotated[Client, Depends(_required_client)]
Language = Annotated[str, Depends(_language)]
