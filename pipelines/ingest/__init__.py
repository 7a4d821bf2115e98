"""From a message to what it says: observations, entities and, for long texts, chunks.

`reading` finds what messages say, `entities` settles whom they name, `storing` writes it, `running` does it all.
"""

from reverie.pipelines.ingest.running import TOPIC, Ingested, ingest

__all__ = ["TOPIC", "Ingested", "ingest"]
