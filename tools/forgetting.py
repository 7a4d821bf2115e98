"""Forgetting for good."""

from collections.abc import Mapping
from typing import Any

from reverie.config.errors import ValidationFailed
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure import ErasureReport, Scope, forget
from reverie.tools.fields import Id, Params, validated

_SCOPES: tuple[Scope, ...] = ("message", "session", "participant", "user", "namespace")


class ForgetParams(Params):
    """Exactly one of the five."""

    message: Id | None = None
    session: Id | None = None
    participant: Id | None = None
    user: Id | None = None
    namespace: Id | None = None
    verify: bool = False


def forget_for_good(
    kb: KnowledgeBase, params: ForgetParams | Mapping[str, Any] | None = None, /, **given: Any
) -> ErasureReport:
    """Erase what one parameter names; see `Memory.forget`. Raises ValidationFailed, StoreUnavailable."""
    checked = validated(ForgetParams, params, **given)
    named = [(scope, getattr(checked, scope)) for scope in _SCOPES if getattr(checked, scope) is not None]
    if len(named) != 1:
        raise ValidationFailed("", f"name exactly one of {', '.join(_SCOPES)} to forget")
    [(scope, id)] = named
    if scope == "namespace" and id != kb.namespace:
        raise ValidationFailed("namespace", f"this memory is of {kb.namespace!r}; open {id!r} to forget it")
    return forget(kb, scope, id, verify=checked.verify)
