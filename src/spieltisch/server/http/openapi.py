"""OpenAPI description of the server, with the type of every game's view, and an HTML page made from it."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from spieltisch import __version__, players, registry
from spieltisch.core.schema import json_schema

_REFS: Final = "#/components/schemas/"
_VIEWS: Final = {"Position": ("view",), "DraftPreview": ("view",), "ReplayView": ("views",)}
_ABOUT: Final = """The table server of Spieltisch: commands are HTTP requests with JSON, events are a stream per table.

A client makes up a secret of at least 128 bits and sends it as `Authorization: Bearer …`; browsers get it back as a
cookie. Commands have an idempotency `key`: a repeated command gets the same response and is carried out only once."""


_making: Final = threading.Lock()


def describe(app: FastAPI) -> dict[str, Any]:
    """The description of the application, made when it is first asked for and cached in it."""
    with _making:
        if app.openapi_schema is None:
            app.openapi_schema = _make(app)
        return app.openapi_schema


def _make(app: FastAPI) -> dict[str, Any]:
    description = get_openapi(title="Spieltisch", version=__version__, description=_ABOUT, routes=app.routes)
    schemas: dict[str, Any] = description["components"]["schemas"]
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": players.DEFAULT}]
    schemas["Open"]["examples"] = [{"key": "Zk3qX0b1-7", "game": registry.offered()[0].name, "seats": seats}]
    views = []
    for game in registry.all():
        name = "".join(word.capitalize() for word in game.name.split("_"))
        found = json_schema(registry.view_type(game), name, _REFS)
        schemas.update(found.definitions)
        views.append(found.schema)
    for schema, fields in _VIEWS.items():
        for field in fields:
            view: dict[str, Any] = {"anyOf": views, "description": "As the game's view type says."}
            schemas[schema]["properties"][field] = {"type": "array", "items": view} if field == "views" else view
    for operations in description["paths"].values():
        for operation in operations.values():
            _fix_media_types(operation["responses"])
    return description


def _fix_media_types(responses: dict[str, Any]) -> None:
    """Declares every refusal as JSON, whatever the route's response class is, and leaves the schema of streams open."""
    for response in responses.values():
        content = response.get("content", {})
        for media, body in list(content.items()):
            if body.get("schema", {}).get("$ref") == f"{_REFS}Refusal":
                content["application/json"] = content.pop(media)
            elif media == "text/event-stream":
                content[media] = {}


def render_page(description: Mapping[str, Any]) -> str:
    """The description as an HTML page without scripts."""
    body = "\n".join(_operations(description))
    about = _prose(description["info"]["description"])
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Spieltisch: the API</title><link rel=stylesheet href=/plain.css><main><h1>The API</h1>"
        f"<p>{about}</p><p><a href=/api/openapi.json>openapi.json</a></p>{body}</main></html>"
    )


def _operations(description: Mapping[str, Any]) -> Iterator[str]:
    schemas = description["components"]["schemas"]
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
            yield f"<p>{_prose(operation.get('description', operation.get('summary', '')))}</p>"
            for parameter in operation.get("parameters", ()):
                about = parameter.get("description", parameter.get("schema", {}).get("description", ""))
                yield f"<p><code>{escape(parameter['name'])}</code> ({parameter['in']}) {escape(about)}</p>"
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            if body is not None:
                example = json.dumps(example_of(body, schemas), indent=1, ensure_ascii=False)
                yield f"<pre>{escape(example)}</pre>"
            success = operation["responses"].get("200", operation["responses"].get("201", {}))
            schema = success.get("content", {}).get("application/json", {}).get("schema", {})
            name = schema.get("$ref", schema.get("items", {}).get("$ref", "")).removeprefix(_REFS)
            if name:
                example = json.dumps(example_of(schema, schemas), indent=1, ensure_ascii=False)
                yield f"<details><summary>Returns <code>{escape(name)}</code></summary><pre>{escape(example)}</pre></details>"
            yield "</section>"


def _prose(text: str) -> str:
    """Renders the little Markdown that descriptions use: paragraphs and code."""
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return html.replace("\n\n", "</p><p>")


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """A value that the schema allows: its own example, or one made from its properties."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].removeprefix(_REFS)], schemas)
    if "examples" in schema:
        return schema["examples"][0]
    if "properties" in schema:
        required = schema.get("required", ())
        return {name: example_of(part, schemas) for name, part in schema["properties"].items() if name in required}
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas)
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [part for part in [schema.get("items")] if part]
        return [example_of(part, schemas) for part in items]
    by_type: dict[str, Any] = {"integer": 0, "number": 0.0, "boolean": True, "object": {}, "string": "…"}
    return by_type.get(schema.get("type", ""))


if __name__ == "__main__":
    from spieltisch.server.app import create_routes

    description = create_routes().openapi()
    del description["components"]["schemas"]["Open"]["examples"]  # the web is built from this and must not name a game
    print(json.dumps(description, sort_keys=True, indent=1, ensure_ascii=False))  # noqa: T201 - its purpose
