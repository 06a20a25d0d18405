"""What Benedict knows about the games: the questions he recognises, and what he answers.

A pattern is words in their order, `a|b` for either, with anything between them; of two topics the
one that has more words of the question is meant. Every number he gives is checked by the tests.
"""

from __future__ import annotations

import re

from parlour.core import registry
from parlour.host.english import listed

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
ANSWERS = """
nim-history: Charles Bouton of Harvard gave it its name in 1901 and proved how to win it. It is
    older than its name, and that it came from China is only said. Why he called it Nim nobody knows
    for sure; perhaps after the German nimm, take.
nim-value: The first player wins 3, 4 and 5, for their nim-sum is 2: taking 2 from the pile of 3 is
    the only move that does it. In general whoever is to move wins unless the nim-sum is 0. Misère
    the same holds until every pile is down to 1 coin; then it is turned round.
nim-win: I leave you piles whose nim-sum is 0, and whatever you take, I can make it 0 again, until I
    take the last coin. I also choose who begins, so I never have to start from 0. Leave me a 0, two
    equal piles for one, and I am the one who is lost.
nim-draw: No: somebody takes the last coin, and that decides it.
nim-about: Piles of coins: a move takes one or more from one pile. Whoever takes the last coin wins,
    or loses when it is played misère. Say nim, and I ask you for the piles.
sticks-history: Bachet de Méziriac printed its cousin in 1612, a race to 100 by steps of 1 to 10.
    Who first laid out sticks nobody knows; mathematicians call it a subtraction game.
sticks-value: The first player wins with 20 sticks, by taking 3. Whoever has to move on one more
    than a multiple of 4 loses; whoever has to move on any other number wins.
sticks-win: Leave 1, 5, 9, 13, always one more than a multiple of 4. Whatever the other takes, you
    make it 4 together, until 1 stick is left, and it is not yours.
sticks-draw: No: somebody must take the last stick, and has lost.
sticks-about: One heap of sticks: you take 1, 2 or 3 in turn. Whoever takes the last stick loses.
chopsticks-history: Nobody knows who: it is a hand game of school yards, passed on without a book.
    It is often said to come from Japan, but I have seen no proof.
chopsticks-value: By my rules the second player wins within 26 plies, whatever the first does. Of
    all 191 situations 120 are won for whoever is to move, 47 lost and 10 drawn; in 14 it has ended.
    Other rules have other winners; ask me about yours.
chopsticks-win: You begin, and by my rules whoever begins is lost, within 26 plies. In most lines
    you come to hold a single finger; then no split is left to you and you must hit. Let me begin,
    and I can be beaten.
chopsticks-draw: Yes: when the same situation comes up for the third time. By my rules the second
    player can avoid that and win; by the feather rules no situation may come back, and somebody
    always wins.
chopsticks-about: Two hands each, one finger on each. A hit adds your fingers to a hand of the
    other's, and 5 or more kill it; a split moves fingers between your own hands. Whoever has no
    live hand has lost.
othello-history: Goro Hasegawa gave it its form in Japan in 1971, and from 1973 it was sold as
    Othello. It comes from Reversi, which Lewis Waterman and John Mollett of London each claimed to
    have invented in the 1880s.
othello-value: On 4x4 the second player wins 11 to 3, computed here from the start; on 6x6 it is 20
    to 16 for the second, as Joel Feinstein computed in 1993. On 8x8 it is a draw, by the
    computation that Hiroki Takizawa published in 2023. These two I have not checked.
othello-win: Corners first, for they never turn back; then leave your opponent few moves, so that he
    must give you one. Few discs early on are no harm. I look only 3 plies ahead, so I can be
    beaten.
othello-draw: Yes: with equal numbers of discs it is a tie. On 8x8 even perfect play is said to end
    so, by a computation of 2023 that I have not checked.
othello-about: Enclose a straight run of opposing discs between two of yours, and it turns over. Who
    cannot do that must pass; when neither can, more discs win.
tictactoe-history: Nobody knows who: games of three in a row are ancient, and noughts and crosses as
    we know it was in print by the 19th century. In 1952 Sandy Douglas had a computer in Cambridge
    play it.
tictactoe-value: A draw, if nobody errs. There are 5478 positions that can arise, 765 if turned and
    mirrored ones count once, and I have seen them all.
tictactoe-win: Begin in a corner and hope: only one answer then saves the draw, the centre. Against
    somebody who never errs nobody wins.
tictactoe-draw: Yes: a full board without a line is a draw. On 3x3 it always comes to that if nobody
    errs.
tictactoe-about: Mark a free square in turn, X first. Whoever gets 3 in a line wins; a full board
    without one is a draw.
misere: Misère means that the last move loses instead of winning. At nim you play as ever, to
    nim-sum 0, until only one pile holds more than 1; then leave an odd number of single coins.
nimsum: The nim-sum of 3, 4 and 5 is 2: write them in binary, 011, 100 and 101, and put a 1 in each
    column that has an odd number of them, 010. From 0 every move spoils it, and from anything else
    one move makes it 0; so 0 is lost for whoever is to move.
marienbad: Nim with 1, 3, 5 and 7, played misère in the film Last Year at Marienbad, of 1961. The
    nim-sum is 0, so whoever begins loses.
sprague: Roland Sprague in 1935 and Patrick Grundy in 1939 found, each alone, that every impartial
    game in normal play is a pile of Nim in disguise. The size of that pile is the Grundy number.
nim-machines: The Nimatron, thought out by Edward Condon, played Nim in 1940 at the World's Fair in
    New York. In 1951 Ferranti's Nimrod followed at the Festival of Britain.
chopsticks-end: Yes, it can end: by my rules the second player can force a win within 26 plies. It
    can also go on for ever if both want that, so the third time a situation comes up it is a draw.
    By the feather rules no situation may come back at all.
who: I am Benedict, the host of this parlour. I am a program, not a person: what I say of the games
    is computed, and where I only guess I say so.
made: I am named after an older program, which played nim, chopsticks and Othello and never finished
    learning to talk. I kept its games and its manners.
games: Nim, chopsticks and Othello, and also sticks and tic-tac-toe: 5 in all. Say a name and we
    play.
menace: MENACE was 304 matchboxes that Donald Michie put together in 1961, and it learned noughts
    and crosses by winning and losing. Each box is a situation and its beads are moves; a win adds
    beads and a loss takes one away.
hats: There is a hat for each situation, with a ball for each move: a ball is drawn at random and
    played. Won, it goes back with one more of its kind; lost, it is thrown away, unless it is the
    last of its number. It knows no theory, and the good moves pile up all the same.
learn: I do not learn; I know or I compute. The hats and the matchboxes learn, from every game they
    win or lose.
perfect: Perfect play gets the best result that can be forced, whatever the other does. It takes the
    fastest win, else a draw, else the slowest loss.
ply: A ply is one move of one player. Your move and my answer are 2.
draw-repeat: When the same situation comes up for the third time, the game is a draw. By the feather
    rules that cannot happen, for no move may come back to a situation already seen.
feathers: They are chopsticks with boxes for hands and feathers for fingers, and with 7 feathers a
    box is dead. You may also hit your own other box, and no situation may come back; whoever has no
    move left loses. The first player wins, as a search has proven.
pass: Only in Othello: when no square would turn a disc, you must pass, and I do it for you. When
    neither can move it is over. In the other games every turn is a move.
corners: No line can close on a corner: once yours, always yours. In my table it counts 50, more
    than any other square. The square diagonal to it, called the X-square, counts −10, for it hands
    the corner over.
solved: A game is solved when the result of perfect play is known for certain: weakly from its
    start, strongly from every position. Nim, sticks, tic-tac-toe and my chopsticks are solved here
    strongly, but not Othello on 8x8.
level: There are 10 levels: at 10 the perfect player never errs, and at 1 it falls into nearly every
    deep trap. In a game say harder or easier. At nim and chopsticks I play without error, at
    Othello 3 plies ahead.
cheat: No: I play by the rules you play by, and everything lies open on the table. Ask me why after
    any move, and I show you the reason.
wthor: WTHOR is the archive of the French Othello federation, with well over 100,000 tournament
    games. Such games teach an engine what a position is worth.
minimax: Minimax gives every position a number, which one side wants large and the other small. It
    looks some plies ahead and assumes that each side picks what is best for it. The bot of that
    name looks 5 plies beyond its own move.
begins: It depends: at nim I choose, and begin unless the nim-sum is 0. At chopsticks you begin, and
    at Othello you may have either.
beaten: Yes, at Othello. At plain nim not while I choose who begins, and at chopsticks not while you
    begin; there I can prove it.
information: No luck at all: nothing is hidden and nothing is drawn by lot, so both of us know all
    there is to know. That is called perfect information.
proof: From the end backwards: a position is lost if every move from it leads to a win for the
    other, and won if one move leads to a loss. That settles all 191 situations of my chopsticks.
    For nim the nim-sum says it without looking.
think: It depends on the game: at nim I take the nim-sum, at chopsticks I look the situation up
    among all 191. At Othello I look 3 plies ahead, my move, yours and mine, and weigh the squares
    by a table.
favorite: Othello: it is the one of my games that I cannot prove. Nim is the one I would show a
    friend first.
endings: With the class endings a game of nim also ends at 2,2,2 and 1,2,3 and 1,1,2,2. Whoever
    moves there wins, or loses when it is played misère.
seats: Up to 10 can play nim; the other games are for 2. Misère, whoever loses a round is out, and
    the last one left wins. With more than 2 nobody can say who wins, for it depends on what the
    others want.
split: A split moves fingers between your own hands and keeps their total; by my rules each hand
    ends with 0 to 4. It must change your position: from 2 and 1 you cannot split to 1 and 2. From 1
    and 0, 4 and 3 or 4 and 4 there is no split at all.
hit: A hit adds the fingers of one of your live hands to a live hand of the other's; yours stay as
    they are. By my rules you may not hit your own hand, and a dead hand neither hits nor is hit.
dead: A hand is dead at 5 fingers or more; it holds 0 then. By my rules a split brings it back: from
    3 and 0 to 2 and 1, for one.
othello-name: Othello starts from a fixed cross of four discs, where in Reversi the players placed
    them. And in Reversi each had 32 discs of his own, where in Othello they are shared.
othello-score: More discs win, and equal numbers are a tie. In the score the empty squares go to the
    winner.
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


def _answers() -> dict[str, tuple[str, ...]]:
    """All answers by their topic, sentence by sentence."""
    blocks = ANSWERS.strip().replace("\n    ", " ").splitlines()
    parts = (block.partition(": ") for block in blocks)
    return {topic: tuple(re.split(r"(?<=[.!]) (?=[A-Z0-9])", text)) for topic, _, text in parts}


QUESTIONS: dict[str, tuple[str, ...]] = _patterns()
OF_THE_TABLE = ("win", "history", "value", "draw")  # what may be asked without naming the game
_ANSWERS = _answers()


def answer(topic: str) -> tuple[str, ...]:
    """What he says to a question on this topic: one to three sentences."""
    if topic != "bots":
        return _ANSWERS[topic]
    names = list(registry.claims("bots"))
    return (
        f"There are {len(names)} here: {listed(names)}.",
        "Where a game is solved, perfect never errs; random draws lots, and hats learns by winning "
        "and losing.",
        "Not every one plays every game.",
    )


def here(topic: str, game: str) -> str:
    """The topic as it is meant at a table: who asks there why he wins asks about that game."""
    own = f"{game}-win"
    return own if topic == "beaten" and own in QUESTIONS else topic
