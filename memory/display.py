"""Results that notebooks show as tables; otherwise they are the list and the text that they look like."""

from reverie.config.display import html_table
from reverie.pipelines.facts import FactView


class FactList(list[FactView]):
    """Facts; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        rows = [
            (one.subject, one.predicate, one.object, one.valid_from, one.valid_to, f"{one.confidence:.2f}", one.source)
            for one in self
        ]
        return html_table(("subject", "predicate", "object", "from", "until", "confidence", "source"), rows)


class ProfileCard(str):
    """A profile card, one line an entity; a notebook shows it as a table."""

    def _repr_html_(self) -> str:
        return html_table(("who or what", "what is known"), [line.partition(": ")[::2] for line in self.splitlines()])
