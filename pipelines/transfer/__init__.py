"""Moving a namespace: exports and imports of everything that is no copy of something else.

An export is a file of JSON Lines: a header, and the documents of `store.dumping`. `archive` reads and writes the file,
`exporting` and `importing` are the two flows.
"""

from reverie.pipelines.transfer.exporting import Exported, ExportProgress, export_namespace
from reverie.pipelines.transfer.importing import Imported, ImportProgress, import_namespace

__all__ = [
    "ExportProgress",
    "Exported",
    "ImportProgress",
    "Imported",
    "export_namespace",
    "import_namespace",
]
