"""Function schemas that OpenAI's strict mode takes, made from the parameters of a call.

Strict mode wants every property required and no others allowed, which openai's `pydantic_function_tool` sees to; what
is optional is nullable instead, and null means that it was left out. Free-form JSON has no strict schema: it travels as
a JSON text. What is said here to pydantic's generator keeps the schemas short, for a model reads them at each call.
"""

from collections.abc import Sequence
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from reverie.tools.fields import Params

_KEPT = (
    "type",
    "description",
    "format",
    "enum",
    "const",
    "items",
    "anyOf",
    "$ref",
    "minimum",
    "maximum",
    "minItems",
    "properties",
    "required",
    "additionalProperties",
    "$defs",
)
"""Keywords that strict mode takes, in the order that takes the fewest tokens; the others are checked when the call is
made."""
_FREE = "JSON text"
_NULL = {"type": "null"}


def function_tool(name: str, description: str, model: type[Params]) -> dict[str, Any]:
    """The OpenAI function schema of a call with these parameters, in strict form."""
    # Imported here: the client takes half a second, and only who shows tools to a model needs it.
    from openai import pydantic_function_tool

    class Shown(model):  # type: ignore[valid-type, misc]  # the parameters, with the schema that models are shown
        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return _finished(model.model_json_schema(schema_generator=_Short))

    tool = cast(dict[str, Any], pydantic_function_tool(Shown, name=name, description=description))
    function = tool["function"]
    function["parameters"] = _kept(function["parameters"])
    return {**tool, "function": {key: function[key] for key in ("name", "description", "strict", "parameters")}}


def free_fields(model: type[Params]) -> frozenset[str]:
    """The parameters that travel as a JSON text."""
    properties = model.model_json_schema(schema_generator=_Short).get("properties", {})
    return frozenset(name for name, schema in properties.items() if _is_free(schema))


class _Short(GenerateJsonSchema):
    """Schemas without titles, defaults and bounds that no model heeds; what has a default may be null."""

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        if schema["type"] != "enum":
            return _kept(super().generate_inner(schema))
        # Written out where it stands, for a definition of its own is longer; its docstring is for programmers.
        made = super().generate_inner({key: value for key, value in schema.items() if key != "ref"})
        return _kept(made, but=("description",))

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # pydantic's
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return _nullable(self.generate_inner(schema["schema"]))

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return _nullable(self.generate_inner(schema["schema"]))


def _kept(schema: JsonSchemaValue, but: Sequence[str] = ()) -> JsonSchemaValue:
    return {key: schema[key] for key in _KEPT if key in schema and key not in but}


def _nullable(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The schema, letting null in: by the type alone where that is enough, which is the shortest way to say it."""
    if _is_free(schema):
        return schema
    if "anyOf" in schema:
        return schema if _NULL in schema["anyOf"] else {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    if not isinstance(schema.get("type"), str) or "const" in schema:
        return schema if isinstance(schema.get("type"), list) else {"anyOf": [schema, _NULL]}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, **choices, "type": [schema["type"], "null"]}


def _is_free(schema: JsonSchemaValue) -> bool:
    """Whether a property takes JSON of any shape."""
    if {"anyOf", "$ref", "enum", "const"} & schema.keys():
        return False
    return "type" not in schema or (schema["type"] == "object" and "properties" not in schema)


def _finished(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The schema of an object without its class's name and docstring, which are for programmers.

    Properties of any shape say that they travel as a text.
    """
    for inner in schema.get("$defs", {}).values():
        _finished(inner)
    schema.pop("title", None)
    schema.pop("description", None)
    required = schema.get("required", ())
    for name, given in schema.get("properties", {}).items():
        schema["properties"][name] = _kept(given)
        if _is_free(given):
            said = given.get("description")
            kind: Any = "string" if name in required else ["string", "null"]
            schema["properties"][name] = {"type": kind, "description": f"{said}; {_FREE}" if said else _FREE}
    return schema
