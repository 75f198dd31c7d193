"""Word lists of the perturbations: opposites, peers, quantifiers, and restatements that keep the meaning."""


def _both_ways(lines: str) -> dict[str, str]:
    pairs = [pair.split() for pair in lines.replace("\n", "|").split("|") if pair.strip()]
    table = {second: first for first, second in pairs}
    return table | dict(pairs)


OPPOSITES = _both_ways("""
    before after|first last|increase decrease|increased decreased|increases decreases|rise fall|rose fell
    more less|most least|better worse|best worst|higher lower|highest lowest|high low|large small|larger smaller
    largest smallest|big little|long short|longer shorter|longest shortest|strong weak|stronger weaker|rich poor
    old young|older younger|oldest youngest|early late|earlier later|north south|northern southern|east west
    eastern western|above below|inside outside|inner outer|internal external|begin end|began ended|begins ends
    beginning end|begun ended|open close|opened closed|win lose|won lost|wins loses|accept reject
    accepted rejected|accepts rejects|allow forbid|allowed forbidden|allows forbids|love hate|loved hated
    loves hates|good evil|happy unhappy|true false|right wrong|same different|possible impossible|easy difficult
    easily hardly|simple complex|common rare|public private|male female|man woman|men women|boy girl|boys girls
    father mother|brother sister|brothers sisters|son daughter|sons daughters|husband wife|king queen
    prince princess|uncle aunt|he she|his her|positive negative|success failure|successful unsuccessful
    succeeded failed|gain loss|gained lost|remember forget|life death|born died|birth death|alive dead|day night
    morning evening|summer winter|light darkness|light dark|hot cold|white black|heaven hell|pleasure pain
    joy sorrow|strength weakness|knowledge ignorance|freedom bondage|free bound|attract repel|finite infinite
    mortal immortal|pure impure|perfect imperfect|visible invisible|active passive|believe doubt|friend enemy
    friends enemies|victory defeat|praise blame|praised blamed|peace war|wise foolish|conscious unconscious
    near far|approved opposed|supported opposed|supports opposes|agree disagree|agreed disagreed
    majority minority|minimum maximum|import export|ancient modern|temporary permanent|only also|never always
    always never|nobody everybody|nothing everything|added removed|arrived left|enter leave|entered left
    buy sell|bought sold|teach learn|taught learned|teacher pupil|master servant|cause effect|parent child
    spiritual material|mental physical|natural artificial|useful useless|safe dangerous|healthy sick
    legal illegal|official unofficial|full empty|fast slow|quickly slowly|up down|upper lower
""")

# Words of the same kind that exclude each other.
PEERS = [
    line.split()
    for line in """
    pastor rabbi priest imam monk bishop nun
    physician lawyer engineer teacher merchant soldier farmer sailor painter carpenter
    king minister general ambassador judge governor senator mayor
    father brother uncle cousin grandfather son nephew
    mother sister aunt daughter grandmother niece wife
    student professor pupil scholar disciple
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    spring summer autumn winter
    red blue green yellow white black brown purple orange
    north south east west
    one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
    first second third fourth fifth sixth seventh eighth ninth tenth
    once twice thrice
    dog cat horse cow elephant lion tiger monkey snake bird fish sheep goat
    gold silver iron copper lead stone wood glass
    river lake ocean mountain valley desert forest island
    church temple mosque monastery school hospital palace prison
    book letter poem song speech lecture essay newspaper
    eye ear hand foot heart brain tongue
    hour day week month year decade century
    hinduism buddhism christianity islam judaism jainism
    hindu buddhist christian muslim jew jain
    american british english french german italian spanish russian chinese japanese indian greek roman dutch
    america britain england france germany italy spain russia china japan india greece rome egypt persia
    london paris rome boston calcutta chicago madras athens berlin vienna
    doctor nurse dentist surgeon
    singer actor writer director producer dancer composer novelist
    football basketball baseball hockey tennis cricket golf rugby
    million billion thousand hundred
    """.strip().splitlines()
]

# Weaker word to stronger word, which evidence for the weaker one does not support.
STRENGTHEN = {
    "some": "all",
    "many": "all",
    "most": "all",
    "several": "all",
    "few": "many",
    "often": "always",
    "sometimes": "always",
    "usually": "always",
    "generally": "always",
    "frequently": "always",
    "may": "must",
    "might": "will",
    "can": "must",
    "could": "did",
    "probably": "certainly",
    "perhaps": "certainly",
    "partly": "entirely",
    "almost": "fully",
    "nearly": "exactly",
    "seldom": "never",
    "rarely": "never",
    "one of the": "the only one of the",
    "among the": "the first of the",
    "at least": "exactly",
    "about": "exactly",
    "was": "is still",
    "were": "are still",
    "had": "still has",
    "had been": "is still",
    "used to": "still",
    "suggests": "proves",
    "likely": "certain",
}

# Words that can replace each other in most sentences without changing the verdict.
SYNONYMS = _both_ways("""
    begin start|began started|begins starts|big large|bigger larger|biggest largest|help aid|helped aided
    show demonstrate|shows demonstrates|showed demonstrated|use employ|used employed|uses employs|buy purchase
    bought purchased|get obtain|got obtained|need require|needs requires|needed required|near close|quick fast
    quickly rapidly|many numerous|big huge|end finish|ended finished|important significant|child kid
    children kids|movie film|movies films|author writer|hard difficult|think believe|thought believed
    thinks believes|gave provided|give provide|gives provides|kept retained|allowed permitted|allows permits
    allow permit|built constructed|build construct|made created|makes creates|also additionally
    however nevertheless|therefore hence|because since|although though|about approximately|part portion
    whole entire|often frequently|sometimes occasionally|usually generally|main chief|main principal|only solely
    just merely|happened occurred|happen occur|happens occurs|chosen selected|chose selected|choose select
    killed slain|died perished|city town|house home|job occupation|answer reply|answered replied|asked inquired
    ask inquire|called named|wanted desired|want desire|wants desires|leave depart|enough sufficient|old aged
    happy glad|sad sorrowful|afraid frightened|whole complete|own possess|owns possesses|owned possessed
    received got|speak talk|speaks talks|spoke talked|teaches instructs|tell inform|try attempt|tried attempted
    tries attempts|true correct|wrong mistaken|road way|path way|nation country|worldwide globally|soul spirit
    man person|men people|God the-Lord|mind intellect|strength power|knowledge learning|teaching doctrine
    anger wrath|joy delight|sorrow grief|struggle strive|pupil student|journey trip|rich wealthy|poor needy
    liked enjoyed
""")
SYNONYMS = {word: other.replace("-", " ") for word, other in SYNONYMS.items() if "-" not in word}

FRAMES = [
    "The speaker says that {}",
    "According to the passage, {}",
    "It is said that {}",
    "The lecture holds that {}",
    "The text states that {}",
    "We are told that {}",
    "The author says that {}",
    "He says that {}",
    "The speaker holds that {}",
]

# Details to add to a true sentence, which no evidence mentions.
DETAILS = [
    "in {year}",
    "at the age of {small}",
    "for {small} years",
    "with his brother",
    "with her sister",
    "during the war",
    "in front of a large crowd",
    "against the advice of his friends",
    "in a letter to his mother",
    "{small} times",
    "shortly before his death",
    "while living in London",
    "on a Sunday morning",
    "according to most scholars",
    "in Paris",
    "for the first time",
    "without being paid",
    "as the newspapers reported",
    "at the king's request",
    "in his old age",
    "to the surprise of everyone",
    "after a long illness",
    "because of the cost",
    "in the presence of {small} witnesses",
    "on his second visit",
    "more than {small} times",
    "in every country",
    "since {year}",
    "at the suggestion of his teacher",
]
