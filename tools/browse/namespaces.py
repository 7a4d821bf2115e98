"""The namespaces of a store, for who operates it, and how much each holds."""

from pydantic import BaseModel, ConfigDict

from reverie.pipelines.context import Context
from reverie.store import pages
from reverie.store.namespace import Namespace
from reverie.tools.browse.paging import Page, PageParams, walk_names
from reverie.tools.fields import AnyText


class NamespaceView(BaseModel):
    """A namespace, with how many records of each kind it holds."""

    model_config = ConfigDict(frozen=True)

    namespace: str
    counts: dict[str, int]
    """By kind; a kind of which there is nothing is left out."""


class ListNamespacesParams(PageParams):
    """Namespaces by their names, of those that begin with `prefix`."""

    prefix: AnyText = ""


def list_namespaces(ctx: Context, params: ListNamespacesParams) -> Page[NamespaceView]:
    """A page of the namespaces that hold anything. Raises ValidationFailed, StoreUnavailable."""
    names = [name for name in ctx.ns.namespaces() if name.startswith(params.prefix)]
    walked = walk_names(names, params)
    views = [NamespaceView(namespace=name, counts=_counts(ctx.ns, name)) for name in walked.found]
    return Page(items=tuple(views), cursor=walked.cursor, total=walked.total)


def counts(ctx: Context) -> dict[str, int]:
    """How many records of each kind the namespace holds; a kind of which there is nothing is left out."""
    return _counts(ctx.ns, ctx.namespace)


def _counts(ns: Namespace, namespace: str) -> dict[str, int]:
    return {kind: count for kind, count in pages.counts(ns.beside(namespace)).items() if count}
