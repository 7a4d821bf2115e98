"""Forgetting for good."""

from reverie.config.errors import ValidationFailed
from reverie.pipelines.base import KnowledgeBase
from reverie.pipelines.erasure import ErasureReport, Progress, Scope, extent, forget
from reverie.tools.fields import Id, Params

_SCOPES: tuple[Scope, ...] = ("message", "episode", "action", "fact", "session", "participant", "user", "namespace")


class ForgetParams(Params):
    """Exactly one of the eight ids."""

    message: Id | None = None
    episode: Id | None = None
    action: Id | None = None
    fact: Id | None = None
    session: Id | None = None
    participant: Id | None = None
    user: Id | None = None
    namespace: Id | None = None
    verify: bool = False
    wait: bool = False


def forget_for_good(kb: KnowledgeBase, params: ForgetParams, progress: Progress | None = None) -> ErasureReport:
    """Erase what one parameter names; see `Memory.forget`. Raises ValidationFailed, StoreBusy, StoreUnavailable."""
    scope, id = _named(kb, params)
    return forget(kb, scope, id, verify=params.verify, wait=params.wait, progress=progress)


def would_forget(kb: KnowledgeBase, params: ForgetParams) -> dict[str, int]:
    """How many records of each kind would go at least; nothing changes. Raises ValidationFailed, StoreUnavailable."""
    return extent(kb, *_named(kb, params))


def _named(kb: KnowledgeBase, params: ForgetParams) -> tuple[Scope, str]:
    named = [(scope, getattr(params, scope)) for scope in _SCOPES if getattr(params, scope) is not None]
    if len(named) != 1:
        raise ValidationFailed("", f"name exactly one of {', '.join(_SCOPES)} to forget")
    [(scope, id)] = named
    if scope == "namespace" and id != kb.namespace:
        raise ValidationFailed("namespace", f"this memory is of {kb.namespace!r}; open {id!r} to forget it")
    return scope, id
