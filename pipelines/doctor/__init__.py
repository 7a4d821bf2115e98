"""Looking over a store: what does not fit together is found, and mended where nothing has to be guessed.

Each module checks one thing of a namespace, and `store` what concerns all of them.
"""

from reverie.pipelines.doctor.examining import Heard, examine
from reverie.pipelines.doctor.finding import Finding

__all__ = ["Finding", "Heard", "examine"]
