"""Settings by variable and file."""

from datetime import timedelta
from pathlib import Path

import pytest

from reverie import ConfigurationError
from reverie.config.settings import Settings, load


def test_a_variable_beats_the_file_and_the_file_beats_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "reverie.toml").write_text('namespace = "from-file"\nrecall_limit = 3\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVERIE_NAMESPACE", "from-variable")

    settings = load()

    assert (settings.namespace, settings.recall_limit) == ("from-variable", 3)
    assert settings.embed_deadline == timedelta(seconds=1)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("REVERIE_EMBED_DEADLINE", "soon"), ("REVERIE_RECALL_LIMIT", "0"), ("REVERIE_EMBEDDER", "magic")],
)
def test_a_wrong_value_is_refused_with_its_variable(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigurationError, match=variable):
        load()


def test_a_misspelt_setting_in_the_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reverie.toml").write_text('namespaces = "x"\n')
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigurationError, match="NAMESPACES"):
        load()


def test_secrets_are_not_printed() -> None:
    settings = load(redis_url="redis://:hunter2@127.0.0.1:1/0", llm_api_key="sk-hunter2")

    assert "hunter2" not in repr(settings)


def test_every_setting_has_a_default() -> None:
    assert all(not field.is_required() for field in Settings.model_fields.values())
