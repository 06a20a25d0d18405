"""What can be asked about the games, as patterns of the grammar.

Words in capitals stand for all their forms, and `_` for the name of a game, so that a question is
understood of every game alike. What he answers is in `knowledge`.
"""

from __future__ import annotations

GAMES = {
    "nim": ("nim",),
    "sticks": ("sticks|stick",),
    "chopsticks": ("chopsticks|chopstick",),
    "othello": ("othello",),
    "tictactoe": ("tictactoe|noughts", "tic tac toe", "noughts crosses"),
}
WORDS = {  # stand for all their forms in the patterns below
    "INVENT": "invent|invented|create|created|discover|discovered|devise|devised|design|designed|"
    "develop|developed|made|introduced|thought|came",
    "ORIGIN": "history|origin|origins|story|background|inventor|creator|father",
    "WIN": "win|wins|winning|won|beat|beats|beating|beaten|defeat|master",
    "LOSE": "lose|loses|losing|lost",
    "TRICK": "trick|tricks|secret|strategy|strategies|tactic|tactics|tip|tips|advice|key|method",
    "PLAY": "play|plays|played|playing",
    "DRAW": "draw|draws|drawn|tie|ties|tied",
    "END": "end|ends|finish|finishes|stop|stops|terminate|over",
    "LONG": "forever|ever|endless|endlessly|infinite|infinitely|eternally",
    "MEAN": "mean|means|meaning|meant",
    "WORK": "work|works|working",
    "BUILT": "made|make|built|build|wrote|written|created|programmed|coded|designed|invented",
}
# `_` is the name of a game
OF_EACH_GAME = {
    "history": """who INVENT _ / who is|was ORIGIN _ / when INVENT _ / when|where|how _ INVENT
        where _ from|originate|originated|come|start|started|begin / what is ORIGIN _ / ORIGIN _
        tell me ORIGIN _ / how old|ancient _ / how long _ around|PLAY|existed / why _ called|named
        what year|country _ / _ who INVENT / _ ORIGIN
        where|when did|was _ begin|originate|start / how did _ start|begin|come
        why called|named _ / who behind _ / since|when people PLAY _ / did|was|were INVENT _
        was|is _ INVENT / when _ out|appear|appeared|sold
        is _ chinese|japanese|english|american|german|old|ancient""",
    "value": """who WIN _ / who WIN _ first|second / who should|would|will|can WIN _ / _ who WIN
        which player|side WIN _ / is _ solved / anyone|anybody|somebody|everybody solved|solve _
        has|have|was _ solved / _ been|be solved / is _ DRAW|fair|balanced
        is|does _ always DRAW / does|can|will first|second player|1|person WIN _
        does|can|will first|second|x|o|black|white|player|beginner WIN _
        _ does|can|will first|second player|1|person WIN
        first|second player|an|any advantage _ / _ advantage|better first|second
        is it better|best|smarter|wiser|cleverer first|second _
        is first|second better|best|smarter|wiser _ / should i go|start|begin|move|be first|second _
        perfect|best|optimal|flawless play who WIN _ / what perfect|best|optimal|flawless play _
        what is value|result|outcome _ / how many positions|situations|states|games _""",
    "win": """how WIN _ / how do|can|to|should WIN _ / how do|can|to|should i|we|you WIN _
        how do|can|to i|we|anyone WIN you _ / why you WIN _ / why do you always WIN _
        _ why WIN / why do you never LOSE _ / why i LOSE _
        why i|we|cannot|never i|we|ever|never|always|cannot WIN|LOSE _ / is there TRICK _
        how come you|i always|never WIN|LOSE _ / why|how nobody|1 ever|can WIN you _ / TRICK _
        what is TRICK _ / what is TRICK WIN _ / _ TRICK / what is _ TRICK / give|tell me TRICK _
        what is best|winning|right|good|perfect|optimal TRICK|way|opening|start _
        what is best|winning|right|good|perfect|optimal TRICK|way WIN _
        can i|we|anyone|anybody|somebody WIN you _ / is it possible|impossible WIN _
        do you always|ever|never WIN|LOSE _ / have you ever|never LOSE|been _
        how get|become|be better|good _ / how do|to play _ well|better|perfectly
        are you unbeatable|invincible _ / can you be WIN _ / what should|must|can i do WIN _
        how are|do you WIN every|all|always _""",
    "draw": """can|could|may _ be|END DRAW / can|could|may be|END DRAW _ / can|could _ DRAW
        can|could we|i|you|1 DRAW _ / does|will _ ever|sometimes END DRAW / does it ever END DRAW _
        is|are there|any DRAW _ / is DRAW possible|impossible _ / is it possible DRAW _
        is _ ever|sometimes DRAW / what happens|if DRAW _ / how can|do|does DRAW _""",
    "about": """what is _ / tell me about _ / explain|describe|define _ / what kind|sort game _
        never heard|PLAY _ / what do|can you know|tell about _""",
}
ASKED = """
misere: what is misere / what is misere nim|play / what misere MEAN / misere MEAN
    how misere WORK|different|differ / difference normal misere / difference misere normal
    how do|to|can WIN misere / how do|to|can WIN misere nim / how do|to|can i|you WIN misere nim
    TRICK misere / what is TRICK misere nim / tell me about misere / what misere
    explain|define|describe misere / misere what
nimsum: what is nim sum / what is nimsum|xor / what nim sum MEAN / nim sum|sums MEAN|WORK
    how do|is|to calculate|compute|calculated|computed nim|nimsum sum|sums / explain nim sum|sums
    how nim sum|sums calculated|computed|WORK / why nim sum|sums / why xor|binary
    how work nim sum|sums / how binary nim / what is nim addition|arithmetic|xor
marienbad: what is marienbad / marienbad game|nim|film|movie / game|nim marienbad
    who WIN marienbad / film|movie nim|matches|matchsticks / game film|movie marienbad
    what game film|movie last year marienbad / what PLAY last year marienbad
    what game last year marienbad
sprague: what is|are sprague|grundy|nimber|nimbers / sprague grundy / grundy number|numbers|theorem
    who is|was sprague|grundy / explain|tell sprague|grundy|nimber|nimbers
nim-machines: first computer|machine|robot PLAY nim / machine|computer|robot PLAY nim
    what is|was nimrod|nimatron / nimrod|nimatron machine|computer / first computer|video game
    tell me about nimrod|nimatron
chopsticks-end: can|does|will|must|could CHOP END / can|does|will CHOP go|last|loop|continue LONG
    CHOP go|goes|loop|last|continue LONG / how long|many CHOP last|take|moves / does CHOP ever END
    does CHOP ever END can go LONG / is CHOP finite|LONG|loop / is there limit|end CHOP
    what if CHOP never END / CHOP never END / is it possible CHOP never END
who: who are you / who is benedict / what is your name / tell me about yourself / introduce yourself
    are you human|person|people|man|real|alive|conscious|sentient / who am i talking|speaking
    are you computer|machine|robot|bot|ai|program|chatbot|model|chatgpt|gpt / what exactly are you
    what are you exactly|really|actually|called / what kind|sort are you
    what is your job|role|purpose / what do you do here / what should|can i call you
made: who BUILT you / where do|did you come / where are you from
    who is|was your author|maker|creator / how old are you / when were you BUILT|born
    how were you BUILT|born|named / who gave you name / why are you called|named
    who is|was your programmer|developer / what is your origin|story|history
    who programmed|developed|coded you / where|when were you born / who is behind you
bots: what|which|how bots|opponents|engines / what|which|how other|computer players
    list bots|opponents / what|which bots|opponents|engines are|have|do|can / who can i|we PLAY
    who else PLAY|here / how many bots|opponents|engines / tell me about bots|opponents
    against whom|who can PLAY / is there other|another|stronger|better|weaker opponent|bot|player
    who are other|others|all players|opponents|bots / is there anyone|anybody|somebody else
games: what|which games know|have|offer|there|available|can|PLAY / how many games / list games
    what games do you know|have|offer|PLAY / what can|could we|you PLAY / what else PLAY
    do|can you know|have|PLAY other|more|any games|game / tell me about games|your
    name|list all|games games|you|know
menace: what is|was menace / who BUILT|came menace / what michie BUILT
    matchbox|matchboxes PLAY|learn|learned|machine|computer / how many matchboxes|beads
    who is|was michie / tell|explain|describe menace|matchbox|matchboxes|michie
    how menace WORK|learn|learned|learns / what matchbox|matchboxes / machine learned toe|noughts
hats: what are hats / what is hats|hat player|bot|rule|about|for / why hats|balls / explain hats
    how do|does|are hats|hat WORK|learn|PLAY|player|trained / hats learn|learning|training
    what deal|thing|point hats / hats MEAN
learn: do|will you learn|improve|adapt / are you learning|trained / how do|did you learn PLAY
    do you get|become better|smarter|stronger|wiser / do you remember mistakes|games
perfect: what is perfect|optimal|flawless play|player / perfect|optimal|flawless play MEAN
    what do you MEAN perfect|optimal|flawless play / explain perfect play
    what perfect|perfectly MEAN / what MEAN PLAY perfectly / what is perfect|best bot
    what does perfect bot|player do
ply: what is ply|plies / what are plies / what ply|plies MEAN / ply|plies MEAN
    define|explain ply|plies / how many moves|turns ply|plies / how many plies move|turn|round
    difference ply move / how long|much|big ply|plies / ply same move / MEAN ply|plies
draw-repeat: third time|occurrence / same position|situation third|3|twice|again|repeats|times
    what happens|if repeat|repeats|repeated|repeating
    position|situation|moves repeat|repeats|repeated / is there|what repetition|threefold
    why DRAW repeated|repetition|third|same
    position|positions|situation occurs|occur|comes|come 3|third|twice|again
    rule repeating|repetition|repeated / repeating|repeat|repeated positions|position|moves
feathers: what is|are feathers|feather rules|variant|game|preset|version / what feathers|boxes MEAN
    how feathers|feather PLAY|WORK|differ|different / difference feathers|feather / who WIN feathers
    rules feathers|feather / feathers|feather rules|variant|version|revive
    explain feathers|feather / what is feathers revive / why feathers|feather boxes
    how do|to i|you|we PLAY feathers|feather / what with feathers|feather
pass: can|may|must|should|do i|you|we pass|skip / when pass|skip / what happens|if no move|moves
    why i|you|my|your skipped|pass|passed|skip / what happens|if cannot move|go / no legal moves
    is passing|pass allowed|possible|legal / do i have to pass|move / why turn skipped
    am i allowed pass|skip / LOSE if cannot|not move / what if cannot|not move
corners: why corner|corners / corner|corners important|good|matter|valuable|worth|special|strong
    should i take|go|avoid corner|corners|x|c / what is x|c square|squares
    x|c square|squares MEAN|bad / square|squares next|beside|near corner|corners
    what is point|special|good corner|corners / how important|good|much corner|corners|edge|edges
    why x|c square|squares bad
solved: what is solved game / what solved MEAN / what MEAN solved / which|what games solved
    difference weakly strongly / what is weakly|strongly|ultra solved / weakly|strongly solved MEAN
    are games all|any solved / are all|any games solved / what solved game MEAN / is solved game
    solved game MEAN|boring
level: how many levels / what|which level|levels|difficulty / levels|level MEAN|WORK
    how strong|good|hard|difficult|clever|smart|skilled are you
    how do levels|level|difficulty WORK / are you strong|good|weak player|at / how well you play
cheat: do|did|are|will|would|can you cheat|cheating|cheated|cheater / you cheat|cheated|cheating
    is game|it|this rigged|fair|fixed|unfair / how i know|sure you not cheat|cheating
    are|do you peeking|lying|fair|honest|peek|lie / you are cheating|cheater
    feels|seems|looks rigged|unfair|fixed / is _ rigged|unfair|fixed / is rigged
wthor: what is wthor / wthor archive|database|games|file|files / tell me about wthor
    othello archive|database / where othello games from|recorded / archive|database othello games
minimax: what is minimax|alpha / how minimax WORK|PLAY|think / explain minimax
    minimax MEAN|algorithm / tell me about minimax / what does minimax do
begins: who goes|starts|begins|start|begin|moves|PLAY first / who begins|starts / why i|you first
    why do|must|should i|you go|start|begin|move first / do i|you go|start|begin|move first
    who has first move|turn / how decide|decided who first|begins|starts / whose turn first
    why i|you begin|start|first / who gets|is first
beaten: which games can|could i WIN
    can you be WIN / has|did anyone|anybody|somebody ever WIN you / can you LOSE
    have|did|do you ever|always|never LOSE|WIN / can i|anyone|anybody|somebody|people WIN you
    are you unbeatable|invincible|beatable / is it possible|impossible WIN you|against
    how can|do i WIN you / will i ever WIN / why do you always WIN
    is there way|trick|chance WIN you / any way WIN you / what take WIN you / could i WIN you
    do you LOSE
information: what is perfect information / perfect information game|MEAN
    what perfect information MEAN / is there luck|dice / luck involved|matter|game
    is it luck|chance|random|skill / is _ luck|chance|random / what part|role luck|chance
    is anything|something hidden|secret / game luck|chance / _ luck
proof: how do|can you know WIN|LOSE|best|value|true|right|certain / can you prove / what is proof
    what is retrograde|backward analysis|induction / how did you solve|solved|prove|compute
    how are|were games solved / how do|can you prove|compute / where proof|proofs
    prove it|that|this / how can|are you sure|certain / how know / how know that|this
think: how do you decide|choose|pick|select / how far ahead / how many moves ahead
    how does your brain|mind|head|algorithm|strategy|program WORK / how do you WORK
    how think / how do you think|decide|choose move|moves|othello
    what do you think before|when move|moves
    do you see|look|think ahead / what is your algorithm|strategy|heuristic
    how do you come moves|up / how deep search|look|think|see|you / in your head|mind|brain
favorite: what is your favorite game / which|what game do you like|prefer|enjoy|love
    your favorite game / which|what game is best|hardest|easiest|favorite|nicest|fun
    do you like|prefer|enjoy _ / which do you prefer _
endings: what are|is|do|does class|extra|other|further endings|ending / what endings|ending MEAN
    class|extra endings|ending MEAN|for / how endings|ending WORK / explain endings
    what are endings / why class|extra endings
seats: can 3|4|5|6|7|8|9|10|more|many|several people|players|friends|us PLAY
    can 3|4|5|6|7|8|9|10|more|many|several people|players|friends|us PLAY _
    can 3|4|5|6|7|8|9|10|more|many|several people|players|friends|us PLAY together
    more than 2 players|people|persons
    how many people|players|persons can|PLAY|nim / how many seats|players / how many can PLAY
    is _ only|just 2
split: what is split|splitting / how split|splitting WORK / how do|can i|we|you split
    split MEAN|allowed / why cannot|not|i|we i|we|cannot|not split / when i|we|you split
    what splits|split legal|allowed|possible / is split|splitting allowed|legal / what MEAN split
    can split when|if|with
hit: what is hit|hitting|tap|tapping / how hit|hitting WORK / how do|can i|we|you hit
    what hit MEAN / can i|we hit myself|own|me|dead|ourselves / what happens|if hit|tap
dead: when hand|hands die|dies|dead / how do|does|can hand|hands die|dead
    what is|happens dead hand|hands / why hand die|died|dead
    can dead hand|hands come|revive|live|alive|back|return / what happens 5 fingers
    how revive|wake|resurrect hand|hands / why 5 fingers
othello-name: difference othello othello / what is difference othello othello
    is othello same othello / same game othello othello / is othello other|another name
    other|another name othello / how othello differ|different othello / are othello othello same
othello-score: empty squares|empties / what happens|if othello DRAW|equal
    how othello score|scored|counted / how score|points|discs|discs counted|count|scored|WORK
    who gets empties|empty / what happens|if equal|same discs|number
"""


def _patterns() -> dict[str, tuple[str, ...]]:
    """All patterns by their topic, written out."""
    found: dict[str, tuple[str, ...]] = {}
    for game, names in GAMES.items():
        for kind, text in OF_EACH_GAME.items():
            found[f"{game}-{kind}"] = _written_out(text, names)
    anyone = ("|".join(names[0] for names in GAMES.values()),)
    for block in ASKED.strip().replace("\n    ", " / ").splitlines():
        topic, _, text = block.partition(": ")
        found[topic] = _written_out(text, anyone)
    return found


def _written_out(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns with every stand-in replaced, once for each name where one is asked for."""
    patterns: dict[str, None] = {}
    for line in text.replace("\n", " / ").split("/"):
        for name in names:
            stand = {**WORDS, "CHOP": GAMES["chopsticks"][0], "_": name}
            parts = (
                "|".join(stand.get(word, word) for word in part.split("|")) for part in line.split()
            )
            patterns[" ".join(parts)] = None
    return tuple(pattern for pattern in patterns if pattern)


QUESTIONS: dict[str, tuple[str, ...]] = _patterns()
OF_THE_TABLE = ("win", "history", "value", "draw")  # what may be asked without naming the game


def here(topic: str, game: str) -> str:
    """The topic as it is meant at a table: who asks there why he wins asks about that game."""
    own = f"{game}-win"
    return own if topic == "beaten" and own in QUESTIONS else topic
