"""Embedders: texts to vectors. `base` is the contract, each provider has a file."""

from reverie.config.errors import ConfigurationError
from reverie.config.settings import Settings
from reverie.models.embedders.base import Embedder, Vector, Vectors

__all__ = ["Embedder", "Vector", "Vectors", "create"]


def create(settings: Settings) -> Embedder:
    """The embedder that the settings name. Raises ConfigurationError when one of its settings is missing."""
    if settings.embedder == "local":
        from reverie.models.embedders.local import LocalEmbedder

        return LocalEmbedder()
    if settings.embedder_model is None:
        raise ConfigurationError(f"REVERIE_EMBEDDER={settings.embedder} needs REVERIE_EMBEDDER_MODEL")
    if settings.embedder == "fastembed":
        from reverie.models.embedders.fast import FastEmbedder

        return FastEmbedder(settings.embedder_model)
    from reverie.models.embedders.openai import OpenAIEmbedder

    if settings.embedder_dimension is None:
        raise ConfigurationError("REVERIE_EMBEDDER=openai needs REVERIE_EMBEDDER_DIMENSION, the length of its vectors")
    return OpenAIEmbedder(
        settings.embedder_model,
        dimension=settings.embedder_dimension,
        base_url=settings.embedder_base_url,
        api_key=settings.embedder_api_key.get_secret_value() if settings.embedder_api_key else None,
    )
