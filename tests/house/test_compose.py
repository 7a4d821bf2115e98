"""docker-compose.yml says what the compose specification allows, and runs the commands that exist."""

import subprocess
import sys
from pathlib import Path

import typer

from reverie.cli.app import app

FILE = Path(__file__).parents[2] / "docker-compose.yml"


def test_it_fits_the_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(FILE)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_its_commands_are_those_of_the_command_line() -> None:
    known = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # a group has commands
    lines = [line.split() for line in FILE.read_text().splitlines()]
    used = {line[2] for line in lines if line[:2] == ["command:", "reverie"]}
    assert used == {"worker", "beat", "flower"}
    assert used <= known


def test_no_password_is_in_it() -> None:
    text = FILE.read_text()
    assert "redis://:${REDIS_PASSWORD:?" in text
    assert "REVERIE_FLOWER_PASSWORD: ${FLOWER_PASSWORD:?" in text
