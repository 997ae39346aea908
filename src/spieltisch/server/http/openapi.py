"""The server's description for machines, with the type of every game's view, and a page of it for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from spieltisch import __version__, players, registry
from spieltisch.core.schema import json_schema

_REFS: Final = "#/components/schemas/"
_VIEWS: Final = {"Position": ("view",), "DraftPreview": ("view",), "ReplayView": ("views",)}
_ABOUT: Final = """The table server of Spieltisch: commands are HTTP with JSON, news is an event stream.

Whoever plays has a secret of at least 128 bits, made by itself and sent as `Authorization: Bearer …`; browsers get it
back as a cookie. Commands carry a `key`: sent again, they are answered as before and never carried out twice."""


def describe(app: FastAPI) -> dict[str, Any]:
    """The description, made once."""
    if app.openapi_schema is None:
        whole = get_openapi(title="Spieltisch", version=__version__, description=_ABOUT, routes=app.routes)
        parts: dict[str, Any] = whole["components"]["schemas"]
        seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": players.DEFAULT}]
        parts["Open"]["examples"] = [{"key": "Zk3qX0b1-7", "game": registry.offered()[0].name, "seats": seats}]
        views = []
        for game in registry.all():
            name = "".join(word.capitalize() for word in game.name.split("_"))
            found = json_schema(registry.view_type(game), name, _REFS)
            parts.update(found.definitions)
            views.append(found.schema)
        for part, fields in _VIEWS.items():
            for field in fields:
                view: dict[str, Any] = {"anyOf": views, "description": "As the game's view type says."}
                parts[part]["properties"][field] = {"type": "array", "items": view} if field == "views" else view
        for operations in whole["paths"].values():
            for operation in operations.values():
                _correct(operation["responses"])
        app.openapi_schema = whole
    return app.openapi_schema


def _correct(responses: dict[str, Any]) -> None:
    """Says of every refusal that it is JSON, whatever else the path answers, and leaves the events of a stream open."""
    for response in responses.values():
        content = response.get("content", {})
        for media, told in list(content.items()):
            if told.get("schema", {}).get("$ref") == f"{_REFS}Refusal":
                content["application/json"] = content.pop(media)
            elif media == "text/event-stream":
                content[media] = {}


def render_page(description: Mapping[str, Any]) -> str:
    """The description as a page that needs no script."""
    body = "\n".join(_operations(description))
    about = _prose(description["info"]["description"])
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Spieltisch: the API</title><link rel=stylesheet href=/plain.css><main><h1>The API</h1>"
        f"<p>{about}</p><p><a href=/api/openapi.json>openapi.json</a></p>{body}</main></html>"
    )


def _operations(description: Mapping[str, Any]) -> Iterator[str]:
    parts = description["components"]["schemas"]
    for path, operations in description["paths"].items():
        for method, told in operations.items():
            yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
            yield f"<p>{_prose(told.get('description', told.get('summary', '')))}</p>"
            for given in told.get("parameters", ()):
                words = given.get("description", given.get("schema", {}).get("description", ""))
                yield f"<p><code>{escape(given['name'])}</code> ({given['in']}) {escape(words)}</p>"
            body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            if body is not None:
                example = json.dumps(example_of(body, parts), indent=1, ensure_ascii=False)
                yield f"<pre>{escape(example)}</pre>"
            answer = told["responses"].get("200", told["responses"].get("201", {}))
            shown = answer.get("content", {}).get("application/json", {}).get("schema", {})
            kind = shown.get("$ref", shown.get("items", {}).get("$ref", "")).removeprefix(_REFS)
            if kind:
                example = json.dumps(example_of(shown, parts), indent=1, ensure_ascii=False)
                yield f"<details><summary>Answers <code>{escape(kind)}</code></summary><pre>{escape(example)}</pre></details>"
            yield "</section>"


def _prose(text: str) -> str:
    """Markdown's paragraphs and code, which is all that is used of it."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return marked.replace("\n\n", "</p><p>")


def example_of(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
    """A value that the schema allows: its own example, or one made from its parts."""
    if "$ref" in schema:
        return example_of(parts[schema["$ref"].removeprefix(_REFS)], parts)
    if "examples" in schema:
        return schema["examples"][0]
    if "properties" in schema:
        needed = schema.get("required", ())
        return {name: example_of(part, parts) for name, part in schema["properties"].items() if name in needed}
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], parts)
    if schema.get("type") == "array":
        listed = schema.get("prefixItems") or [part for part in [schema.get("items")] if part]
        return [example_of(part, parts) for part in listed]
    made: dict[str, Any] = {"integer": 0, "number": 0.0, "boolean": True, "object": {}, "string": "…"}
    return made.get(schema.get("type", ""))


if __name__ == "__main__":
    from spieltisch.server.app import create_routes

    whole = create_routes().openapi()
    del whole["components"]["schemas"]["Open"]["examples"]  # the web is built from this, and names no game
    print(json.dumps(whole, sort_keys=True, indent=1, ensure_ascii=False))  # noqa: T201 - what it is for
