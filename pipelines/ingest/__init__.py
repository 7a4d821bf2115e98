"""From a message to what it says: observations, entities and, for long texts, chunks.

`reading` finds what messages say, `entities` settles whom they name, `storing` writes it, `running` does it all;
`chunking` cuts what is too long for one run.
"""

from reverie.pipelines.ingest.asking import TURNS_A_CALL
from reverie.pipelines.ingest.running import REPLACED, TOPIC, Ingested, ingest

__all__ = ["REPLACED", "TOPIC", "TURNS_A_CALL", "Ingested", "ingest"]
