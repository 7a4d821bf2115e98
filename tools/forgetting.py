"""Erasing for good what one id names."""

from reverie.config.errors import ValidationFailed
from reverie.pipelines.context import Context
from reverie.pipelines.erasure import ErasureReport, Progress, Scope, extent, forget
from reverie.store.facts import own_id
from reverie.store.namespace import Namespace
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


def forget_for_good(ctx: Context, params: ForgetParams, progress: Progress | None = None) -> ErasureReport:
    """Erase what one parameter names; see `Memory.forget`. Raises ValidationFailed, StoreBusy, StoreUnavailable."""
    scope, id = _named(ctx.ns, params)
    return forget(ctx, scope, id, verify=params.verify, wait=params.wait, progress=progress)


def would_forget(ctx: Context, params: ForgetParams) -> dict[str, int]:
    """How many records of each kind would go at least; nothing changes. Raises ValidationFailed, StoreUnavailable."""
    return extent(ctx, *_named(ctx.ns, params))


def _named(ns: Namespace, params: ForgetParams) -> tuple[Scope, str]:
    named = [(scope, getattr(params, scope)) for scope in _SCOPES if getattr(params, scope) is not None]
    if len(named) != 1:
        raise ValidationFailed("", f"name exactly one of {', '.join(_SCOPES)} to forget")
    [(scope, id)] = named
    if scope == "namespace" and id != ns.namespace:
        raise ValidationFailed("namespace", f"this memory is of {ns.namespace!r}; open {id!r} to forget it")
    return scope, own_id(ns, id) if scope == "fact" else id
