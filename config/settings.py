"""Every setting with its default, read from `REVERIE_*` variables, then `reverie.toml`, then the defaults here."""

from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from reverie.config.errors import ConfigurationError


def _default_data_dir() -> Path:
    return Path.home() / ".local" / "share" / "reverie"


class Settings(BaseSettings):
    """What can be set. Durations are seconds (or ISO 8601, "PT30S") in variables and files."""

    model_config = SettingsConfigDict(
        env_prefix="REVERIE_", toml_file="reverie.toml", extra="forbid", frozen=True, env_ignore_empty=True
    )

    # Where the memory lives
    redis_url: SecretStr | None = Field(None, description="Redis Stack or Redis 8; none = the embedded server")
    data_dir: Path = Field(default_factory=_default_data_dir, description="folder of the embedded server")
    broker_url: SecretStr | None = Field(None, description="Celery broker; none = database 1 of the Redis above")
    result_url: SecretStr | None = Field(None, description="Celery results; none = database 2 of the Redis above")
    namespace: str = Field("default", min_length=1, description="namespace when none is given")
    appendfsync: Literal["everysec", "always"] = Field("everysec", description="the embedded server's AOF policy")

    # Embedder
    embedder: Literal["local", "openai", "fastembed"] = "local"
    embedder_model: str | None = Field(None, description="model name of the openai or fastembed embedder")
    embedder_base_url: str | None = None
    embedder_api_key: SecretStr | None = None
    embedder_dimension: int | None = Field(None, gt=0, description="dimension of the openai embedder's model")
    embed_deadline: timedelta = Field(
        timedelta(seconds=1), gt=timedelta(0), description="a write waits this long for its vector, no longer"
    )

    # Language model (off unless a model is named)
    llm_model: str | None = None
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_timeout: timedelta = timedelta(seconds=30)
    llm_extract: bool = Field(True, description="with a language model: extract with it, not by rules alone")
    llm_max_tokens: int = Field(1024, gt=0, description="most tokens of one reply")
    llm_input_price: float | None = Field(None, ge=0, description="price of a million tokens sent; none = not counted")
    llm_output_price: float | None = Field(None, ge=0, description="price of a million tokens received")

    # Tool calls
    artifact_threshold: int = Field(256, gt=0, description="an action's output over so many tokens is an artifact")
    episode_continuity: timedelta = Field(timedelta(hours=1), description="longest gap of FOLLOWED_BY")

    # Knowledge graph
    graph_learns: bool = Field(
        False, description="what is extracted from a user's messages also goes into the user's graph, as inferred"
    )
    graph_app: str | None = Field(
        None, min_length=1, description="app of the graphs that learn; none = the id of the agent that heard it"
    )

    # Recall
    recall_limit: int = Field(15, gt=0)
    recall_token_budget: int = Field(8192, gt=0)
    answer_floor: float = Field(
        0.15, ge=0, le=1, description="coverage below which an answer is not tried: the memory does not know"
    )

    # Work afterwards
    work_lease: timedelta = Field(timedelta(seconds=60), description="a claimed piece of work returns after this")
    work_batch: int = Field(32, gt=0, description="pieces of work claimed at once")
    work_attempts: int = Field(8, gt=0, description="failures before a piece of work is a dead letter")
    work_backoff: timedelta = Field(
        timedelta(seconds=2), description="first delay before a retry; doubles, with jitter"
    )
    wake_interval: timedelta = Field(
        timedelta(milliseconds=50), description="wake-ups of one topic are coalesced so long"
    )
    sweep_every: timedelta = Field(timedelta(seconds=10), description="the sweep re-sends wake-ups this often")
    session_idle: timedelta = Field(timedelta(hours=1), description="a session idle for so long is closed")
    extract_roles: frozenset[str] = Field(
        frozenset({"user", "assistant"}), description="roles whose messages are learned from; all are found"
    )
    chunk_tokens: int = Field(256, gt=0, description="longest chunk of a long text, in tokens")
    chunk_overlap: int = Field(32, ge=0)

    # Consolidation
    consolidate_threshold: int = Field(20, gt=0, description="so many new observations of an agent start a cycle")
    consolidate_after: timedelta = Field(
        timedelta(minutes=15), gt=timedelta(0), description="an observation waits no longer for its cycle"
    )
    consolidate_batch: int = Field(256, gt=0, description="most observations of one cycle")

    # Ageing
    decay_every: timedelta = Field(timedelta(minutes=10), gt=timedelta(0), description="weak episodes are archived")
    procedure_steps: int = Field(4, ge=2, le=10, description="steps of the longest procedure that is learned")
    procedure_active_from: int = Field(3, gt=0, description="successes that make a procedure active")
    procedure_deprecated_under: float = Field(0.4, ge=0, le=1, description="success rate under which it is deprecated")
    procedure_active_again_from: float = Field(0.6, ge=0, le=1, description="success rate that makes it active again")
    sessions_every: timedelta = Field(timedelta(minutes=1), gt=timedelta(0), description="idle sessions are closed")
    topics_every: timedelta = Field(timedelta(minutes=5), gt=timedelta(0), description="changed topics are regrouped")
    sweep_items: int = Field(20_000, gt=0, description="most items of one sweep; the rest is the next one's")
    sweep_share: float = Field(0.5, gt=0, le=1, description="share of its time in which a sweep keeps Redis busy")
    sweep_time: timedelta = Field(timedelta(seconds=30), gt=timedelta(0), description="longest time of one sweep")
    decay_half_life: timedelta = Field(
        timedelta(days=30), gt=timedelta(0), description="an unused episode's strength halves in this time"
    )
    decay_threshold: float = Field(0.05, gt=0, lt=1, description="an episode this weak is archived out of recall")
    decay_grace: timedelta = Field(
        timedelta(days=30), ge=timedelta(0), description="an archived episode is deleted after this"
    )

    # Faces
    flower_port: int = Field(5555, ge=0, le=65535)
    flower_user: str = "reverie"
    flower_password: SecretStr | None = Field(None, description="Flower's login; none = made at start and shown once")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load(**overrides: object) -> Settings:
    """Settings from the environment and file, `overrides` first; a wrong value is refused with its variable's name."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # each value is validated by its field
    except ValidationError as error:
        wrong = "; ".join(
            f"REVERIE_{'_'.join(str(part) for part in item['loc']).upper()}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(f"wrong settings: {wrong}") from None


@cache
def current() -> Settings:
    """The settings of this process, read once."""
    return load()
