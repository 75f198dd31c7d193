"""Words that may replace each other without changing the meaning."""

# Verbs of actions: participle and past, to turn a passive active.
ACTIVE = dict(
    pair.split(">")
    for pair in """built>built written>wrote directed>directed produced>produced founded>founded composed>composed
    designed>designed published>published released>released invented>invented discovered>discovered created>created
    established>established recorded>recorded developed>developed painted>painted translated>translated
    edited>edited""".split()
)
# Nouns for which "which" is wrong; those in -er, -or, -ist, -ian and -man are recognised by their ending.
PERSONS = frozenset(
    """people person persons child children girl boy wife son king queen saint sage priest monk friend guest guru Yogi
    yogi soul god God Lord lord men women brothers pupil student disciple nurse judge chief servant prophet hero
    crowd folk one ones all those same things thing way moment time day""".split()
)
# Replacements in any sentence without one of the words below before it.
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
