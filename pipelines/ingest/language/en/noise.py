"""Talk that says nothing lasting: idioms, interjections, exaggerations, jokes that are marked as such."""

from __future__ import annotations

import re

from reverie.pipelines.ingest.language.en.clauses import Clause
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.words import lemma

_JOKE = re.compile(
    r"^\W*(?:(?:just|only|totally|i'?m|i am|i was|haha|lol|ok)\s+)*(?:kidding|joking|jk|teasing|messing with you"
    r"|pulling your leg)\b(?! about)"
    r"|^\W*(?:that(?:'s| was|'s just)? )?(?:just |only )?a joke\b|^\W*(?:april fools|not!|as if!|yeah,? right"
    r"|/s)\W*$|\(?\bjk\)?\W*$|\s/s\s*$",
    re.I,
)
"""A sentence that takes back what was said before it."""
_IDIOM = re.compile(
    r"\b(?:fingers? (?:are )?crossed|(?:cross|crossing) (?:my|our) fingers|break a leg|(?:was|were|is|are|'s"
    r"|'re) (?:on )?(?:fire|lit|goat)\b"
    r"|piece of cake|under the weather|over the moon|cloud nine|(?:fell|fall|falling) off (?:my|his|her|the"
    r"|their) chair|lost (?:my|his|her) (?:mind|marbles|head|it)"
    r"|(?:dying|died|dead) (?:of|from) (?:laughter|laughing|boredom|embarrassment|curiosity|hunger|heat|cold)"
    r"|dead (?:tired|serious)|eat a horse|head over heels"
    r"|cost(?:s|ed)? (?:me )?an arm|hit the (?:sack|hay|road|gym|nail)|spill(?:ed)? the beans|rain(?:s|ed|ing)? "
    r"cats|raining on my parade|on the fence|in the same boat"
    r"|ball is in|bite the bullet|once in a blue moon|pull(?:ed|ing)? (?:my|your|his|her) leg|cut(?:ting)? "
    r"corners|cat(?:'s| is) out of the bag|elephant in the room"
    r"|call it a day|call(?:ing)? it a night|get (?:my|your|our) act together|let (?:the )?cat|on the same page"
    r"|speak of the devil|last straw|drive(?:s|n)? me (?:crazy|nuts|mad|up the wall)"
    r"|(?:caught|catch(?:es)?) my eye|in hot water|on thin ice|through the roof|up in the air|out of the blue"
    r"|turn(?:ed|ing)? (?:the|an?|a new) (?:page|leaf|corner)|live(?:s|d)? in (?:fear|dread|hope|constant)"
    r"|(?:my|his|her) (?:brain|head|heart|soul) (?:is|are|was|hurts|melted|exploded|bleeds?|skipped|broke"
    r"|breaks)|blew my mind|mind(?:'s| is)? blown|made my (?:day|week|year)"
    r"|kill(?:ed|ing|s)? (?:it|me|time)|nailed it|crush(?:ed|ing) it|rocks? my world|long story short|at the end "
    r"of the day|(?:my|two) cents|no brainer|sick as a dog"
    r"|sleep(?:ing)? like a (?:log|baby)|slept like a (?:log|baby)|busy as a bee|(?:have|had|got) butterflies"
    r"|heart of gold|walking on (?:air|eggshells)|skating on|born yesterday"
    r"|knock on wood|touch wood|take(?:s)? the cake|holy (?:cow|moly)|time flies|so far so good|better late than"
    r"|you rock|hang in there|the bomb|as it is|(?:i'm|i am) (?:\w+ )?(?:dying|dead|toast|screaming|deceased)"
    r"|want to die|could die|starving)\b",
    re.I,
)
_PRAISE = words(
    "rock wreck gold lifesaver life-saver legend star hero angel beast genius machine monster rockstar saint "
    "killer gem treasure "
    "champion "
    "champ wizard magician goddess queen king boss goat mvp icon nightmare clown mess disaster riot hoot peach "
    "sweetheart "
    "dinosaur robot zombie wreck vegetable ninja guru"
)
"""What somebody is called in praise, blame or jest."""
_EVERYBODY = words("everyone everybody everything nobody nothing people humanity life mondays")


def takes_back(sentence: str) -> bool:
    """Whether a sentence says that the one before it was a joke."""
    return _JOKE.search(sentence.strip()) is not None


def is_idiom(clause: Clause) -> bool:
    """ "Fingers crossed", "those slides were fire"."""
    first, last = clause.own[0].i, clause.own[-1].i
    return _IDIOM.search(clause.head.doc[first : last + 1].text) is not None


def is_exaggerated(clause: Clause) -> bool:
    """ "The man is a machine", "I hate everyone": meant as a mood, not as a fact."""
    verb = lemma(clause.head)
    if verb == "be":
        value = clause.child("attr")
        return (
            value is not None
            and value.lemma_.lower() in _PRAISE
            and not any(child.dep_ == "prep" for child in value.children)
        )
    thing = clause.child("dobj")
    return verb in ("hate", "love", "like", "know", "want") and thing is not None and thing.lower_ in _EVERYBODY


def is_of_the_moment(clause: Clause) -> bool:
    """ "This film is so slow", "that soup was cold": of a thing that is pointed at."""
    subject = clause.subject
    if subject is None or lemma(clause.head) not in ("be", "look", "seem", "feel", "taste", "smell", "sound"):
        return False
    pointed = any(
        child.lower_ in ("this", "that", "these", "those") and child.dep_ == "det" for child in subject.children
    )
    return pointed and clause.child("acomp") is not None
