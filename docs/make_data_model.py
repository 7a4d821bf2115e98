"""Prints the tables of `store/schema.py` into `docs/architecture.md`: `python docs/make_data_model.py`."""

import re
from pathlib import Path

from reverie.store.schema import markdown

ARCHITECTURE = Path(__file__).with_name("architecture.md")


def main() -> None:
    """Replace what stands between the heading of the first table and the next chapter."""
    text = ARCHITECTURE.read_text(encoding="utf-8")
    tables = re.compile(r"^### Records: .*?(?=^## )", re.DOTALL | re.MULTILINE)
    ARCHITECTURE.write_text(tables.sub(lambda _: markdown() + "\n\n", text, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
