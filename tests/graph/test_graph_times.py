"""The graph in two times: when it held, and when it was believed."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import Clock  # noqa: F401
