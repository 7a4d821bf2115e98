"""Language models: `base` is the contract, `structured` asks for a shape, `outage` knows when a model is out, and each
provider has a file.
"""

from reverie.config.settings import Settings
from reverie.models.llm.base import LanguageModel, Prompt, Reply, Usage
from reverie.models.llm.outage import WatchedModel
from reverie.models.llm.structured import Answer, ask

__all__ = ["Answer", "LanguageModel", "Prompt", "Reply", "Usage", "WatchedModel", "ask", "create"]


def create(settings: Settings) -> LanguageModel | None:
    """The model that the settings name; None when they name none. Raises ConfigurationError."""
    if settings.llm_model is None:
        return None
    from reverie.models.llm.openai import OpenAIModel

    return OpenAIModel(
        settings.llm_model,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
        timeout=settings.llm_timeout.total_seconds(),
        max_tokens=settings.llm_max_tokens,
    )
