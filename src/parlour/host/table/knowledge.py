"""What Benedict knows about the games: his answers, by the topics of `questions`.

Every number he gives is checked by the tests.
"""

from __future__ import annotations

import re

from parlour.core import registry
from parlour.host.language import listed

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


def _answers() -> dict[str, tuple[str, ...]]:
    """All answers by their topic, sentence by sentence."""
    blocks = ANSWERS.strip().replace("\n    ", " ").splitlines()
    parts = (block.partition(": ") for block in blocks)
    return {topic: tuple(re.split(r"(?<=[.!]) (?=[A-Z0-9])", text)) for topic, _, text in parts}


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
