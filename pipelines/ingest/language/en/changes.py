"""Told changes: what began and what ended, by the verb and by the kind of thing it is said of.

    "moved to Lyon"              -> live in Lyon, began            (but "moved to a new phone" is no move of home)
    "quit my job at Initech"     -> work at Initech, ended
    "sold the Vespa"             -> own the Vespa, ended
    "switched from vim to Helix" -> use Helix, began; use vim, ended
    "gave up smoking"            -> smoke, ended

Each claim keeps the verb it was told with as its predicate and names the state beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spacy.tokens import Token

from reverie.knowledge.claims import Kind
from reverie.pipelines.ingest.language.base import Claim
from reverie.pipelines.ingest.language.en import lexicon
from reverie.pipelines.ingest.language.en.claiming import Case, claim
from reverie.pipelines.ingest.language.en.clauses import done
from reverie.pipelines.ingest.language.en.coordination import subjects
from reverie.pipelines.ingest.language.en.lexicon import words
from reverie.pipelines.ingest.language.en.naming import core_of, phrase, proper_name
from reverie.pipelines.ingest.language.en.negation import is_negated
from reverie.pipelines.ingest.language.en.rendering import finish, sentence
from reverie.pipelines.ingest.language.en.things import (
    ANIMALS,
    DEVICES,
    EMPLOYERS,
    GROUPS,
    JOBS,
    OWNED,
    SCHOOLS,
    SITES,
    is_employer,
    is_place,
    kind_of_possession,
)
from reverie.pipelines.ingest.language.en.words import lemma, third_person

_MOVING = words("move relocate emigrate immigrate resettle return transfer come go get")
_SETTLING = words("move relocate emigrate immigrate resettle")
_FIRING = words("fire sack dismiss terminate axe can")
_DISPOSING = words("sell donate scrap pawn ditch discard")
_GETTING = words("buy adopt get inherit acquire purchase rescue order")
_SWITCHING = words("switch change migrate convert move upgrade downgrade transition")
_REPLACING = words("replace swap trade exchange ditch drop abandon dump")
_PARTING = words("separate split break divorce")
_HIRING = words("hire employ recruit poach")


@dataclass(frozen=True)
class Told:
    """A change: the predicate as it was told, the new or the old value, and the state that began or ended with it."""

    predicate: str
    value: str | None
    state: str
    kind: Kind | None
    ended: bool


@dataclass(frozen=True)
class Parts:
    """A verb with what hangs on it."""

    verb: str
    head: Token
    particle: str
    object: Token | None
    links: dict[str, Token]
    passive: bool
    adverbs: frozenset[str]

    def target(self, *links: str) -> Token | None:
        """What the first of these prepositions leads to."""
        return next((self.links[link] for link in links if link in self.links), None)


def changes(case: Case) -> list[Claim] | None:
    """The claims of a clause that tells a change of a known kind; None when it tells none."""
    clause = done(case.clause)
    parts = parts_of(clause.head, case.cut, any(token.dep_ == "auxpass" for token in clause.auxiliaries))
    if parts.head.lower_ == "got" and any(token.lemma_ == "have" for token in clause.auxiliaries):
        return None  # "I've got a cat": it is had, and did not begin
    patient: Token | None = None
    told: list[Told] = []
    for frame in _FRAMES:
        told = list(frame(parts))
        if told:
            break
    else:
        told, patient = _done_to_somebody(parts)
        if not told:
            return None
    none = parts.object is not None and any(child.lower_ == "no" for child in parts.object.children)
    if is_negated(clause) or none:
        return None
    names = _subjects(case, patient)
    if not names:
        return [] if clause.subject is not None and clause.subject.pos_ == "PRON" else None
    content = sentence(case.clause, case.voice)
    if any(token.lower_ == "respectively" for token in clause.own):
        return _in_turn(case, names, told)
    return [
        claim(
            case,
            name,
            one.predicate,
            one.value,
            content,
            mood="ended" if one.ended else "asserted",
            state=one.state if one.state != one.predicate else None,
            kind=one.kind,
            began=not one.ended,
        )
        for name in names
        for one in told
    ]


def _in_turn(case: Case, names: list[str], told: list[Told]) -> list[Claim]:
    """ "Layla and Tarek moved to Doha and Muscat respectively": each subject with the object in its place."""
    head = next(
        (token for token in case.clause.own if token.dep_ in ("pobj", "dobj") and token.i > case.clause.head.i), None
    )
    values = [] if head is None else [_value(token) for token in _joined(head)]
    if len(told) != 1 or len(values) != len(names):
        return []
    one = told[0]
    return [
        claim(
            case,
            name,
            one.predicate,
            value,
            finish(f"{name} {third_person(one.state.split(' ')[0])} {one.state.partition(' ')[2]} {value}"),
            mood="ended" if one.ended else "asserted",
            state=one.state if one.state != one.predicate else None,
            kind=one.kind,
            began=not one.ended,
        )
        for name, value in zip(names, values, strict=True)
    ]


def _joined(token: Token) -> list[Token]:
    return [token, *(each for child in token.children if child.dep_ == "conj" for each in _joined(child))]


def _subjects(case: Case, patient: Token | None) -> list[str]:
    """Of whom the change is told; nobody when it cannot be said."""
    if patient is None and case.clause.subject is None:
        return [case.voice.utterance.speaker]
    told = (
        [patient] if patient is not None else subjects(case.clause.subject) if case.clause.subject is not None else []
    )
    found = [case.voice.refer(token) for token in told]
    return [referent.name for referent in found if referent is not None]


def parts_of(head: Token, cut: frozenset[int], passive: bool) -> Parts:
    """The parts of a verb; words at `cut` (its time) are left out."""
    links: dict[str, Token] = {}
    for token in head.subtree:
        if token.dep_ not in ("prep", "agent", "dative") or token.i in cut or token.i < head.i:
            continue
        if token.head != head and not (
            token.head.head == head
            and token.head.dep_ in ("dobj", "advmod", "prt", "prep", "acomp", "npadvmod", "xcomp", "oprd")
        ):
            continue
        target = next((child for child in token.children if child.dep_ in ("pobj", "pcomp")), None)
        if target is not None and target.i not in cut:
            links.setdefault(token.lower_, target)
    particle = next(
        (token.lower_ for token in head.children if token.dep_ in ("prt", "advmod") and token.i == head.i + 1), ""
    )
    if not particle:
        particle = next((token.lower_ for token in head.children if token.dep_ == "prt"), "")
    thing = next(
        (
            token
            for token in head.children
            if token.dep_ in ("dobj", "oprd", "attr") and token.i not in cut and token.i > head.i
        ),
        None,
    )
    adverbs = frozenset(token.lower_ for token in head.children if token.dep_ in ("advmod", "acomp", "npadvmod"))
    return Parts(lemma(head), head, particle, thing, links, passive, adverbs)


def _moves(parts: Parts) -> Iterator[Told]:
    """ "Moved to Lyon from Nice", "moved back to Paris", "moved out", "am home again in Prague"."""
    if parts.passive or parts.verb not in _SETTLING | {"return", "settle"}:
        return
    to, origin = parts.target("to", "into", "in"), parts.target("from", "of")
    back = "back" in parts.adverbs or parts.particle == "back"
    if parts.verb == "return" and not _for_good(parts):
        return
    if parts.verb == "settle" and not (to is not None and is_place(to) and parts.particle != "down"):
        return
    if to is not None and is_place(to) and not (parts.object is not None and parts.verb == "move"):
        link = next(link for link in ("to", "into", "in") if link in parts.links)
        verb = f"{parts.verb} back {link}" if back else f"{parts.verb} {link}"
        yield Told(verb, _value(to), "live in", "home", ended=False)
        if origin is not None and is_place(origin) and "from" in parts.links:
            yield Told(f"{parts.verb} from", _value(origin), "live in", "home", ended=True)
    elif to is not None:
        return
    elif origin is not None and is_place(origin):
        yield Told(
            f"{parts.verb} {'out of' if 'of' in parts.links else 'away from'}",
            _value(origin),
            "live in",
            "home",
            ended=True,
        )


def _for_good(parts: Parts) -> bool:
    return "good" in (parts.links["for"].lower_ if "for" in parts.links else "") or "live" in parts.adverbs


def _jobs_left(parts: Parts) -> Iterator[Told]:
    """ "Quit my job at Initech", "resigned from Acme", "left Initech for Globex", "was laid off by Dana's firm"."""
    verb, thing = parts.verb, parts.object
    where = parts.target("at", "with", "from", "by")
    employer = where if where is not None and is_employer(where) else None
    if parts.passive and (
        verb in _FIRING or (verb, parts.particle) in (("lay", "off"), ("let", "go")) or _made_redundant(parts)
    ):
        yield _left(f"be {parts.head.lower_}{' ' + parts.particle if parts.particle else ''}", employer)
    elif verb == "let" and parts.passive:
        yield _left("be let go", employer)
    elif verb in ("resign", "retire") or (verb == "step" and parts.particle in ("down", "back")):
        role = parts.target("as")
        if role is not None:
            yield Told(f"{verb} as", _value(role), "work as", "role", ended=True)
        elif verb != "step":
            yield _left(verb, employer)
    elif verb in ("quit", "lose", "leave", "hand", "give") and thing is not None:
        noun = thing.lemma_.lower()
        if noun in JOBS and (verb != "lose" or _is_ones_own(thing)) and verb not in ("hand", "give"):
            yield _left(f"{verb} job at" if employer is not None else f"{verb} job", employer)
        elif noun == "notice":
            yield _left("give notice", employer)
        elif verb == "quit" and is_employer(thing) and noun not in GROUPS:
            yield _left("quit", thing)
        elif verb == "leave" and _is_firm(thing, parts):
            yield _left("leave", thing)
            new = parts.target("for")
            if new is not None and is_employer(new):
                yield Told("leave for", _value(new), "work at", "employer", ended=False)
        elif verb == "leave" and noun in GROUPS:
            yield Told("leave", _value(thing), "be a member of", "membership", ended=True)
        elif verb in ("quit", "leave") and noun in SCHOOLS:
            yield Told(verb, _value(thing), "study at", "study", ended=True)
    elif (
        verb == "quit"
        and thing is None
        and not parts.links
        and not _follows_a_habit(parts.head)
        and not any(child.dep_ in ("xcomp", "ccomp", "advcl") for child in parts.head.children)
    ):
        yield _left("quit", None)


def _is_firm(thing: Token, parts: Parts) -> bool:
    """ "Left Initech for Globex": a firm by its kind, or a name that was left for another."""
    noun = thing.lemma_.lower()
    if noun in GROUPS | SCHOOLS:
        return False
    if noun in EMPLOYERS or thing.ent_type_ == "ORG":
        return True
    new = parts.target("for")
    return (
        thing.pos_ == "PROPN"
        and new is not None
        and new.pos_ == "PROPN"
        and not {thing.ent_type_, new.ent_type_} & {"GPE", "LOC"}
    )


def _left(predicate: str, employer: Token | None) -> Told:
    return Told(predicate, None if employer is None else _value(employer), "work at", "employer", ended=True)


def _made_redundant(parts: Parts) -> bool:
    return parts.verb == "make" and any(child.lower_ == "redundant" for child in parts.head.children)


def _follows_a_habit(head: Token) -> bool:
    """ "I used to fence, but I quit": not the job."""
    return any(token.lower_ in ("used", "tried") for token in head.sent if token.i < head.i)


def _is_ones_own(noun: Token) -> bool:
    return any(child.dep_ == "poss" for child in noun.children)


def _jobs_begun(parts: Parts) -> Iterator[Told]:
    """ "Joined Globex as a designer", "start at Acme", "got a job at Initech", "was hired by Initech"."""
    verb, thing = parts.verb, parts.object
    where = parts.target("at", "with", "by")
    role = parts.target("as")
    if parts.passive and verb in _HIRING and where is not None and is_employer(where):
        yield Told(f"be {parts.head.lower_} by", _value(where), "work at", "employer", ended=False)
    elif parts.passive and verb == "promote":
        rank = parts.target("to")
        if rank is not None:
            yield Told("be promoted to", _value(rank), "work as", "role", ended=False)
        return
    elif verb == "join" and thing is not None:
        noun = thing.lemma_.lower()
        if noun in GROUPS | SITES:
            yield Told("join", _value(thing), "join", "membership", ended=False)
        elif is_employer(thing) and (
            thing.ent_type_ == "ORG" or noun in EMPLOYERS or role is not None or thing.pos_ == "PROPN"
        ):
            yield Told("join", _value(thing), "work at", "employer", ended=False)
    elif (
        verb in ("start", "begin")
        and thing is None
        and where is not None
        and is_employer(where)
        and not _has_gerund(parts)
    ):
        yield Told(f"{verb} at", _value(where), "work at", "employer", ended=False)
    elif (
        verb in ("get", "take", "land", "accept", "start", "find", "begin")
        and thing is not None
        and thing.lemma_.lower() in JOBS
    ):
        if where is not None and is_employer(where):
            yield Told(f"{verb} job at", _value(where), "work at", "employer", ended=False)
    elif verb == "transfer" and (to := parts.target("to")) is not None and not is_place(to):
        yield Told("transfer to", _value(to), "work at", "employer", ended=False)
    if role is not None and (verb in ("start", "begin", "join") or (verb in _HIRING and parts.passive)):
        yield Told("work as", _value(role), "work as", "role", ended=False)


def _has_gerund(parts: Parts) -> bool:
    return any(child.dep_ in ("xcomp", "pcomp") for child in parts.head.children)


def _done_to_somebody(parts: Parts) -> tuple[list[Told], Token | None]:
    """ "They laid me off", "Initech hired my brother": said of whom it was done to."""
    verb, thing = parts.verb, parts.object
    if thing is None or parts.passive:
        return [], None
    doer = next((child for child in parts.head.children if child.dep_ == "nsubj"), None)
    employer = doer if doer is not None and is_employer(doer) and doer.pos_ != "PRON" else None
    person = thing.pos_ in ("PRON", "PROPN") or thing.lemma_.lower() in lexicon.ROLES
    where = parts.target("at", "from")
    employer = employer or (where if where is not None and is_employer(where) else None)
    if not person:
        return [], None
    if (
        verb in _FIRING - {"can", "terminate", "axe"}
        or (verb, parts.particle) == ("lay", "off")
        or (verb == "lay" and "off" in parts.adverbs)
    ):
        return [_left("be laid off" if verb == "lay" else f"be {parts.head.lower_}", employer)], thing
    role = parts.target("as")
    if verb in _HIRING and employer is not None:
        hired = [Told("be hired by", _value(employer), "work at", "employer", ended=False)]
        return hired + (
            [Told("work as", _value(role), "work as", "role", ended=False)] if role is not None else []
        ), thing
    return [], None


def _goods(parts: Parts) -> Iterator[Told]:
    """ "Sold the Vespa", "gave away the piano", "got rid of the telly", "lost my phone", "adopted a cat"."""
    verb, thing = parts.verb, parts.object
    if parts.head.tag_ in ("VBZ", "VBP"):
        return  # "she sells honey": for a living
    if parts.head.lower_ == "rid" and "of" in parts.links:
        yield Told("get rid of", _value(parts.links["of"]), "own", _kind(parts.links["of"]), ended=True)
        return
    if thing is None or parts.passive:
        return
    noun = thing.lemma_.lower()
    away = (verb, parts.particle) in (
        ("give", "away"),
        ("throw", "away"),
        ("throw", "out"),
        ("trade", "in"),
        ("give", "up"),
    )
    if (verb in _DISPOSING and "for" not in parts.links) or (away and noun in OWNED | ANIMALS | DEVICES):
        name = f"{verb} {parts.particle}" if away else verb
        yield Told(name, _value(thing), "own", _kind(thing), ended=True)
    elif verb == "lose" and _is_ones_own(thing) and noun in OWNED | ANIMALS:
        yield Told("lose", _value(thing), "own", _kind(thing), ended=True)
    elif verb in _GETTING and noun in OWNED | ANIMALS and not parts.links.keys() & {"for", "to"}:
        yield Told(verb, _value(thing), "own" if noun in OWNED else "have", _kind(thing), ended=False)


def _kind(token: Token) -> Kind:
    return kind_of_possession(token.lemma_.lower())


def _switches(parts: Parts) -> Iterator[Told]:
    """ "Switched from vim to Helix", "replaced the Polo with a Golf", "ditched Spotify for Tidal", "upgraded to 43"."""
    verb, thing = parts.verb, parts.object
    to, origin = parts.target("to", "over"), parts.target("from")
    if verb in _SWITCHING and thing is None and not parts.passive:
        if verb in ("move", "change", "convert", "transition") and origin is None:
            return
        if verb == "move" and (is_place(to) if to is not None else True):
            return
        version: Kind = "version" if verb in ("upgrade", "downgrade") else "tool"
        state = "run" if version == "version" else "use"
        if to is not None:
            yield Told(f"{verb} to", _value(to), state, version, ended=False)
            if origin is not None:
                yield Told(f"{verb} from", _value(origin), state, version, ended=True)
    elif verb in _REPLACING and thing is not None and not parts.passive:
        new = parts.target("with", "by") if verb == "replace" else parts.target("for")
        if new is not None and new.pos_ != "PRON":
            state = "own" if _kind(thing) != "possession" or thing.lemma_.lower() in OWNED else "use"
            kind: Kind = _kind(thing) if state == "own" else "tool"
            yield Told(f"{verb}", _value(thing), state, kind, ended=True)
            yield Told(
                f"{'replace' if verb == 'replace' else 'switch'} {'with' if verb == 'replace' else 'to'}",
                _value(new),
                state,
                kind,
                ended=False,
            )


def _couples(parts: Parts) -> Iterator[Told]:
    """ "Married Eva", "got divorced", "broke up with Tom", "my wife and I split up"."""
    verb, thing = parts.verb, parts.object
    partner = parts.target("with", "from", "to")
    name = None if partner is None else _value(partner)
    if verb == "marry" and thing is not None and not parts.passive:
        yield Told("marry", _value(thing), "be married to", "partner", ended=False)
    elif verb == "be" and _state(parts) in ("divorced", "separated", "widowed"):
        yield Told("be divorced", name, "be married to", "partner", ended=True)
        if _state(parts) == "divorced":
            yield Told("be divorced from" if name else "be divorced", name, "be divorced", None, ended=False)
    elif verb == "get" and (state := _state(parts)) in ("married", "engaged", "divorced"):
        if state == "divorced":
            yield Told("get divorced", name, "be married to", "partner", ended=True)
        elif name is not None:
            yield Told(f"get {state} to", name, f"be {state} to", "partner", ended=False)
    elif verb == "divorce":
        yield Told(
            "get divorced" if parts.passive else "divorce",
            None if thing is None else _value(thing),
            "be married to",
            "partner",
            ended=True,
        )
    elif (
        (verb == "split" and parts.particle == "up")
        or (verb == "break" and parts.particle == "up")
        or (verb == "separate" and not thing)
    ):
        about = f"{verb} {parts.particle}".strip()
        yield Told(f"{about} with" if name else about, name, "be with", "partner", ended=True)
    elif verb in ("start", "begin") and (seeing := _gerund(parts)) is not None and lemma(seeing) == "date":
        other = next((child for child in seeing.children if child.dep_ == "dobj"), None)
        if other is not None:
            yield Told("start dating", _value(other), "date", "partner", ended=False)


def _state(parts: Parts) -> str | None:
    return next(
        (
            child.lower_
            for child in parts.head.children
            if child.dep_ in ("acomp", "oprd", "xcomp", "ccomp") and child.i > parts.head.i
        ),
        parts.head.lower_ if parts.passive else None,
    )


def _habits(parts: Parts) -> Iterator[Told]:
    """ "Gave up meat", "took up chess", "cut out sugar", "dropped out of university", "graduated from MIT"."""
    verb, thing = parts.verb, parts.object
    if (verb, parts.particle) in (("give", "up"), ("cut", "out"), ("swear", "off")) and thing is not None:
        if thing.tag_ == "NN" or thing.tag_ == "NNS":
            yield Told(f"{verb} {parts.particle}", _value(thing), "have", "habit", ended=True)
    elif (verb, parts.particle) == ("take", "up") and thing is not None:
        yield Told("take up", _value(thing), "take up", "habit", ended=False)
    elif verb == "graduate" or (verb == "drop" and any(each.lower_ == "out" for each in parts.head.children)):
        school = parts.target("from") if verb == "graduate" else _of(parts)
        if school is not None:
            yield Told(
                f"{verb} from" if verb == "graduate" else "drop out of", _value(school), "study at", "study", ended=True
            )
    elif verb in ("enrol", "enroll") and (school := parts.target("at", "in")) is not None:
        yield Told(f"{verb} in", _value(school), "study at", "study", ended=False)


def _of(parts: Parts) -> Token | None:
    """What "of" leads to in "out of it"."""
    return next((token for token in parts.head.subtree if token.dep_ == "pobj" and token.head.lower_ == "of"), None)


def _gerund(parts: Parts) -> Token | None:
    return next((child for child in parts.head.children if child.dep_ == "xcomp" and child.tag_ == "VBG"), None)


def _value(token: Token) -> str:
    """The noun phrase as an object: a name as it is, a noun without its article."""
    return proper_name(token) or phrase(token) or core_of(token)


_FRAMES = (_moves, _jobs_left, _jobs_begun, _goods, _switches, _couples, _habits)
