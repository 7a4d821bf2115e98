"""The marks around recalled text in a prompt, so that what came out of the memory is never learned again as new.

Recall writes a line `FENCE_OPEN`, the block, and a line `FENCE_CLOSE`; ingest drops all that lies between.
"""

from typing import Final

FENCE_OPEN: Final = "<recalled-memory>"
FENCE_CLOSE: Final = "</recalled-memory>"
