"""What sort of thing a noun names, as far as it decides what a verb says: places to live, jobs, pets, devices."""

from __future__ import annotations

from spacy.tokens import Token

from reverie.knowledge.claims import Kind
from reverie.pipelines.ingest.language.en.lexicon import KIN, PETS, words

DWELLINGS = words(
    "city town village countryside country county coast island suburb suburbs flat apartment house home cottage cabin "
    "studio bungalow dorm hostel farm farmhouse houseboat van neighbourhood neighborhood district street road avenue "
    "place room loft condo mansion yurt caravan abroad downtown centre center region state province seaside mountains"
)
JOBS = words("job position post role gig work career employment shift internship apprenticeship contract")
SITES = words("office branch department team division desk headquarters hq lab laboratory floor site")
EMPLOYERS = words(
    "company firm startup agency bank hospital clinic pharmacy bakery shop store restaurant cafe bar factory studio "
    "library museum newspaper publisher practice employer council ministry university school nursery plant garage "
    "hotel bookshop bookstore florist supermarket brewery theatre airline railway post lab institute vet"
)
GROUPS = words(
    "club team band choir orchestra gym group society association union crew league class church board squad"
)
SCHOOLS = words("school university college academy uni course programme program degree class phd bootcamp")
VEHICLES = words(
    "car bike bicycle motorbike motorcycle scooter van truck boat yacht houseboat canoe kayak tractor camper caravan "
    "moped sailboat dinghy ship plane vespa tesla trailer e-bike"
)
DEVICES = words(
    "phone laptop computer pc tablet camera console printer router watch smartwatch kindle ipad iphone macbook monitor "
    "keyboard tv television headphones speaker drone server mac desktop e-reader"
)
ANIMALS = PETS | words(
    "cats dogs goldfish tortoise ferret gecko snake lizard chicken hen goat sheep cow donkey pony budgie canary "
    "parakeet gerbil mouse rat iguana chinchilla hedgehog kitty doggo rescue greyhound terrier poodle labrador collie "
    "spaniel tomcat guinea bunny bees alpaca llama duck goose pigeon cockatoo axolotl"
)
OWNED = (
    VEHICLES
    | DEVICES
    | words(
        "house flat apartment guitar piano violin cello drum ukulele instrument cabin cottage tent sofa bed table desk "
        "surfboard skateboard bass flute oven fridge freezer dishwasher washer machine grill lawnmower greenhouse shed "
        "garden allotment plot property land farm business shop collection record records vinyl stamp stamps "
        "share shares"
    )
)
CHILDREN = words("child kid son daughter baby toddler twin stepson stepdaughter grandchild grandson granddaughter")
TECH = words(
    "app editor browser database framework library language provider bank plan phone operator carrier tool system os "
    "distro ide client service software platform shell terminal"
)
DIETS = words(
    "vegan vegetarian pescatarian pescetarian carnivore omnivore teetotal sober kosher halal gluten-free keto "
    "flexitarian"
)
_JOB_ENDINGS = (
    "er", "or", "ist", "ian", "eer", "man", "woman", "wright", "smith", "nurse", "chef", "cook",
    "guide", "judge", "clerk", "vet", "pilot", "coach", "chair", "head", "lead", "intern", "dj", "ceo", "cto", "cfo",
    "vp", "analyst", "dev", "au pair", "nanny", "monk", "priest", "poet", "critic", "scribe", "barista", "secretary",
    "deputy", "assistant", "accountant", "consultant", "attendant", "sergeant", "lieutenant", "servant", "merchant",
    "agent", "superintendent", "correspondent", "president", "actress", "waitress", "hostess", "stewardess",
    "seamstress", "resident",
)  # fmt: skip
_NO_JOBS = words(
    "younger older taller shorter bigger smaller better later faster slower longer former latter lower higher "
    "father mother brother sister daughter teenager foreigner beginner fan lover person member owner partner customer "
    "stranger winner loser monster killer number letter paper water weather summer winter matter dinner order other "
    "neighbour neighbor lifesaver river tower flower power corner parent event moment student patient accident present "
    "color colour error mirror terror favor favour honor honour humor humour floor door disaster reader speaker super "
    "liar believer nonsmoker smoker drinker eater human woman man gentleman madman tenant elephant restaurant plant "
    "want giant importance different computer printer center offer newcomer outsider loner early adopter hater sucker "
    "goner keeper feature creature failure poster sticker charger adapter cancer fever ulcer blocker killer answer"
)


def is_place(token: Token) -> bool:
    """Whether one can live there: a place by its name, or a noun for a dwelling or a part of the land."""
    if token.lemma_.lower() in DWELLINGS or token.lower_ in DWELLINGS:
        return True
    if token.lemma_.lower() in SITES | DEVICES | TECH:
        return False
    if token.ent_type_ in ("GPE", "LOC", "FAC"):
        return True
    return token.pos_ == "PROPN" and token.ent_type_ not in (
        "DATE",
        "TIME",
        "PRODUCT",
        "WORK_OF_ART",
        "PERSON",
        "LANGUAGE",
        "LAW",
    )


def is_employer(token: Token) -> bool:
    """Whether one can be employed there: an organisation by its name, or a noun for one."""
    noun = token.lemma_.lower()
    if noun in EMPLOYERS or token.ent_type_ == "ORG":
        return True
    return (
        token.pos_ == "PROPN"
        and token.ent_type_ in ("", "ORG", "PERSON", "GPE", "PRODUCT", "FAC")
        and noun not in GROUPS
    )


def is_occupation(noun: str) -> bool:
    """Whether a noun in lower case names what somebody does for a living."""
    if noun in _NO_JOBS or noun in KIN or noun in VEHICLES or noun in DEVICES or noun in ANIMALS:
        return False
    return len(noun) > 2 and noun.endswith(_JOB_ENDINGS)


def kind_of_possession(noun: str) -> Kind:
    """What kind of thing somebody has: "cat" is a pet, "son" kin, "laptop" a device, else a possession."""
    noun = "child" if noun in ("children", "kids") else noun
    if noun in CHILDREN | KIN:
        return "kin"
    if noun in ANIMALS:
        return "pet"
    return "device" if noun in DEVICES else "possession"
