"""What a check found."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

_EXAMPLES: Final = 5


class Finding(BaseModel):
    """Something that does not fit together: how often, a few examples, how many were mended, and what else to do."""

    model_config = ConfigDict(frozen=True)

    check: str
    """Names the check, such as "rows.missing"."""
    namespace: str | None
    """None for what concerns the whole store."""
    says: str
    count: int
    examples: tuple[str, ...] = ()
    mended: int = 0
    advice: str = ""
    """What to do about what was not mended; "" when `reverie doctor --fix` mends it."""

    @property
    def is_left(self) -> bool:
        """Whether anything of it is not mended."""
        return self.mended < self.count


def finding(
    check: str, namespace: str | None, says: str, wrong: Sequence[object], *, mended: int = 0, advice: str = ""
) -> list[Finding]:
    """A finding of what is wrong; [] when nothing is."""
    if not wrong:
        return []
    examples = tuple(str(one) for one in wrong[:_EXAMPLES])
    return [
        Finding(
            check=check,
            namespace=namespace,
            says=says,
            count=len(wrong),
            examples=examples,
            mended=mended,
            advice=advice,
        )
    ]
