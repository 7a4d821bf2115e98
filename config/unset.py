"""The default of parameters for which None means something: "leave this as it is"."""

from enum import Enum
from typing import Any, Final


class Unset(Enum):
    """The type of `UNSET`, which marks a parameter that was not given where None is a value of its own."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return self.value


UNSET: Final = Unset.UNSET


def without_unset(**parameters: Any) -> dict[str, Any]:
    """The parameters that were given, by name."""
    return {name: value for name, value in parameters.items() if value is not UNSET}
