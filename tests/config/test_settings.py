"""Settings by variable and file."""

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

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


@pytest.mark.parametrize("name", [name for name, one in Settings.model_fields.items() if one.annotation is timedelta])
def test_no_duration_is_so_long_that_no_moment_lies_behind_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    variable = f"REVERIE_{name.upper()}"
    for value in ("P999999999D", "P36501D", "1e18"):
        monkeypatch.setenv(variable, value)
        with pytest.raises(ConfigurationError, match=f"{variable}: "):
            load()
    monkeypatch.setenv(variable, "P36500D")
    assert load().model_dump()[name] == timedelta(days=36_500)


@pytest.mark.parametrize("name", ["broker_url", "result_url"])
@pytest.mark.parametrize(
    "value", ["0", "-", "localhost", "redis:/x", "redis://[::1", "redis://:hunter2@h:99999/1", "é"]
)
def test_what_is_no_url_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"REVERIE_{name.upper()}", value)
    with pytest.raises(ConfigurationError, match=f"REVERIE_{name.upper()}: is no URL") as caught:
        load()
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"chunk_tokens": 16}, "REVERIE_CHUNK_OVERLAP must be less than REVERIE_CHUNK_TOKENS"),
        ({"procedure_deprecated_under": 0.9}, "REVERIE_PROCEDURE_ACTIVE_AGAIN_FROM must not be less"),
    ],
)
def test_settings_that_cannot_hold_together_are_refused(given: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        load(**given)


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


def test_every_setting_says_what_it_does_and_what_its_number_counts() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        kinds = {field.annotation, *get_args(field.annotation)}
        # Durations are shown in seconds; the bounds of a share are its unit.
        if kinds & {int, float}:
            assert re.search(r", (?:in|as|from 0 to 1)\b", field.description), name


def test_a_duration_of_nothing_is_refused_where_it_would_stop_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    durations = [name for name, field in Settings.model_fields.items() if field.annotation is timedelta]
    assert len(durations) > 10
    for name in durations:
        monkeypatch.setenv(f"REVERIE_{name.upper()}", "-PT1S")
        with pytest.raises(ConfigurationError, match=f"REVERIE_{name.upper()}: "):
            load()
        monkeypatch.delenv(f"REVERIE_{name.upper()}")


@pytest.mark.parametrize(("value", "seconds"), [("90", 90), ("0.5", 0.5), (" 2 ", 2), ("PT1M30S", 90), ("P1D", 86400)])
def test_a_duration_is_a_number_of_seconds_or_iso_8601(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, seconds: float
) -> None:
    monkeypatch.setenv("REVERIE_WORK_LEASE", value)
    assert load().work_lease == timedelta(seconds=seconds)
    monkeypatch.delenv("REVERIE_WORK_LEASE")
    (tmp_path / "reverie.toml").write_text(f"work_lease = {seconds}\n")
    monkeypatch.chdir(tmp_path)
    assert load().work_lease == timedelta(seconds=seconds)


@pytest.mark.parametrize("value", ["nan", "inf", "1e300", "soon", "-1"])
def test_what_is_no_duration_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("REVERIE_WORK_LEASE", value)
    with pytest.raises(ConfigurationError, match="REVERIE_WORK_LEASE: "):
        load()


@pytest.mark.parametrize("text", ['namespace = "x', "namespace = \x00", "\xff\xfe"])
def test_a_file_that_is_no_toml_is_refused_with_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    (tmp_path / "reverie.toml").write_bytes(text.encode("latin-1"))
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigurationError, match=r"reverie\.toml"):
        load()


def test_roles_are_named_with_commas_in_a_variable_and_as_a_list_in_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "reverie.toml").write_text('extract_roles = ["tool"]\n')
    monkeypatch.chdir(tmp_path)
    assert load().extract_roles == {"tool"}
    monkeypatch.setenv("REVERIE_EXTRACT_ROLES", "user, system")
    assert load().extract_roles == {"user", "system"}
    monkeypatch.setenv("REVERIE_EXTRACT_ROLES", "user,robot")
    with pytest.raises(ConfigurationError, match="REVERIE_EXTRACT_ROLES: "):
        load()
