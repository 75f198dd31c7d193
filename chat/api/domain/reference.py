"""The OpenAPI document as a page for people: addresses, their fields, and the shapes of bodies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
METHODS = ("get", "post", "put", "delete")


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter or a field of a body. shape: the name of the body that it holds, "" for none."""

    name: str
    kind: str
    shape: str
    required: bool
    text: str
    place: str = "body"


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """status: of HTTP. media: its content type, "" without a body."""

    status: str
    media: str
    shape: str


@dataclass(frozen=True, slots=True)
class ApiOperation:
    anchor: str
    method: str
    path: str
    text: str
    parameters: tuple[ApiField, ...]
    body: str
    answers: tuple[ApiAnswer, ...]


@dataclass(frozen=True, slots=True)
class ApiShape:
    """A body or a part of one."""

    name: str
    text: str
    fields: tuple[ApiField, ...]


@dataclass(frozen=True, slots=True)
class ApiReference:
    title: str
    text: str
    groups: tuple[tuple[str, tuple[ApiOperation, ...]], ...]
    shapes: tuple[ApiShape, ...]


def reference_of(document: Schema) -> ApiReference:
    """The page of an OpenAPI document; its operations are grouped by the first part of their path that differs."""
    groups: dict[str, list[ApiOperation]] = {}
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                groups.setdefault(_group(path), []).append(_operation(path, method, methods[method]))
    schemas = document["components"]["schemas"].items()
    return ApiReference(
        title=document["info"]["title"],
        text=document["info"].get("description", ""),
        groups=tuple((name, tuple(operations)) for name, operations in groups.items()),
        shapes=tuple(ApiShape(name, schema.get("description", ""), tuple(_fields(schema))) for name, schema in schemas),
    )


def kind_of(schema: Schema) -> str:
    """The type of a value in words, such as "text (uuid)", "list of SectionItem" or "number or null"."""
    if name := shape_of(schema):
        return f"list of {name}" if schema.get("type") == "array" else name
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return " or ".join(dict.fromkeys(map(kind_of, options)))
    if values := schema.get("enum"):
        return " | ".join(repr(value) if value == "" else str(value) for value in values)
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    words = {"string": "text", "boolean": "true or false"}
    form = f" ({schema['format']})" if "format" in schema else ""
    return f"{words.get(kind, kind)}{form}"


def shape_of(schema: Schema) -> str:
    """The name of the body that a value holds or is a list of; "" for none, or for one of several."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return shape_of(schema.get("items", {}))
    parts = [part for part in schema.get("allOf", ()) if "$ref" in part]
    return shape_of(parts[0]) if len(parts) == 1 else ""


def _group(path: str) -> str:
    parts = [part for part in path.split("/") if part and part not in {"api", "v1"}]
    return "OpenAI's shape" if path.startswith("/v1/") else parts[0].capitalize()


def _operation(path: str, method: str, operation: Schema) -> ApiOperation:
    contents = operation.get("requestBody", {}).get("content", {}).values()
    answers = [
        ApiAnswer(status, media, shape_of(content.get("schema", {})))
        for status, answer in sorted(operation["responses"].items())
        for media, content in (answer.get("content") or {"": {}}).items()
    ]
    parameters = (
        ApiField(
            name=parameter["name"],
            kind=kind_of(parameter.get("schema", {})),
            shape="",
            required=parameter.get("required", False),
            text=parameter.get("description", ""),
            place=parameter["in"],
        )
        for parameter in operation.get("parameters", ())
    )
    return ApiOperation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        text=operation.get("description", ""),
        parameters=tuple(parameters),
        body=next((shape_of(content["schema"]) for content in contents), ""),
        answers=tuple(answers),
    )


def _fields(schema: Schema) -> Iterator[ApiField]:
    required = schema.get("required", ())
    for name, value in schema.get("properties", {}).items():
        options = [option for option in value.get("anyOf", ()) if "$ref" in option]
        shape = shape_of(value) or (shape_of(options[0]) if options else "")
        yield ApiField(name, kind_of(value), shape, name in required, value.get("description", ""))
