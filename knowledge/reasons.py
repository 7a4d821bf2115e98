"""Why intervals of facts and statements ended, where no caller said so: constants, which hold no user's words."""

from typing import Final

REPLACED: Final = "replaced by another value"
RULED_OUT: Final = "ruled out by what was said since"
CORRECTED: Final = "corrected by what was said of the same time"
MISTAKEN: Final = "said by mistake, as was told since"
WORKED_OUT: Final = "worked out from all that was said"
UNDONE: Final = "the consolidation that said so was undone"
ERASED: Final = "what said so was erased"
TAKEN_OVER: Final = "a later message says otherwise"
"""Of an inferred statement in a graph."""

EVIDENT: Final = frozenset({RULED_OUT, CORRECTED, MISTAKEN, WORKED_OUT, UNDONE, ERASED})
"""What comes of evidence alone, and is worked out again from what is left of it."""
REASONS: Final = EVIDENT | {REPLACED, TAKEN_OVER}
