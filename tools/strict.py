"""Function schemas that OpenAI's strict mode takes, made from the parameters of a call.

Strict mode wants every property required and no others allowed; what is optional is nullable instead, and null means
that it was left out. Free-form JSON has no strict schema: it travels as a JSON text.
"""

from typing import Any

from reverie.tools.fields import Params

_KEPT = {
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
}
"""Keywords that strict mode takes; the others are checked when the call is made."""
_FREE = "JSON text"
_NULL = {"type": "null"}


def strict_schema(model: type[Params]) -> dict[str, Any]:
    """The JSON Schema of a call's parameters in strict form."""
    whole = model.model_json_schema()
    schema = _object(whole)
    definitions = whole.get("$defs", {})
    if definitions:
        schema["$defs"] = {name: _strict(definition) for name, definition in definitions.items()}
    return schema


def _object(schema: dict[str, Any]) -> dict[str, Any]:
    required = set(schema.get("required", ()))
    properties = {name: _property(given, name in required) for name, given in schema.get("properties", {}).items()}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _property(given: dict[str, Any], required: bool) -> dict[str, Any]:
    description = given.get("description", "")
    if is_free(given):
        made: dict[str, Any] = {"type": "string"}
        description = f"{description}; {_FREE}" if description else _FREE
    else:
        made = _strict(given)
    made.pop("description", None)
    if not required:
        made = _nullable(made)
    return {**made, "description": description} if description else made


def _strict(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("type") == "object":
        return _object(given)
    made = {key: value for key, value in given.items() if key in _KEPT}
    if "anyOf" in made:
        made["anyOf"] = [_strict(one) for one in made["anyOf"]]
        said = [one for one in made["anyOf"] if one != _NULL]
        if len(said) == 1 and _is_plain(said[0]):
            del made["anyOf"]
            made |= _nullable(said[0])
    if "items" in made:
        made["items"] = _strict(made["items"])
    return made


def _nullable(made: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in made:
        choices = made["anyOf"]
        return made if _NULL in choices else {**made, "anyOf": [*choices, _NULL]}
    if not _is_plain(made):
        return made if isinstance(made.get("type"), list) else {"anyOf": [made, _NULL]}
    return {**made, "type": [made["type"], "null"]}


def _is_plain(schema: dict[str, Any]) -> bool:
    """Whether null can be let in by the type alone, which is the shortest way to say it."""
    return isinstance(schema.get("type"), str) and not {"$ref", "enum", "const"} & schema.keys()


def is_free(schema: dict[str, Any]) -> bool:
    """Whether a property takes JSON of any shape."""
    if "anyOf" in schema or "$ref" in schema or "enum" in schema or "const" in schema:
        return False
    return "type" not in schema or (schema["type"] == "object" and "properties" not in schema)


def free_fields(model: type[Params]) -> frozenset[str]:
    """The parameters that travel as a JSON text."""
    properties = model.model_json_schema().get("properties", {})
    return frozenset(name for name, schema in properties.items() if is_free(schema))
