"""The names a caller may import. Adding one is a promise; taking one away breaks somebody."""

import reverie

PUBLIC = {
    "Agent",
    "ConfigurationError",
    "Conflict",
    "EmbeddedServerError",
    "EmbedderMismatch",
    "IndexMissing",
    "LanguageModelMissing",
    "Memory",
    "ModelFailed",
    "NotFound",
    "RecordUnreadable",
    "ReverieError",
    "Session",
    "StoreBusy",
    "StoreDenied",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreUnavailable",
    "StoreUnfit",
    "ValidationFailed",
    "WaitTimeout",
}


def test_the_public_names_are_these() -> None:
    assert set(reverie.__all__) == PUBLIC
    assert {name for name in reverie.__all__ if not hasattr(reverie, name)} == set()


def test_every_public_name_says_what_it_is() -> None:
    assert [name for name in PUBLIC if not (getattr(reverie, name).__doc__ or "").strip()] == []
