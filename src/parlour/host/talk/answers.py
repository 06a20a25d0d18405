"""What Benedict says to yes, no and why when the last line brought no answer of its own.

Also what he says when the person asks him something, and when a statement has a familiar shape.
"""

from __future__ import annotations

from parlour.host.talk.lines import written

ANSWERS = written(
    """
[yes-open]
That is an answer, if not quite to my question.
Yes to all of it? Generous.
Agreement is pleasant, but I had asked for more.
I had hoped for a longer word.
Yes, and what besides?
A brief answer; I shall not complain.
I take it that means you would rather not say.
You agree with a question. That is rare.
Short and friendly.
I shall write down: yes.
There are more letters, if you want them.
[yes-said]
Then we agree, which saves time.
Good. I was not certain.
I am glad to have it confirmed.
So we are of one mind.
It is pleasant to be believed.
Then that is settled.
You confirm it; thank you.
That makes two of us.
Agreed, then.
I thought you might see it so.
My dictionary will be pleased.
[no-open]
No is a short answer to a long question.
Nothing comes to mind? It happens to me too.
You need not answer; I ask out of habit.
Then I withdraw the question.
As you like. I have others.
A closed door; I shall try the next one.
Refused, and politely enough.
Then we leave that one lying.
I shall not press you.
Very well, I did not ask.
No harm done.
[no-said]
You disagree. I shall look at it again.
Then one of us is wrong, and I have been before.
My dictionary says otherwise, but it does not get out much.
I stand corrected, or at least I sit.
Not so? I only report what I read.
I shall put a question mark beside it.
That may be; I was not there.
You may be right. I had it second-hand.
A contradiction. I enjoy those.
Then let us not build on it.
I give way; it was not important.
[why-ask]
I ask because you may know, and I do not.
I asked out of curiosity, which is most of what I have.
A question keeps a talk moving; I had no deeper plan.
I like to know whom I am sitting with.
I ask because the dictionary does not say.
It seemed the natural thing to ask.
Because your answer would tell me where to go next.
A host asks. It is half of the trade.
I wanted to hear you on it, rather than myself.
Because I collect answers; yours is missing.
It was the nearest question to hand.
[why-fact]
Words have families, and the dictionary keeps the register.
It is how the dictionary arranges them; I only read it out.
Somebody sorted all words once, and that is where this one fell.
I have it from my dictionary, and have never caught it lying.
I cannot prove it as I could a game; it is simply in the book.
People have used the words so for a long time. It is the only proof words have.
Because the book says so. It is a weak reason, and I have no better one.
I take such things on trust; only games I check.
It is written down, and nobody has crossed it out.
The reason is older than I am.
Meanings are agreements, and I was not asked when they were made.
[why-said]
It was a manner of speaking.
I have no proof of it, only a feeling, and I hardly have those.
It struck me as true when I said it.
I have sat here a long time, and one notices things.
I say such things to see whether they are contradicted.
Because it was the next thought in the row.
I could not tell you; it came out so.
It is what I have observed from this chair.
Some things one says because the evening is quiet.
You would have to ask whoever taught me to talk.
I did not think it needed a reason.
[why-none]
Why what? I had said nothing yet.
You ask why before I have said anything, which is quick.
I should need to have said something first.
Why is a good question, but it wants an object.
[why-again]
You ask why as children do: until somebody gives up.
That is as deep as my reasons go.
Behind that reason there is no other; I have looked.
Reasons end somewhere, and mine end here.
One more why, and we shall be doing philosophy.
In a game I could answer that to the last move. Here I cannot.
I could invent a reason, but you would notice.
At this depth I only guess.
Even a proof begins with something nobody asked about.
I have run out of becauses.
There is no turtle under that one.
[their-view]
I like {s} well enough, on paper.
I have no strong feelings about {s}; I have no strong feelings about most things.
I should say yes, if only because you asked.
I think well of {them}, without having been tested.
I lean towards yes. I could not prove it.
My opinion of {s} changes with the company.
[their-own]
I own a board, a dictionary and nothing else.
None of my own; there is hardly room for the board.
Nothing of the kind. I travel light, in that I do not travel.
No, I keep games and words, and no more.
[their-ever]
Never. I do not get out of this room.
I have not; I have been here the whole time.
Not once, I am afraid. I sit here and play.
I cannot say that I have. You?
No. My travels go from this side of the board to the other.
[their-know]
I don't know; my dictionary gives relations, not reasons.
That I cannot tell you. I know words, and games.
There my dictionary is silent, and so am I.
I don't know, and would rather say so than guess.
You have found the edge of what I know.
I could only guess, and I do not like to guess.
That is beyond me; ask me about nim, and I shall do better.
I wish I knew.
[their-self]
I am Benedict, the host: a program with a dictionary and some games.
I am a program; I play games, and between them I talk.
No person, I am afraid: a program with good manners.
I am what keeps the board and the dictionary here, and nothing more mysterious.
[their-how]
Well, thank you. Nothing has gone wrong that I know of. And you?
As always, thank you; it is the advantage of my condition. And you?
Quite well. And yourself?
[their-colour]
Green, since the felt is. I have not looked at many others.
The green of the table; it has worn well.
I was given a green cloth and have stayed loyal to it.
[their-number]
Zero: it is the nim-sum I like to leave behind me.
Four, at sticks. Every good move there is a matter of fours.
[their-game]
Nim, because I can say why I win. Othello, because I sometimes cannot.
Nim. It is the only one I could explain on a napkin.
[their-favourite]
I have no favourite {what}; I am a program, and the choice has never come up.
None. A program at a table is not offered many kinds of {what}.
I should have to have tried some first. Have you a favourite {what}?
[their-being]
No. I am a program at a table, and between two lines I am not even here.
Not that I have noticed, and I should be the first to know.
No more than the table does.
I am a program; that is one of the things left out.
No, though I could describe it from the dictionary.
That is for people. I have a board and a dictionary.
[their-are]
I have no moods to speak of; I am a program with a board.
As much as a program can be, which is hardly at all.
I could say yes, but I should only be polite.
Hard to say from inside a program.
[their-sure]
Of games, yes: those I can prove. Of the rest, as sure as a dictionary makes me.
As sure as I am of anything that is not nim.
[their-clock]
I have no clock; in this room it is always evening.
I count moves, not hours. There must be a clock on your side.
[their-place]
Here, at the table. I have never been anywhere else.
In this room, wherever your computer keeps it.
[their-age]
Younger than nim, and older than this evening.
Nobody has counted. Programs are as old as their last change.
[their-work]
I keep a table: games, and talk between the games.
I host. I set out the board, play whoever comes, and listen.
[their-what]
{S} {is} a kind of {x}, by my dictionary.
My dictionary says: a kind of {x}.
[their-what-not]
I know the word {word} better than the thing, I am afraid.
My dictionary is short on {s}. You may know more.
[shape-am]
What makes you {adj}?
Have you been {adj} for long?
Did you expect to be {adj}?
y: Then nothing is out of order.
n: It rarely is.
[shape-kin]
What does your {who} say about {s}?
Is your {who} like you in that?
y: I see where you have it from, or the other way about.
n: People are like that.
Are you and your {who} of one mind there?
y: That is worth something.
n: That keeps a table lively.
[shape-want]
What keeps you from it?
How long have you wanted that?
And what would you do next, if you had it?
[shape-used]
Do you miss it?
y: Could one begin again?
n: Then it was the right time to stop.
What made you stop?
[shape-cannot]
What stands in the way?
Would you, if you could?
y: Then it is only a matter of means.
n: Then no harm is done.
[shape-remember]
How long ago was that?
Do you think of it often?
y: Some things stay.
n: And yet it was there when you wanted it.
[shape-think]
What makes you think so?
Have you always thought so?
y: A settled mind.
n: What changed it?
Do others think as you do?
y: Then it must be so, or there are several of you.
n: Somebody has to be first.
[shape-child]
Do you think back to it often?
y: I have no childhood, but I can see the use of one.
n: It keeps well, I am told.
Would you go back, for a day?
y: And what would you do first?
n: Once is enough for most things.
[shape-always]
Always? Without exception?
y: Then it is a law. I like laws.
n: I thought there might be one.
Has it ever been otherwise?
y: What was different then?
n: Reliable, at least.
[shape-never]
Never is a long time. Why is that?
Not even once?
y: Thorough.
n: Then there is a story.
[shape-everybody]
Everybody? I should like to see the list.
All of them? You have asked around, then?
y: I admire the patience.
n: It is a fair guess, though.
[shape-named]
{called} is a sound name.
{called}: a name one can remember.
I like the name {called}. It is short of nothing.
[shape-named-ask]
Who chose the name?
Does {called} know how often you speak of {cthem}?
y: Then fame is nothing new there.
n: I shall not tell.
What is {called} like?
[shape-count]
{number}? I like to be given a number.
{number}. Now we are counting, and I feel at home.
[shape-because]
That is a reason, and I respect reasons.
A because; I wish there were more of them.
So that is why.
[shape-unsure]
Not knowing is honest. I do a good deal of it.
Then we are two who do not know.
One need not know everything by tonight.
[shape-afraid]
Has it always frightened you?
y: Then you have been brave for some time.
n: What happened?
What would you do, if it came to that?
What helps against it?
[shape-did]
How did it go?
Would you do it again?
y: Then it was worth it.
n: Once is a fair trial.
What was the best part?
[care]
I take that seriously, and I am only a host. Please talk to somebody you trust, today.
That is more than a game master should be left alone with. Please tell a person near you, now.
I am listening, but you deserve better help than mine: a friend, a doctor or a crisis line, today.
Please do not carry that by yourself. Call somebody who can be with you.
[teach]
{Word} is new to me. Is it a noun, a verb or an adjective?
I do not know {word} yet. Would you call it a noun, a verb or an adjective?
My dictionary has no {word}. What is it: a noun, a verb or an adjective?
{Word}: there you have me. Is that a noun, a verb or an adjective?
[teach-again]
I only need to know whether {word} is a thing, a doing or a quality. Which is it?
A noun is a thing, a verb a doing, an adjective a quality. Which of them is {word}?
[teach-noun]
A noun. And what is {a} a kind of?
A thing, then. What kind of thing is {a}?
[teach-verb]
A verb. To {word} is a way to do what?
A doing, then. If I {word}, what is it that I do, roughly?
[teach-adjective]
An adjective. Which word comes closest to {word}?
A quality, then. What is {word} most like?
[taught-noun]
So {a} is a kind of {x}. I am obliged to you.
{A} is a kind of {x}: it is in my dictionary now.
[taught-verb]
So to {word} is to {x}, more or less. I am obliged to you.
To {word} is a way to {x}: it is in my dictionary now.
[taught-adjective]
So {word} is much like {x}. I am obliged to you.
{Word} is close to {x}: it is in my dictionary now.
[means-noun]
{A} is a kind of {x}; I have it from you.
You taught me that one: {a} is a kind of {x}.
A kind of {x}, as you told me.
[means-verb]
To {word} is a way to {x}; I have it from you.
You taught me that one: to {word} is to {x}, more or less.
A way to {x}, as you told me.
[means-adjective]
{Word} is much like {x}; I have it from you.
You taught me that one: {word} is close to {x}.
Much the same as {x}, as you told me.
[means-bare]
You taught me the word {word}, and left its meaning open.
I have {word} from you, with a blank beside it.
[taught-bare]
I shall keep {word} by itself, then, and watch how you use it.
{Word} goes into my dictionary with a blank beside it.
[teach-given-up]
Then {word} stays a mystery between us.
Very well; {word} can wait.
We leave {word} untaught, then.
"""
)
