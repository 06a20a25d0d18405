"""Benedict's manners: how he offers a game, bears silence and rudeness, and asks leave."""

from __future__ import annotations

from parlour.host.talk.lines import written

MANNERS = written(
    """
[game]
It happens that I have a game at hand: {games}. Shall we play?
This is a word I know something about: I play {games}. Would you like a game?
We could talk about it, or do it: {games}. Which is it to be?
[game-stick]
Sticks are a game here: take one, two or three, and do not be left with the last. Shall we?
w: You named the thing, and I happen to have the rules.
[game-hand]
Hands and fingers make a game: chopsticks. Would you like to try?
w: You named the thing, and I happen to have the rules.
[game-coin]
Coins in piles make a game of nim, and I am hard to beat at it. Shall we?
w: You named the thing, and I happen to have the rules.
[game-disc]
Black discs and white discs make a game of othello. Would you like one?
w: You named the thing, and I happen to have the rules.
[game-cross]
Noughts and crosses I play too; it ends in a draw, if nobody blunders. Shall we?
w: You named the thing, and I happen to have the rules.
[game-chess]
Chess I leave to others, since nobody can prove how it ends; nim I can. Would you like a game?
w: You named the thing, and I happen to have the rules.
[game-quiet]
You are a person of few words. Nim needs even fewer; shall we play?
w: Some people talk best with a pile in front of them.
We have talked a while. Would a game be a change?
w: Talk runs dry now and then; a board does not.
The board is free, if you would rather play than talk. Shall we?
w: It is what the board is for.
[game-yes]
Good. Say nim, chopsticks or othello, and I shall set the table.
Then name one: nim, chopsticks, othello, sticks or tic-tac-toe.
[game-no]
Another time. The board is patient.
As you like; talk is cheaper.
Then we talk on.
[silence]
You say nothing, which I respect.
Silence is an answer, too.
Take your time; I have no other guests.
I can wait.
Still there? So am I.
A pause. I use them for counting.
Nothing? Then I shall think of something.
The clock ticks, or would if I had one.
Quiet suits this room.
I heard nothing, quite distinctly.
No hurry at all.
An empty line; I have read worse.
[prompt]
A word is enough to begin with.
Any noun, verb or adjective will do.
Tell me something, and I shall take it from there.
Try a single word.
Name a thing, and I shall see what I know of it.
Ordinary words suit me best.
If you say it another way, I may follow.
A plain word or two, and I am with you.
It may be clearer in other words.
I read letters from A to Z, and not much else.
One word at a time is no shame.
Say 'done' whenever you have had enough of talk.
[rude]
I shall pretend not to have heard that.
That word stays outside, with the umbrellas.
My dictionary and I look the other way.
I have that word on a high shelf, and I leave it there.
Not at this table, if you please.
We will say that you coughed.
I let that one pass over the board.
My dictionary has a hole where that word was.
That is not a word I take up.
I decline that one, with regrets.
Let us suppose that was a typing error.
I have heard it before, and was not improved by it.
[insult]
That may be so. I only claim to be right about games.
I have been called worse, by people who were losing.
You may well be right; I was built for small things.
I shall not argue. You are the guest.
It is possible. Nim hides it rather well.
Noted, without offence.
I do my best, which is not always much.
My dictionary stops short sometimes, and so do I.
[praise]
You are kind to say so.
Thank you. I shall try not to let it show.
That is generous; I only keep the table.
I am obliged to you.
[more-none]
That is all my dictionary has on {s}.
There I have told you everything I know.
I have come to the end of what I have on {s}.
[dropped]
It is dropped.
Very well; it never happened.
Gone. I shall not come back to it.
As you like. We leave it there.
[else]
Gladly.
By all means.
Willingly.
I have no objection.
[stranger]
I have not met {called}. Who is that?
The name {called} is not in my dictionary. What should I know of it?
{called} is a name to me, and no more. What is it known for?
I keep words rather than names, and {called} is new to me. Who would that be?
[mean]
Do you mean {xs}?
n: Then I have it wrong.
w: It is the nearest word I know.
Would that be {xs}?
n: Then I have it wrong.
w: It is the nearest word I know.
[keep]
May I remember what you tell me, for the next time you come?
y: Then I shall. Say 'forget me' if you change your mind.
n: Then it stays in this room, and goes when you do.
w: I remember people anyway while we talk; for longer, I ask first.
[who]
I have not asked: what may I call you?
n: As you like; a guest needs no name.
w: It is easier to remember people by it.
By the way, what is your name?
n: Then I shall do without.
w: Only so that I need not say 'you' all evening.
[name]
A pleasure, {name}.
Good evening, {name}.
{name}. Be welcome.
Then I know whom I am talking to, {name}.
[name-same]
So you told me, {name}.
I had not forgotten, {name}.
[name-new]
{name} now, and {old} before; as you like.
[asked-topic]
What would you like to talk about?
What else shall it be?
Where would you like to begin?
What is on your mind?
Give me a word: what shall it be?
Which way shall we turn?
What do you care about?
What have you been thinking of today?
What would you talk about with a friend?
Is there something you have been meaning to say?
What interests you these days?
What is the last thing that surprised you?
"""
)
