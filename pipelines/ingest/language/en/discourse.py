"""What the talk is about: what a pronoun stands for, carried from turn to turn of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from reverie.pipelines.ingest.language.en import lexicon

MEMORY_OF_TURNS = 3  # a thing not mentioned for longer is not what "it" means


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
    """What was mentioned so far, the latest last; `topics` are the things that the clauses of a turn were about."""

    participants: tuple[str, ...] = ()
    seen: list[tuple[int, Referent]] = field(default_factory=list)
    genders: dict[str, str] = field(default_factory=dict)
    topics: dict[int, list[Referent]] = field(default_factory=dict)
    utterance: int = 0
    told_day: date | None = None
    """The first day of the time told last, from which "the Monday after that" is counted."""

    def mention(self, referent: Referent) -> None:
        """Remember a mention; the latest one wins."""
        if referent.gender is not None:
            self.genders[referent.name] = referent.gender
        self.seen = [*(each for each in self.seen if each[1].name != referent.name), (self.utterance, referent)][-16:]

    def focus(self, referent: Referent) -> None:
        """Remember what "it" stands for from here on."""
        if not referent.person and not referent.plural and referent.name.lower().split()[-1] not in lexicon.VAGUE:
            known = [each for each in self.topics.get(self.utterance, []) if each.name != referent.name]
            self.topics = {
                utterance: each
                for utterance, each in self.topics.items()
                if utterance >= self.utterance - MEMORY_OF_TURNS
            }
            self.topics[self.utterance] = [*known, referent]

    def resolve(self, pronoun: str, speaker: str) -> Referent | None:
        """What `pronoun` stands for when `speaker` says it; None when nothing that fits was mentioned."""
        if pronoun in lexicon.FEMALE:
            return self._person("female", speaker)
        if pronoun in lexicon.MALE:
            return self._person("male", speaker)
        if pronoun in lexicon.GROUP:
            return self._group()
        if pronoun in lexicon.THING:
            return self._thing()
        return None

    def named_here(self, pronoun: str) -> bool:
        """Whether the current turn itself named something that the pronoun may stand for."""
        if pronoun in lexicon.GROUP:
            return any(each.plural and utterance == self.utterance for utterance, each in self.seen)
        return bool(self.topics.get(self.utterance))

    def _group(self) -> Referent | None:
        """People of this turn, else things of this turn, else people mentioned shortly before."""
        groups = [
            (utterance, each)
            for utterance, each in reversed(self.seen)
            if each.plural and utterance >= self.utterance - MEMORY_OF_TURNS
        ]
        here = [each for utterance, each in groups if utterance == self.utterance]
        before = [each for utterance, each in groups if utterance < self.utterance and each.person]
        if not any(each.person for each in here) and (one := self._singular_they()) is not None:
            return one
        return next((each for each in here if each.person), next(iter(here), next(iter(before), None)))

    def _singular_they(self) -> Referent | None:
        """ "Robin joined today. They're from Cork": the one person that this turn names, of no known gender."""
        people = [
            each for utterance, each in self.seen if utterance == self.utterance and each.person and not each.plural
        ]
        named = [each for each in people if each.name not in self.participants and " " not in each.name]
        return named[0] if len(people) == 1 and named and self.genders.get(named[0].name) is None else None

    def _thing(self) -> Referent | None:
        """The last thing this turn was about, else the one thing that a turn shortly before was about."""
        here = self.topics.get(self.utterance)
        if here:
            return here[-1]
        for utterance in range(self.utterance - 1, self.utterance - MEMORY_OF_TURNS - 1, -1):
            earlier = self.topics.get(utterance)
            if earlier:
                return earlier[0] if len(earlier) == 1 else None
        return None

    def _person(self, gender: str, speaker: str) -> Referent | None:
        for _, each in reversed(self.seen):
            if not each.person or each.plural or each.name.lower() == speaker.lower():
                continue
            known = self.genders.get(each.name)
            if known == gender:
                return each
            if known is None and each.name not in self.participants:
                self.genders[each.name] = gender
                return each
        return None
