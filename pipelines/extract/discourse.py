"""Who and what the talk is about: what a pronoun stands for, carried from turn to turn of a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from reverie.pipelines.extract import lexicon


@dataclass(frozen=True)
class Referent:
    """What an expression stands for. `name` is the canonical subject ("Clara", "Owen's wife"), `shown` how a sentence
    calls it ("Mia's sister Clara")."""

    name: str
    shown: str
    person: bool = False
    plural: bool = False
    gender: str | None = None


@dataclass
class Discourse:
    """What was mentioned so far, the latest last."""

    seen: list[Referent] = field(default_factory=list)
    genders: dict[str, str] = field(default_factory=dict)
    participants: tuple[str, ...] = ()

    def mention(self, referent: Referent) -> None:
        """Remember a mention; the latest one wins."""
        if referent.gender is not None:
            self.genders[referent.name] = referent.gender
        self.seen = [each for each in self.seen if each.name != referent.name][-11:] + [referent]

    def resolve(self, pronoun: str, speaker: str) -> Referent | None:
        """What `pronoun` stands for when `speaker` says it; None when nothing that fits was mentioned."""
        if pronoun in lexicon.FEMALE:
            return self._person("female", speaker)
        if pronoun in lexicon.MALE:
            return self._person("male", speaker)
        if pronoun in lexicon.GROUP:
            return next((each for each in reversed(self.seen) if each.plural), None)
        if pronoun in lexicon.THING:
            return next((each for each in reversed(self.seen) if not each.person and not each.plural), None)
        return None

    def _person(self, gender: str, speaker: str) -> Referent | None:
        for each in reversed(self.seen):
            if not each.person or each.plural or each.name.lower() == speaker.lower():
                continue
            known = self.genders.get(each.name)
            if known == gender:
                return each
            if known is None and each.name not in self.participants:
                self.genders[each.name] = gender
                return each
        return None
