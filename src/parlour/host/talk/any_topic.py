"""What Benedict can say of any thing, deed or quality, and what his dictionary has on it."""

from __future__ import annotations

from parlour.host.talk.lines import written

ANY = written(
    """
[any]
What comes to your mind first, when you think of {s}?
w: The first thought is usually the honest one.
Would you miss {s}, if there were no more of {them} tomorrow?
y: Then the world may keep {them}.
n: Then I shall not grieve on your behalf.
w: Missing a thing is the quickest way of weighing it.
What do people get wrong about {s}?
w: Somebody always gets it wrong, and that is usually the interesting part.
Have you a story with {s} in it?
y: Then let me have it; I collect them.~
n: Then one is overdue.
w: Stories keep better than opinions.
How would you explain {s} to a child?
w: What one can tell a child, one has understood.
Do you know anybody who cannot bear {s}?
y: There is always one. What is the complaint?
n: Remarkable agreement, then.
w: One learns most about a thing from its enemies.
{Does} {s} deserve {their} reputation?
y: Good or bad, I shall not ask which.
n: Few things do.
w: Reputations interest me; I have one to lose.
Who taught you most of what you know about {s}?
w: Knowledge has a face to it, as a rule.
Have you changed your mind about {s} over the years?
y: In which direction?
n: Constancy. I approve.
w: People who change their minds are the better opponents.
What would you ask somebody who knew all about {s}?
w: I might come across one.
What is the oddest thing you know about {s}?
w: The odd facts are the ones worth keeping.
Did your parents think about {s} as you do?
y: Then it runs in the family.
n: Progress, or the other thing.
w: Opinions are inherited more often than furniture.
Is there too much talk of {s} nowadays, or too little?
w: I hear only what is said at this table.
I know {s} only from the dictionary, which leaves out the best part.
w: A dictionary says what a word means, and never what it is like.
Nobody has proved anything about {s} yet. I should like to see it tried.
w: I am fond of proofs; they save argument.
I have heard {s} praised and blamed at this table, once by the same person.
w: He had lost a game in between.
In my experience {s} {is} best discussed sitting down.
w: Standing people want to be gone.
I suspect there is more to {s} than my dictionary lets on.
w: It gives them two lines, and you have already said more.
There are worse subjects than {s}; I have sat through several.
w: Weather, mostly, and other people's dreams.
If {s} had rules, I should know more about {them}.
w: I know things by their rules. It is a narrow view, but a clear one.
A game has an end; {s}, I gather, {does} not.
w: Nobody has ever told me that they had finished with the subject.
I am better at piles than at {s}, but I can listen to either.
w: Piles I can count.
I have no opinion on {s} that I could defend under questioning.
w: I keep opinions for things I can work out.
People lower their voices over {s}, or raise them. I have noted both.
w: I hear better than I see.
I should need three more evenings to be any use on {s}.
w: One to read, one to think, and one to doubt it all again.
[like]
Do you like {s}?
y: Then we shall not be short of words. What draws you to {them}?
n: Then we need not stay long. What do you hold against {them}?
w: It decides how long we stay on the subject.
Are you fond of {s}?
y: I thought so. Since when?
n: Then I shall not offer any. What put you off?
w: A host should know what his guests are fond of.
Do you care for {s}?
y: Good; so few people care for anything. What is the attraction?
n: An honest answer. Has it always been so?
w: I would rather ask than guess.
Have you a soft spot for {s}?
y: How did that come about?
n: Hardness has its uses. Is there a reason?
w: Soft spots are worth knowing, in a guest.
[like-doing]
Do you enjoy {s}?
y: What is the best of it?
n: What spoils it for you?
w: There is little point in a topic that nobody enjoys.
Do you look forward to {s}?
y: What is the best part?
n: Is it a duty, then?
w: One should know what people look forward to.
[like-adjective]
Do you like what is {word}?
y: Consistently? What, for instance?
n: What would you change about it?
w: Tastes are easier to compare than facts.
Do you think well of what is {word}?
y: What, for instance?
n: What would you put in its place?
w: I am asking for a judgement, and you look as if you had one.
[grim]
Is it close to you, or only a word?
w: One should know before going further.
What do you think people should know about {s}?
w: It is a subject on which people mostly repeat each other.
Has anybody you know had to do with {s}?
y: I am sorry. Say as much as you like.~
n: I am glad of it.
w: I would not want to say something thoughtless.
Do you think about {s} often?
y: It is good not to think about it alone.
n: One need not.
w: Some things stay on the mind.
It is no light word, and I have no light remark to go with it.
w: There are things one should not be clever about.
I know too little about {s} to be of use, but I can listen.
w: A dictionary is a poor guide there.
We can leave {s} whenever you like.
w: An evening need not hold everything.
I play games because nothing real is lost in them.
w: You named something in which a great deal is.
[is_a]
By my dictionary, {s} {is} a kind of {x}.
Strictly speaking, {s} {is} a kind of {x}.
A kind of {x}: that is how my dictionary disposes of {s}.
*{S} {is} filed under {xs} in my dictionary.
*If you look up {s}, you are sent to {xs}.
My books call {a} a kind of {x}, and leave it there.
{S}: a kind of {x}, says my dictionary, and says no more.
My dictionary gives {s} one line: a kind of {x}.
[is_a-name]
{S} is {xa}, by my dictionary.
My books have {s} down as {xa}.
{S}: {xa}, according to my dictionary.
If you look up {s}, you find {xa}.
[kinds]
There are {list}, to name the ones I know.
Under {s} my dictionary lists {list}.
{List}: my dictionary counts them all as {s}.
Of {s}, I could name you {list}.
[kinds-ask]
{List}: which would you choose?
w: A choice says more than a definition.
If I offered you {list}, which would it be?
w: It costs me nothing, and tells me something.
{List}: is there much of a difference?
y: Then you have the better eye.
n: Neither does my dictionary, at that distance.
w: Experts quarrel over less.
[parts]
*{A} has {list}, if it is all there.
*Take {a} apart, says my dictionary, and you find {list}.
*What would {a} be without {list}?
w: My dictionary insists on it, and I wondered how strictly.
*My dictionary takes some trouble over the parts of {a}: {list}, for a start.
[part_of]
*{A} is a part of {xa}, by my dictionary.
*Where there is {a}, {xa} cannot be far, says my dictionary.
*My books have {a} down as part of {xa}.
*One seldom meets {a} without {xa} around it.
[opposites]
The opposite is {xs}, if my dictionary is right.
Against {s} my dictionary sets {xs}.
Would you rather have {xs} than {s}?
y: The other side of the coin, then.
n: Then we are on the right side of the word.
w: One knows a thing by its opposite.
[opposites-adjective]
The opposite of {word} is {x}, and people seem to need both.
Which is the more useful word, {word} or {x}?
w: One of them must earn its keep better than the other.
Between {word} and {x} there is more room than the dictionary allows.
Would you sooner be {word} or {x}?
w: There is rarely time to be both.
Without {x}, nobody would have needed the word {word}.
[same]
Some people would say {xs} instead; I keep to {s}.
Another word for it is {x}, should you tire of this one.
My dictionary treats {s} and {xs} as one and the same.
Do you say {word}, or {x}?
w: One can tell where a person is from by such things.
[same-adjective]
{X} would do as well, if you tire of {word}.
Some say {x} where I say {word}.
Is {word} quite the same as {x}, to your ear?
y: Then one of them is a luxury.
n: I thought there might be a shade between them.
w: My dictionary gives one for the other, and I have doubts.
My dictionary lets {word} stand for {x} without blushing.
[beside]
In my dictionary {s} and {xs} live under one roof.
Would you sooner have {s}, or {xs}?
w: They stand side by side in my dictionary, and I compare.
{S} and {xs} are close relations, on paper.
Do you see much difference between {s} and {xs}?
y: So there should be. They have separate entries.
n: My dictionary would be disappointed.
w: They are neighbours in my dictionary.
[beside-adjective]
{Word} has {x} for a neighbour in my dictionary.
Is {word} more than {x}, or less?
w: The dictionary puts them close together and gives no measure.
From {word} to {x} is only a step, I believe.
[is_a-verb]
To {word} is to {x}, in a manner of speaking.
My dictionary says that to {word} is one way to {x}.
Whoever {third} also {xthird}, if one goes by the book.
[kinds-verb]
One can {list}; my dictionary counts them all as {s}.
To {word} may be to {list}, says my dictionary.
There is more than one way to {word}: one can {list}.
[kin]
A word of the same family is {x}, I notice.
My dictionary leads from {word} to {x}, and I think it means well.
{X} comes of the same stock, as words go.
[taught-kind]
Of those you taught me one yourself: {xa} is a kind of {word}.
I have not forgotten that {xa} is a kind of {word}. You taught me so.
[taught-is]
You taught me that {a} is a kind of {x}. I have it from nobody else.
{S} {is} a kind of {x}; I learned it at this table, from you.
I should not know {s} at all, but for you.
[taught-is-verb]
To {word} is to {x}, more or less; I learned it at this table, from you.
I should not know how to {word} at all, but for you.
[taught-is-adjective]
You taught me that {word} is much like {x}. I have it from nobody else.
I should not know {word} at all, but for you.
[verb]
*Do you {word} often?
y: Then you are in practice.
n: Then it keeps its charm.
w: It tells me whether I am talking to an expert.
t: I often {word}
*When did you last {word}?
w: The last time is remembered best.
*Do you {word} better alone, or in company?
w: Most things go differently when somebody watches.
Is {s} something one learns, or something one is born to?
w: I was taught everything I do, so the question interests me.
Who is the best at {s}, of the people you know?
w: Everybody knows one person who is.
Would you rather watch {s}, or do it?
w: I am mostly a watcher, between moves.
*Did anybody teach you to {word}?
y: Were they patient?
n: Self-taught. That is the hard way, and the one that lasts.
w: There is usually somebody behind it.
Is {s} work, or pleasure?
w: It depends, I suppose, on who asks for it.
What is the secret of {s}?
w: There is always one, and it is usually practice.
Where is the best place for {s}?
w: I know one place only, and it is this chair.
*I do not {word}. The chair does not encourage it.
w: I am a host; we sit.
I have been advised against {s} indoors.
w: There are counters on the table.
{S} looks simple until one counts the moves.
w: Most simple things have a long middle.
With {s}, I am told, the beginning is the hardest part.
w: In a game the beginning is easy. It is one reason to prefer games.
There is a time for {s}, and people rarely agree on it.
w: I have heard both sides.
I have never been asked to {word}, and should need a moment to prepare.
w: I am asked for moves, mostly.
[motion]
Do you get far, as a rule?
y: I shall imagine the distance.
n: Far is overrated. One only has to come back.
w: I measure everything in moves.
Is it the way that matters, or the arriving?
w: I arrived here once and have stayed.
I move pieces, not myself.
w: It is the more efficient arrangement.
[eating]
Is it better in company?
y: So is most of what is done at a table.
n: Then one need not share.
w: It is done at a table, and I take an interest in tables.
I have no appetite, only curiosity.
w: It costs less and lasts longer.
[making]
What was the last thing you finished?
w: Everybody has begun something; finishing is rarer.
Do you show people what comes of it?
y: What do they say?
n: Modesty, or caution.
w: Some things are made for the drawer.
I have made nothing but moves, some of them good.
w: I can prove it of the good ones.
[thought]
Does it come easily to you?
y: I am pleased to hear it.
n: It is no easier for me; I am merely quick.
w: I do little else, so I like to compare.
I do a good deal of it between moves.
w: There is nothing else to do while one waits.
[speech]
Do you say more than you mean to?
y: Here it is safe.
n: A rare gift.
w: I have noticed that people do.
I try to keep to two sentences at a time.
w: After the third nobody listens. I have checked.
[contest]
Do you mind losing?
y: So does everybody who says no.
n: Then you are ready for me.
w: It is the first thing one should know of an opponent.
A contest I understand; it is the rest of life that wants explaining.
w: It has rules, and it ends.
[adjective]
What is the {most} thing you know?
w: The extreme case is the quickest to describe.
Would you call yourself {word}?
y: I should not have dared to say it first.
n: It may come yet, if it is wanted.
w: I cannot see for myself.
t: I would call myself {word}
Can a thing be too {word}?
y: I suspected a limit.
n: Then there is no harm in more of it.
w: Most good things have a point where they stop being good.
What was {more} once than it is now?
w: Everything was more of something once.
Is {more} always better?
y: A simple rule. I like those.
n: It rarely is that simple.
w: If it were, we could stop thinking about it.
What do you wish were {more}?
w: Wishes tell one more than facts.
Is {word} a compliment, where you come from?
y: Then I shall use it with care.
n: Then I am glad I asked first.
w: It depends so much on the company.
Do people say {word} too easily?
y: Most adjectives are worn thin.
n: Then the word still has its edge.
w: Words wear out with use, as felt does.
{Word} is a word I use sparingly.
w: I know few things that earn it.
I was called {word} once, and did not ask why.
w: It seemed wiser to let it pass.
The felt on this table is not {word}. I have made sure.
w: One likes to know what one is playing on.
A position can be won or lost, but hardly {word}.
w: It saves a good deal of argument.
I know {word} mostly by its neighbours in the dictionary.
w: One learns words as one learns streets.
Some evenings are {more} than others, they say.
w: I have only had this one.
How {word} a thing is depends on who is asked.
w: It is so with most adjectives, and with no nim-sum.
"""
)
