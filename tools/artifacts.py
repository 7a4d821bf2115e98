"""Outputs too large to keep inline: what stays is a stub that says what the whole is."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from reverie.knowledge.ids import derived_id
from reverie.models.tokens import TokenCounter
from reverie.pipelines.context import Context
from reverie.store.records.activity import ArtifactRecord
from reverie.tools.fields import Id, Params, validated
from reverie.tools.plainjson import from_text, to_text

_COUNTED_CHARS = 4096
"""Of a long output; that many characters are more tokens than any threshold in use, or are counted on."""
_HEAD_CHARS, _TAIL_CHARS = 400, 200
_KEYS_SHOWN, _KEY_CHARS = 20, 80


class ArtifactView(BaseModel):
    """A payload as it was given."""

    model_config = ConfigDict(frozen=True)

    artifact_id: str
    action_id: str
    action_type: str
    content: Any


def overflows(tokens: TokenCounter, output: Any, threshold: int) -> bool:
    """Whether an output has more tokens than the threshold. Stops counting as soon as that is certain."""
    text = _rendered(output)
    counted = 0
    for start in range(0, len(text), _COUNTED_CHARS):
        counted += tokens.count(text[start : start + _COUNTED_CHARS])
        if counted > threshold:
            return True
    return False


def stub(artifact_id: str, output: Any) -> dict[str, Any]:
    """What stays inline: where the whole is, what it is, how large, and how it begins and ends."""
    text = _rendered(output)
    said: dict[str, Any] = {"artifact_id": artifact_id, "type": _type(output), "characters": len(text)}
    if isinstance(output, dict):
        said["size"] = len(output)
        said["keys"] = [key[:_KEY_CHARS] for key in list(output)[:_KEYS_SHOWN]]
    elif isinstance(output, list):
        said["size"] = len(output)
    said["head"] = text[:_HEAD_CHARS]
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        said["tail"] = text[-_TAIL_CHARS:]
    return said


def _rendered(output: Any) -> str:
    return output if isinstance(output, str) else to_text(output) or ""


def _type(output: Any) -> str:
    names = {
        str: "text",
        dict: "object",
        list: "array",
        tuple: "array",
        bool: "boolean",
        int: "number",
        float: "number",
    }
    return names.get(type(output), "value")


def artifact_id(action_id: str) -> str:
    """Id of the artifact of an action: the same action always has the same one."""
    return derived_id("artifact", action_id)


def artifact(
    ctx: Context, agent: str, action_id: str, action_type: str, output: Any, session: str | None
) -> ArtifactRecord:
    """The record of an output that is too large."""
    return ArtifactRecord.new(
        ctx.ns,
        artifact_id(action_id),
        agent=agent,
        action=action_id,
        action_type=action_type,
        content=_rendered(output),
        format="text" if isinstance(output, str) else "json",
        session=session,
        recorded_at=ctx.clock(),
    )


class _Name(Params):
    artifact_id: Id


def get_artifact(ctx: Context, agent: str, artifact_id: str) -> ArtifactView | None:
    """The whole payload; None for an id that is none of the agent's artifacts."""
    record = ctx.ns.get(ArtifactRecord, validated(_Name, artifact_id=artifact_id).artifact_id)
    if record is None or record.agent != agent:
        return None
    return ArtifactView(
        artifact_id=record.id,
        action_id=record.action,
        action_type=record.action_type,
        content=record.content if record.format == "text" else from_text(record.content),
    )
