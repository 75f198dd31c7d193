"""Words that rules for true sentences go by: what may stand for what without a change of sense."""

# Verbs that say who did what: participle and past, for turning a passive round.
ACTIVE = dict(
    pair.split(">")
    for pair in """built>built written>wrote directed>directed produced>produced founded>founded composed>composed
    designed>designed published>published released>released invented>invented discovered>discovered created>created
    established>established recorded>recorded developed>developed painted>painted translated>translated
    edited>edited""".split()
)
# Of whom "which" is not said; nouns in -er, -or, -ist, -ian and -man are known by their ending.
PERSONS = frozenset(
    """people person persons child children girl boy wife son king queen saint sage priest monk friend guest guru Yogi
    yogi soul god God Lord lord men women brothers pupil student disciple nurse judge chief servant prophet hero
    crowd folk one ones all those same things thing way moment time day""".split()
)
# What may stand in place of what in any sentence that does not have one of the words below before it.
BEFORE_OTHERS = tuple("not a an more most very so less as too is are was were once".split())
SAME = {
    "amongst": "among",
    "anybody": "anyone",
    "everybody": "everyone",
    "for instance": "for example",
    "in order to": "to",
    "in spite of": "despite",
    "nearly": "almost",
    "nobody": "no one",
    "prior to": "before",
    "somebody": "someone",
    "upon": "on",
    "whilst": "while",
}
