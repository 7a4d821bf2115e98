"""The words by which plain sentences of a language are known.

Every entry is the source of a regular expression, matched without regard to case except in names. A language has the
forms of the first person and of the third; a clause with any other verb says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from reverie.knowledge.claims import Kind


@dataclass(frozen=True)
class Frame:
    """A kind of sentence: the verb in the first and in the third person, what leads to its object, what it says.

    `place`: its object is a name. `began`: it tells a change.
    """

    first: str
    third: str
    link: str
    state: str
    kind: Kind | None
    place: bool = False
    began: bool = False


@dataclass(frozen=True)
class Phrases:
    """What is known of a language. `hedges` are words that make of a clause anything but a plain statement, `blocks`
    those that do so of a whole sentence."""

    frames: tuple[Frame, ...]
    no_longer: str
    denials: str
    hedges: str
    blocks: str
    articles: str
    joints: str
    since: str
    nouns_are_large: bool = False
    """Whether nouns that are no names are written with a large letter."""


_ES_WORK = r"(?<!el )(?<!mi )(?<!tu )(?<!su )(?<!un )(?<!de )(?<!del )trabajo"
_PT_WORK = r"(?<!o )(?<!eu )(?<!um )(?<!de )(?<!do )(?<!no )trabalho|eu trabalho"
_IT_WORK = r"(?<!il )(?<!mio )(?<!un )(?<!di )(?<!del )(?<!al )lavoro"
"""Verbs of the first person that are nouns, too."""

_DE = Phrases(
    (
        Frame(r"(?:wohne|lebe)(?: ich)?", r"(?:wohnt|lebt)", r"in", "live in", "home", place=True),
        Frame(r"arbeite(?: ich)?", r"arbeitet", r"bei(?:m)?|für", "work at", "employer"),
        Frame(r"arbeite(?: ich)?", r"arbeitet", r"als", "work as", "role"),
        Frame(
            r"(?:ich bin|bin ich)(?: \w+)? allergisch",
            r"ist(?: \w+)? allergisch",
            r"gegen|auf",
            "be allergic to",
            "allergy",
        ),
        Frame(r"(?:ich esse|esse ich)", r"isst", r"", "eat", None),
        Frame(r"(?:ich trinke|trinke ich)", r"trinkt", r"", "drink", None),
        Frame(r"(?:ich spreche|spreche ich)", r"spricht", r"", "speak", "language", place=True),
        Frame(r"(?:ich mag|mag ich|ich liebe)", r"(?:mag|liebt)", r"", "like", "preference"),
        Frame(
            r"(?:ich (?:bin|habe)|(?:bin|habe) ich)",
            r"(?:ist|hat)",
            r"nach(?= [\w-]+ (?:um)?gezogen)",
            "live in",
            "home",
            place=True,
            began=True,
        ),
        Frame(
            r"(?:ich bin|bin ich)(?: jetzt| nun)?",
            r"ist(?: jetzt| nun)?",
            r"(?=(?:eine? )?[A-ZÄÖÜ]\w+(?:erin|er|istin|ist|ärztin|arzt|frau|mann)\b)",
            "be",
            "role",
        ),
    ),
    r"nicht mehr|keinen? \w+ mehr",
    r"nicht|nie|niemals|kein\w*",
    r"fast|beinahe|könnte|möchte|will|wollte|sollte|vielleicht|früher|damals|überleg\w*|werde|du|sie|wir|angst"
    r"|furcht|sorge|hoffnung",
    r"wenn|falls|ob|dass|würde|wäre|hätte|träum\w*|angenommen|stell dir|sagt\w*|meint\w*|schr(?:eib|ieb)\w*|laut",
    r"(?:der|die|das|den|dem|eine?[rmn]?|mein\w*|kein\w*)",
    r"und|aber|sondern|denn",
    r"seit|ab|im|am",
    nouns_are_large=True,
)
_FR = Phrases(
    (
        Frame(r"(?:j'habite|je vis|je demeure)", r"(?:habite|vit)", r"à|au|en", "live in", "home", place=True),
        Frame(
            r"(?:je (?:ne )?travaille|je (?:ne )?bosse)",
            r"(?:ne )?(?:travaille|bosse)",
            r"chez|pour",
            "work at",
            "employer",
        ),
        Frame(r"je (?:travaille|commence|bosse)", r"(?:travaille|commence)", r"comme", "work as", "role"),
        Frame(r"je suis allergique", r"est allergique", r"aux?|à la|à l'|à", "be allergic to", "allergy"),
        Frame(r"je (?:ne )?mange", r"(?:ne )?mange", r"(?:pas |plus )?(?:de |du |de la |des )?", "eat", None),
        Frame(
            r"(?:j'adore|j'aime|je n'aime)",
            r"(?:adore|aime|n'aime)",
            r"(?:pas |plus )?(?:le |la |les |l')?",
            "like",
            "preference",
        ),
        Frame(
            r"(?:j'ai déménagé|j'ai emménagé|je me suis installée?)",
            r"(?:a déménagé|a emménagé|s'est installée?)",
            r"à|au|en",
            "live in",
            "home",
            place=True,
            began=True,
        ),
        Frame(r"je parle", r"parle", r"(?:le |l')?", "speak", "language"),
    ),
    r"ne \w+ plus|n'\w+ plus|\w+ plus (?:chez|à|de|pour)",
    r"ne|n'\w+|pas|jamais|aucune?",
    r"presque|failli|aimerais|voudrais|voulais|pourrais|peut-être|avant|autrefois|vais|tu|vous|elle|il|nous",
    r"si|serais?|aurais?|que|dit|disait|rêv\w*|imagin\w*|selon",
    r"(?:le|la|les|l'|une?|des|du|mon|ma|mes)",
    r"et|mais|donc|car",
    r"depuis|en|dès",
)
_ES = Phrases(
    (
        Frame(r"(?<!en )(?:vivo|resido)", r"(?:vive|reside)", r"en", "live in", "home", place=True),
        Frame(_ES_WORK, r"trabaja", r"en|para", "work at", "employer"),
        Frame(_ES_WORK, r"trabaja", r"de|como", "work as", "role"),
        Frame(
            r"(?:soy alérgic[oa]|tengo alergia)",
            r"(?:es alérgic[oa]|tiene alergia)",
            r"al?",
            "be allergic to",
            "allergy",
        ),
        Frame(r"como", r"come", r"(?=carne|pescado|huevos?|queso|gluten|cerdo|pollo|marisco)", "eat", None),
        Frame(r"me (?:encantan?|gustan?)", r"", r"", "like", "preference"),
        Frame(
            r"(?:me mudé|me he mudado|me trasladé)",
            r"(?:se mudó|se ha mudado|se trasladó)",
            r"a",
            "live in",
            "home",
            place=True,
            began=True,
        ),
        Frame(r"me quedo con", r"se queda con", r"", "keep", "possession"),
        Frame(r"hablo", r"habla", r"", "speak", "language"),
    ),
    r"ya no",
    r"no|nunca|jamás|tampoco",
    r"casi|quisiera|querría|gustaría|podría|quizás?|que|antes|voy|vamos|iba|tú|usted|ella|él",
    r"si|sería|dice\w*|dijo|soñ\w*|imagin\w*|según",
    r"(?:el|la|los|las|una?|mi|mis)",
    r"y|pero|porque|aunque",
    r"desde|en",
)
_PT = Phrases(
    (
        Frame(r"(?<!ao )(?:moro|vivo)", r"(?:mora|vive)", r"em|no|na", "live in", "home", place=True),
        Frame(_PT_WORK, r"trabalha", r"em|no|na|para", "work at", "employer"),
        Frame(_PT_WORK, r"trabalha", r"como", "work as", "role"),
        Frame(
            r"(?:sou alérgic[oa]|tenho alergia)",
            r"(?:é alérgic[oa]|tem alergia)",
            r"ao?|à",
            "be allergic to",
            "allergy",
        ),
        Frame(
            r"(?:mudei-me|me mudei|mudei|fui (?:viver|morar))",
            r"(?:mudou-se|se mudou|mudou|foi (?:viver|morar))",
            r"para",
            "live in",
            "home",
            place=True,
            began=True,
        ),
        Frame(r"(?:adoro|gosto)", r"(?:adora|gosta)", r"(?:de |do |da )?", "like", "preference"),
        Frame(r"falo", r"fala", r"", "speak", "language"),
        Frame(r"fico com", r"fica com", r"", "keep", "possession"),
    ),
    r"já não|não \w+ mais",
    r"não|nunca|nem",
    r"quase|queria|gostaria|poderia|talvez|que|antes|vou|vamos|ia|tu|você|ela|ele",
    r"se eu|se a|se o|seria|diz\w*|disse|sonh\w*|imagin\w*|segundo",
    r"(?:o|a|os|as|uma?|meu|minha)",
    r"e|mas|porque",
    r"desde|em",
)
_IT = Phrases(
    (
        Frame(r"(?<!dal )(?:abito|vivo)", r"(?:abita|vive)", r"a|in", "live in", "home", place=True),
        Frame(_IT_WORK, r"lavora", r"(?:da|presso|per|in|alla|al)", "work at", "employer"),
        Frame(_IT_WORK, r"lavora", r"come", "work as", "role"),
        Frame(r"sono allergic[oa]", r"è allergic[oa]", r"al(?:la|le|l'|lo)?|agli|ai|a", "be allergic to", "allergy"),
        Frame(r"(?:mangio)", r"mangia", r"", "eat", None),
        Frame(
            r"(?:mi sono trasferit[oa])", r"(?:si è trasferit[oa])", r"a|in", "live in", "home", place=True, began=True
        ),
        Frame(r"mi tengo(?: solo)?", r"si tiene(?: solo)?", r"", "keep", "possession"),
        Frame(r"(?:adoro|amo|mi piac(?:e|ciono))", r"(?:adora|ama)", r"", "like", "preference"),
        Frame(r"parlo", r"parla", r"", "speak", "language"),
    ),
    r"non \w+ più",
    r"non|mai|nessun\w*",
    r"quasi|vorrei|volevo|potrei|forse|che|prima|tu|lei|lui|noi",
    r"se|sarei|avrei|dice|detto|sogn\w*|immagin\w*|secondo",
    r"(?:il|lo|la|i|gli|le|l'|una?|un'|mio|mia)",
    r"e|ma|però|perché",
    r"da|dal|in",
)
_NL = Phrases(
    (
        Frame(r"(?:ik woon|woon ik|ik zit nog(?: \w+)?)", r"woont", r"in", "live in", "home", place=True),
        Frame(r"(?:ik werk|werk ik)", r"werkt", r"bij|voor", "work at", "employer"),
        Frame(r"(?:ik werk|werk ik)", r"werkt", r"als", "work as", "role"),
        Frame(
            r"(?:ik ben|ben ik)(?: \w+)? allergisch", r"is(?: \w+)? allergisch", r"voor", "be allergic to", "allergy"
        ),
        Frame(r"(?:ik eet|eet ik)", r"eet", r"", "eat", None),
        Frame(r"(?:ik ben|ben ik)", r"is", r"naar(?= [\w-]+ verhuisd)", "live in", "home", place=True, began=True),
        Frame(r"(?:ik hou)", r"houdt", r"van", "like", "preference"),
        Frame(r"(?:ik spreek)", r"spreekt", r"", "speak", "language"),
    ),
    r"niet meer|geen \w+ meer",
    r"niet|nooit|geen",
    r"bijna|wilde|wil|misschien|vroeger|ga|je|jij|zij|wij",
    r"als ik|als we|indien|zou|dat|zegt|zei|droom\w*|stel|volgens",
    r"(?:de|het|een|mijn|geen)",
    r"en|maar|want",
    r"sinds|vanaf|in",
)

TABLES: Mapping[str, Phrases] = MappingProxyType({"de": _DE, "fr": _FR, "es": _ES, "pt": _PT, "it": _IT, "nl": _NL})
