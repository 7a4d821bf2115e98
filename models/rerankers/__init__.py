"""Rerankers: a second, dearer look at the best of a recall. `base` is the contract, each provider has a file."""

from reverie.config.errors import ConfigurationError
from reverie.config.settings import Settings
from reverie.models.rerankers.base import Reranker
from reverie.models.rerankers.deadline import DeadlineReranker

__all__ = ["DeadlineReranker", "Reranker", "create"]


def create(settings: Settings) -> Reranker | None:
    """The reranker that the settings name, None for none. Raises ConfigurationError when a setting is missing."""
    if settings.reranker == "none":
        return None
    if settings.reranker_model is None:
        raise ConfigurationError(f"REVERIE_RERANKER={settings.reranker} needs REVERIE_RERANKER_MODEL")
    if settings.reranker == "fastembed":
        from reverie.models.rerankers.fast import FastReranker

        return FastReranker(settings.reranker_model)
    from reverie.models.rerankers.endpoint import EndpointReranker

    if settings.reranker_url is None:
        raise ConfigurationError(
            "REVERIE_RERANKER=endpoint needs REVERIE_RERANKER_URL, the whole address of its rerank"
        )
    return EndpointReranker(
        settings.reranker_model,
        url=settings.reranker_url,
        api_key=settings.reranker_api_key.get_secret_value() if settings.reranker_api_key else None,
        timeout=settings.reranker_deadline.total_seconds(),
    )
