"""The words the rules go by. Lemmas unless said otherwise."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SPEAKER = _words("i me myself we us ourselves")
SPEAKERS_OWN = _words("my our mine ours")
LISTENER = _words("you yourself yourselves your yours u ya")
FEMALE = _words("she her hers herself")
MALE = _words("he him his himself")
GROUP = _words("they them their theirs themselves")
THING = _words("it its itself")
POINTING = _words(
    "this that these those which what who there something anything everything nothing someone anyone everyone"
)

FEMALE_KIN = _words(
    "sister mother mom mum mommy daughter wife aunt grandmother grandma niece girlfriend stepmother stepsister"
)
MALE_KIN = _words(
    "brother father dad daddy son husband uncle grandfather grandpa nephew boyfriend stepfather stepbrother"
)
KIN = (
    FEMALE_KIN
    | MALE_KIN
    | _words("cousin parent kid child baby twin sibling partner spouse fiance fiancee grandchild relative")
)
ROLES = KIN | _words(
    "friend neighbour neighbor colleague coworker teammate boss manager supervisor mentor teacher tutor coach trainer doctor "
    "dentist therapist lawyer accountant landlord roommate flatmate assistant student client customer buddy ex instructor "
    "professor pastor captain lead leader director employer contact nanny vet bandmate owner stylist"
)
PETS = _words("dog cat puppy kitten rabbit horse hamster parrot pet fish bird turtle")

# "my <attribute> is <value>" says <value> of me.
ATTRIBUTES = _words(
    "name nickname surname email e-mail mail address phone number birthday age password pin username handle website job "
    "profession occupation hobby passion goal dream plan aim ambition resolution motto anniversary hometown timezone salary budget "
    "deadline height weight size language nationality pronoun diet zodiac blog url"
)
FAVOURITE = _words("favourite favorite preferred")

SAYING = _words("say tell mention report claim announce explain note add confirm state write hear learn read inform")
THINKING = _words(
    "think believe guess suppose assume know realize realise figure reckon remember notice find see understand"
)
WISHING = _words("wish hope pray wonder dare")
PHATIC = _words(
    "mean guess bet agree promise swear suppose wonder hope wish thank appreciate apologize congratulate welcome"
)
MAYBE = _words("maybe perhaps possibly hopefully")
DOUBTFUL = _words("could might may should shall would ought")
ENDING = _words("stop quit cease")
CAUSES = _words("because cause although though whereas while")
CONDITIONS = _words("if unless whenever lest provided")

LIGHT = _words("go come do get be have take")

EVALUATIVE = _words(
    "amazing awesome great good nice cool fun lovely wonderful fantastic incredible beautiful inspiring important crucial vital "
    "special powerful tough hard difficult easy exciting rewarding interesting thoughtful meaningful valuable essential necessary "
    "awful terrible bad horrible sad scary stunning gorgeous delicious fulfilling enlightening therapeutic calming relaxing "
    "refreshing challenging impressive perfect sweet cute boring annoying stressful overwhelming worth unforgettable thought-provoking "
    "super key everything joy pleasure blessing treasure blast reminder way outlet experience moment journey adventure feeling delight"
)
GREETING = _words("hi hey hello bye goodbye thanks thank cheers congrats congratulations welcome sorry please wow yay ugh haha lol oh "
                  "ah hmm yeah yep yup yes no nope ok okay sure absolutely definitely totally exactly indeed well anyway btw "
                  "plus also actually honestly basically so but and or oops gosh god awesome cool great nice sweet perfect right")  # fmt: skip

STANDING = _words("use call reply respond answer write format address keep prefer avoid treat name")
COURTESY = _words(
    "let wait hold help forgive excuse worry feel know see look stay take note remember be enjoy check hang tell"
)

TITLES = _words("mr mr. mrs mrs. ms ms. dr dr. prof prof. sir")
