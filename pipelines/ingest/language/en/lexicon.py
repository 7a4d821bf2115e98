"""The words the rules go by, as lemmas unless said otherwise."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """A set of words from a line of them."""
    return frozenset(text.split())


# Persons
SPEAKER = words("i me myself we us ourselves")
SPEAKERS_OWN = words("my our mine ours")
LISTENER = words("you yourself yourselves your yours u ya")
FEMALE = words("she her hers herself")
MALE = words("he him his himself")
GROUP = words("they them their theirs themselves")
THING = words("it its itself")
POINTING = words(
    "this that these those which what who there something anything everything nothing someone anyone everyone"
)
FEMALE_KIN = words(
    "sister mother mom mum mommy daughter wife aunt grandmother grandma niece girlfriend stepmother stepsister"
)
MALE_KIN = words(
    "brother father dad daddy son husband uncle grandfather grandpa nephew boyfriend stepfather stepbrother"
)
KIN = (
    FEMALE_KIN
    | MALE_KIN
    | words("cousin parent kid child baby twin sibling partner spouse fiance fiancee grandchild relative")
    | words("mother-in-law father-in-law sister-in-law brother-in-law")
)
ROLES = (
    KIN
    | words("friend neighbour neighbor colleague coworker teammate boss manager supervisor mentor teacher tutor coach")
    | words("trainer doctor dentist therapist lawyer accountant landlord roommate flatmate assistant student client")
    | words("customer buddy ex instructor professor pastor captain lead leader director employer contact nanny vet")
    | words("bandmate owner stylist landlady godmother godfather stepmom stepdad housemate tenant carer")
)
PEOPLE = words("kids people friends children parents students volunteers colleagues neighbours neighbors folks guys")
PETS = words("dog cat puppy pup kitten rabbit horse hamster parrot pet fish bird turtle pig")
TITLES = words("mr mr. mrs mrs. ms ms. dr dr. prof prof. sir")

# "my <attribute> is <value>" says <value> of me.
ATTRIBUTES = (
    words("name nickname surname email e-mail mail address phone number birthday age password pin username handle job")
    | words("website profession occupation hobby passion goal dream plan aim ambition resolution motto anniversary")
    | words("hometown timezone salary budget deadline height weight size language nationality pronoun diet zodiac")
    | words("blog url type group")
)
FAVOURITE = words("favourite favorite preferred")

# Verbs
SAYING = words("say tell mention report claim announce explain note add confirm state write hear learn read inform")
THINKING = words(
    "think believe guess suppose assume know realize realise figure reckon remember notice find see understand"
)
WISHING = words("wish hope pray wonder dare")
PHATIC = words(
    "mean guess bet agree promise swear suppose wonder hope wish thank appreciate apologize congratulate welcome"
)
FOND = words("love miss appreciate need want hate enjoy like adore")
ENDING = words("stop quit cease")
COURTESY = words(
    "let wait hold help forgive excuse worry feel know see look stay take note remember be enjoy check hang tell"
)
MOTION = words("move go travel switch relocate fly drive migrate change upgrade return come transfer convert")

# What is not asserted
MAYBE = words("maybe perhaps possibly hopefully")
DOUBTFUL = words("could might may should shall would ought")
CONDITIONS = words("if unless whenever lest provided")
CAUSES = words("because cause although though whereas while")
IDLE_STATES = words(
    "sure sorry glad fine good okay ok ready here back afraid free busy curious late well done there off in up down "
    "happy right"
)
DENIALS = words("not n't never no neither nor nobody none")

# Opinions
EVALUATIVE = (
    words("amazing awesome great good nice cool fun lovely wonderful fantastic incredible beautiful inspiring super")
    | words("important crucial vital special powerful tough hard difficult easy exciting rewarding interesting sad key")
    | words("thoughtful meaningful valuable essential necessary awful terrible bad horrible scary stunning gorgeous")
    | words("delicious fulfilling enlightening therapeutic calming relaxing refreshing challenging impressive perfect")
    | words("sweet cute boring annoying stressful overwhelming worth unforgettable thought-provoking everything joy")
    | words("pleasure blessing treasure blast reminder way outlet experience moment journey adventure feeling delight")
)
HEART = words(
    "courage joy hope strength love peace energy confidence comfort motivation happiness inspiration support purpose "
    "pride calm acceptance"
)

# Words that open a sentence and say nothing
GREETING = (
    words("hi hey hello bye goodbye thanks thank cheers congrats congratulations welcome sorry please wow yay ugh haha")
    | words("lol oh ah hmm yeah yep yup yes no nope nah ok okay sure absolutely definitely totally exactly indeed well")
    | words("anyway btw fyi omg plus also actually honestly basically so but and or oops gosh god awesome cool great")
    | words("nice sweet perfect right glad")
)
FILLERS = words(
    "too anymore again also more longer now already yet still really instead well just even ever recently lately soon"
)
LOOSE_LINKS = words("since during after before until despite without because")

# Nouns that name nothing
VAGUE = (
    words("people everyone guys folks others lot lots thing things way time thanks thank fun part kind best stuff bit")
    | words("one ones parts sort everything something type day week month year moment hour none rest same half lack")
    | words("sense end start beginning point reason blast chance pic photo picture")
)

# Adjectives that leave a term what it is
PLAIN = EVALUATIVE | words(
    "new first last second big small old own next recent local whole entire annual favorite favourite"
)
