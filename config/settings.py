"""Every setting with its default, read from `REVERIE_*` variables, then `reverie.toml`, then the defaults here."""

import tomllib
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from reverie.config.errors import ConfigurationError

_FILE: Final = "reverie.toml"
_NOW: Final = timedelta(0)


def _default_data_dir() -> Path:
    return Path.home() / ".local" / "share" / "reverie"


def _parted(value: Any) -> Any:
    """`user,assistant` as a variable says it; a list as a file does."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


def _seconds(value: Any) -> Any:
    """A variable is text: its number is one of seconds."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _place(value: SecretStr | None) -> SecretStr | None:
    """A URL that Celery can read; no message quotes it, for it may hold a password."""
    if value is not None:
        try:
            parts = urlsplit(value.get_secret_value())
            is_place = bool(parts.scheme) and "://" in value.get_secret_value() and (parts.port or 1) > 0
        except ValueError:
            is_place = False
        if not is_place:
            raise ValueError("is no URL; write redis://USER:PASSWORD@HOST:PORT/1 or another that Celery knows")
    return value


_LONGEST: Final = timedelta(days=36_500)
"""A moment that far from now can still be stored: the last one lies in 2254."""


def _bounded(value: timedelta) -> timedelta:
    if value > _LONGEST:
        raise ValueError("is longer than a hundred years")
    return value


Duration = Annotated[timedelta, BeforeValidator(_seconds), AfterValidator(_bounded)]
Place = Annotated[SecretStr | None, AfterValidator(_place)]


class Settings(BaseSettings):
    """What can be set. Durations are seconds (or ISO 8601, "PT30S") in variables and files.

    Every description says what the setting does and, of a number, what it counts.
    """

    model_config = SettingsConfigDict(
        env_prefix="REVERIE_", toml_file=_FILE, extra="forbid", frozen=True, env_ignore_empty=True
    )

    # Where the memory lives
    redis_url: SecretStr | None = Field(
        None,
        description="the Redis Stack 7.4 or Redis 8 that holds the memory, as redis://:PASSWORD@HOST:PORT/0, "
        "rediss://… with TLS, or unix:///PATH; none = the embedded server",
    )
    redis_timeout: Duration = Field(
        timedelta(seconds=4), gt=_NOW, description="how long Redis may take for one reply before it counts as hanging"
    )
    data_dir: Path = Field(default_factory=_default_data_dir, description="folder of the embedded server and of beat")
    broker_url: Place = Field(None, description="Celery's broker; none = database 1 of the Redis above")
    result_url: Place = Field(None, description="Celery's results; none = database 2 of the Redis above")
    namespace: str = Field("default", min_length=1, description="the namespace (tenant) when a call names none")
    appendfsync: Literal["everysec", "always"] = Field(
        "everysec", description="when the embedded server forces its log to disk: each second, or at every write"
    )

    # Embedder
    embedder: Literal["local", "openai", "fastembed"] = Field(
        "local", description="what embeds texts: local (nothing to set), openai (any compatible endpoint) or fastembed"
    )
    embedder_model: str | None = Field(None, description="model name of the openai or fastembed embedder")
    embedder_base_url: str | None = Field(
        None, description="address of the openai embedder's endpoint, up to /v1; none = OpenAI's"
    )
    embedder_api_key: SecretStr | None = Field(
        None, description="key of the openai embedder's endpoint; none = OPENAI_API_KEY"
    )
    embedder_dimension: int | None = Field(
        None, gt=0, description="length of the openai embedder's vectors, in numbers"
    )
    embed_deadline: Duration = Field(
        timedelta(seconds=1),
        gt=_NOW,
        description="how long a write waits for its vector, which a worker fills in, and a question for its own",
    )

    # Reranker
    reranker: Literal["none", "fastembed", "endpoint"] = Field(
        "none", description="what reads the best of a recall again: none, fastembed or endpoint (any like Cohere's)"
    )
    reranker_model: str | None = Field(None, description="model name of the reranker")
    reranker_url: str | None = Field(
        None, description="whole address of the endpoint reranker, such as https://api.cohere.com/v2/rerank"
    )
    reranker_api_key: SecretStr | None = Field(None, description="key of the endpoint reranker; none = none is sent")
    reranker_deadline: Duration = Field(
        timedelta(seconds=1), gt=_NOW, description="how long a recall waits for the reranker before it goes without"
    )
    reranker_reads: int = Field(30, gt=1, le=200, description="most of a recall's best that are reranked, in rows")

    # Language model
    llm_model: str | None = Field(None, description="name of the language model; none = every use has its way without")
    llm_base_url: str | None = Field(
        None, description="address of the language model's OpenAI-compatible endpoint, up to /v1; none = OpenAI's"
    )
    llm_api_key: SecretStr | None = Field(
        None, description="key of the language model's endpoint; none = OPENAI_API_KEY"
    )
    llm_timeout: Duration = Field(
        timedelta(seconds=30),
        gt=_NOW,
        description="how long one use of the language model may take, with its waits and further tries",
    )
    llm_pause: Duration = Field(
        timedelta(seconds=30),
        ge=_NOW,
        description="after a failure of the language model, what has a way without it asks it no sooner than this",
    )
    llm_extract: bool = Field(True, description="with a language model: extract with it, not by rules alone")
    llm_max_tokens: int = Field(1024, gt=0, description="longest reply of the language model, in tokens")
    llm_input_price: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="price of what is sent, in money for a million tokens; none = not counted",
    )
    llm_output_price: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="price of what is received, in money for a million tokens; none = not counted",
    )

    # Tool calls
    artifact_threshold: int = Field(
        256, gt=0, description="an action's output longer than this is kept as an artifact, in tokens"
    )
    episode_continuity: Duration = Field(
        timedelta(hours=1), ge=_NOW, description="longest gap over which an episode follows the agent's one before it"
    )

    # Knowledge graph
    graph_learns: bool = Field(
        False, description="what is extracted from a user's messages also goes into the user's graph, as inferred"
    )
    graph_app: str | None = Field(
        None, min_length=1, description="app of the graphs that learn; none = the id of the agent that heard it"
    )

    # Recall
    recall_limit: int = Field(15, gt=0, le=200, description="most that one recall gives, in items")
    recall_token_budget: int = Field(8192, gt=0, description="most that one recall gives, in tokens")
    date_order: Literal["day_first", "month_first"] = Field(
        "day_first", description="how a question's date of numbers alone is read: is 10.01.2024 in January or October?"
    )
    hemisphere: Literal["north", "south"] = Field(
        "north", description="the half of the earth whose seasons and school breaks a question's times are"
    )
    answer_floor: float = Field(
        0.15,
        ge=0,
        le=1,
        description="coverage, from 0 to 1, below which no answer is tried, unless something is near in meaning",
    )

    # Work afterwards
    work_lease: Duration = Field(
        timedelta(seconds=60), gt=_NOW, description="a claimed piece of work that was not ended returns after this"
    )
    work_batch: int = Field(
        4,
        gt=0,
        description="most that a worker claims at once, in pieces of work: what everybody else may wait for",
    )
    work_attempts: int = Field(8, gt=0, description="tries before a piece of work is a dead letter, in failures")
    work_backoff: Duration = Field(
        timedelta(seconds=2), ge=_NOW, description="delay before the first retry; doubles with each, with jitter"
    )
    wake_interval: Duration = Field(
        timedelta(milliseconds=50), ge=_NOW, description="wake-ups of one topic within this are sent as one"
    )
    sweep_every: Duration = Field(
        timedelta(seconds=10), gt=_NOW, description="how often workers are woken for work that still waits"
    )
    remark_every: Duration = Field(
        timedelta(minutes=10),
        gt=_NOW,
        description="how often all namespaces are looked through for work that a killed writer left unmarked",
    )
    session_idle: Duration = Field(
        timedelta(hours=1), gt=_NOW, description="a session without a message for so long is closed and summarised"
    )
    extract_roles: Annotated[
        frozenset[Literal["user", "assistant", "system", "tool"]], NoDecode, BeforeValidator(_parted)
    ] = Field(
        frozenset({"user", "assistant"}),
        description="roles whose messages are learned from, with commas between; messages of all roles are found",
    )
    chunk_tokens: int = Field(256, gt=0, description="longest chunk of a long text, in tokens")
    chunk_overlap: int = Field(32, ge=0, description="what a chunk repeats of the one before it, in tokens")

    # Consolidation
    consolidate_threshold: int = Field(
        20, gt=0, description="so many new ones of an agent start a cycle at once, in observations"
    )
    consolidate_after: Duration = Field(
        timedelta(minutes=15), gt=_NOW, description="an observation waits no longer than this for its cycle"
    )
    consolidate_batch: int = Field(256, gt=0, description="most that one cycle takes, in observations")

    # Ageing
    decay_every: Duration = Field(
        timedelta(minutes=10), gt=_NOW, description="how often weak episodes are archived and old archived ones deleted"
    )
    decay_half_life: Duration = Field(
        timedelta(days=30), gt=_NOW, description="an unused episode's strength halves in this time"
    )
    decay_threshold: float = Field(
        0.05, gt=0, lt=1, description="strength, from 0 to 1, at which an episode is archived out of recall"
    )
    decay_grace: Duration = Field(timedelta(days=30), ge=_NOW, description="an archived episode is deleted after this")
    sessions_every: Duration = Field(
        timedelta(minutes=1), gt=_NOW, description="how often sessions are looked through for idle ones"
    )
    topics_every: Duration = Field(
        timedelta(minutes=5), gt=_NOW, description="how often topics whose entities changed are regrouped"
    )
    procedure_steps: int = Field(4, ge=2, le=10, description="longest procedure that is learned, in steps")
    procedure_active_from: int = Field(3, gt=0, description="what makes a procedure active, in successes")
    procedure_deprecated_under: float = Field(
        0.4, ge=0, le=1, description="success rate, from 0 to 1, under which a procedure is deprecated"
    )
    procedure_active_again_from: float = Field(
        0.6, ge=0, le=1, description="success rate, from 0 to 1, at which a deprecated procedure is active again"
    )
    sweep_items: int = Field(
        20_000, gt=0, description="most that one sweep settles, in items; the rest is the next one's"
    )
    sweep_time: Duration = Field(
        timedelta(seconds=5), gt=_NOW, description="longest time of one sweep; a worker that stops waits for it"
    )
    sweep_share: float = Field(
        0.5, gt=0, le=1, description="share of its time, from 0 to 1, in which a sweep keeps Redis busy"
    )

    # Faces
    flower_port: int = Field(5555, ge=1, le=65535, description="where Flower listens, as a TCP port")
    flower_user: str = Field("reverie", min_length=1, description="name of Flower's login")
    flower_password: SecretStr | None = Field(
        None, description="password of Flower's login; none = drawn at each start and shown once"
    )
    web_port: int = Field(8765, ge=1, le=65535, description="where the memory explorer listens, as a TCP port")
    web_password: SecretStr | None = Field(
        None, description="password of the memory explorer; none = drawn at each start and shown once"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="least level that a worker and beat log"
    )

    @model_validator(mode="after")
    def _fit(self) -> Self:
        """Refuse settings that cannot hold together."""
        if self.chunk_overlap >= self.chunk_tokens:
            raise ValueError("REVERIE_CHUNK_OVERLAP must be less than REVERIE_CHUNK_TOKENS")
        if self.procedure_active_again_from < self.procedure_deprecated_under:
            raise ValueError(
                "REVERIE_PROCEDURE_ACTIVE_AGAIN_FROM must not be less than REVERIE_PROCEDURE_DEPRECATED_UNDER"
            )
        return self

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
            f"REVERIE_{str(item['loc'][0]).upper()}: {item['msg'].removeprefix('Value error, ')}"
            if item["loc"]
            else item["msg"].removeprefix("Value error, ")
            for item in error.errors()
        )
        raise ConfigurationError(f"wrong settings: {wrong}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{Path(_FILE).absolute()} cannot be read: {error}") from None


@cache
def current() -> Settings:
    """The settings of this process, read once."""
    return load()
