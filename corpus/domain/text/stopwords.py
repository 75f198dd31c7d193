"""English words without a topic: PostgreSQL's English stopwords, and words that questions are made of."""

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

# Words such as "tell" and "explain" ask for something without naming a topic.
ASKING_WORDS = frozenset(
    """
    tell tells told explain explains describe describes give show shows say says said read please could would shall may
    might must let us mention mentions mentioned according talk talks discuss discusses thing things mean means meant
    call called calls happen happens happened happening story stories tale lecture lectures
    """.split()
)

# In "Read me the verse BG 2.13, please" only the address is specific.
PLACE_WORDS = frozenset(
    """
    read recite quote cite passage passages verse verses chapter chapters text texts write written scripture bible book
    speak spoke spoken give gave given teach teaches taught deliver delivered day date place word words full whole
    entire
    """.split()
)

# Words frequent in talks about anything.
GENERAL_WORDS = frozenset(
    """
    also always another away back become becomes came cannot case come comes certain done either else even ever every
    everything find first found full general getting goes going gone good great help ibid indeed instead keep kind knew
    know known knows last least less like little long look made make makes making many matter merely much must namely
    never next nothing often older once ourselves part perhaps place point quite rather really right round same saying
    seem seemed seems seen sense simply since something somewhat sort still surely take taken takes thee therefore thine
    think third thou though thought thus together took towards truly turn upon used usually various well went whatever
    whether whole whose within without work works would year years
    """.split()
)
