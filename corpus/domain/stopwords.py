"""English words that carry no topic: those Postgres's English dictionary drops, and the words questions are made of."""

STOPWORDS = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again further
    then once here there when where why how all any both each few more most other some such no nor not only own same so
    than too very s t can will just don should now
    """.split()
)

# "tell", "explain" and the like ask for something without saying about what.
ASKING_WORDS = frozenset(
    """
    tell tells told explain explains describe describes give show shows say says said read please could would shall may
    might must let us mention mentions mentioned according talk talks discuss discusses thing things mean means meant
    call called calls happen happens happened happening story stories tale lecture lectures
    """.split()
)
