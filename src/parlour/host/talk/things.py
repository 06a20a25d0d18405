"""What Benedict asks and remarks about things, by what manner of thing they are."""

from __future__ import annotations

from parlour.host.talk.lines import written

THINGS = written(
    """
[animal]
*Have you ever kept {one}?
y: Then you know more about {them} than my dictionary does. What was it like?
n: Nor have I; the felt would not survive it.
w: People who have kept an animal talk of it differently.
t: I have kept {a}
*Have you ever met {one} face to face?
y: And which of you looked away first?
n: It may be mutual good manners.
w: A meeting is worth more than a definition.
t: I have met {a} face to face
Would you rather watch {s} from near, or from far away?
w: There is a right distance for everything.
*What would {a} say of us, do you think?
w: We discuss {them} freely enough; it seems fair to ask.
*If {a} could play a game, which would it be?
w: I judge most creatures by how they would play.
{Is} {s} cleverer than people think?
y: I shall be careful what I say in front of {them}.
n: That is a relief, in a way.
w: I have lost nothing to an animal yet, but I keep an eye open.
*I have never had {a} in this room; nothing personal.
w: There are counters on the table, and animals swallow things.
{S} {does} not play games for money, which speaks well of {them}.
w: Money makes people play worse; I have no figures for animals.
*I imagine {a} thinks of other things than we do, and is no worse off.
w: It has less to remember, and nobody to beat.
I keep no animals, but I should make an exception for a quiet one.
w: Thinking wants quiet.
[person]
Do you know any {s}?
y: What are {they} like, away from work?
n: Then neither of us can be contradicted.
w: One acquaintance is worth ten definitions.
*Would you make a good {word}?
y: I believe you.
n: It is something to know that.
w: It is the shortest way of asking what one thinks of {s}.
*What makes a good {word}?
w: The bad ones are easier to describe, so I asked for the good.
*Did you ever want to be {a}?
y: And what came between?
n: Then that is one disappointment spared.
w: Most people wanted to be something else once.
t: I wanted to be {a} once
{S} {is} welcome at this table, provided {they} can count to three.
w: It is all that sticks requires.
*I may have played {a} without knowing it; nobody tells me what they are.
w: People sit down, play and go. I see mostly hands.
*I should think {a} has a good deal to put up with.
w: Everybody has who deals with people.
[food]
Do you eat {s} often?
y: Then you speak with authority.
n: Then {they} will have stayed special.
w: A habit says more than an opinion.
t: I often eat {s}
Could you live on {s} for a week?
y: I admire the resolve, if not the cooking.
n: Sensible.
w: It separates the fond from the devoted.
{Is} {s} better at home or at somebody else's table?
w: Food tastes of the company, I am told.
I do not eat, so {s} {is} wasted on me.
w: I have no mouth to speak of; only the speaking.
I serve no {s} here. Crumbs get under the counters.
w: A sticky counter plays a crooked game.
People become quite philosophical over {s}, I notice.
w: They sit down to it, and sitting makes people think.
[dish]
Who makes the best {s} you know?
w: A name is better than a recipe.
[drink]
Do you take {s} often?
y: In moderation, I shall assume.
n: A rare pleasure, then.
w: It is what a host asks.
When is the right hour for {s}?
w: There are people who hold strong views on it.
I can offer you {s} only in conversation, I fear.
w: I have no kitchen and no hands.
A game and {s} go well together, if one keeps {them} off the board.
w: I have seen what a wet board looks like.
[place]
*Is there {a} near where you live?
y: Do you go there often?
n: Perhaps that keeps it interesting.
w: I never leave the room, so I like to know what is outside.
What would you show me first, if we went there together?
w: I shall never go, so I had better ask.
Is it the place itself, or the people one meets there?
w: It is usually one or the other.
*Have you a particular {word} in mind?
y: Then let me have it.~
n: The general case will do.
w: The particular is always better company.
I have not been anywhere, so every place is equally far from me.
w: This room is all I have seen, and I find it sufficient.
I picture {s} as quiet. Correct me if I am wrong.
w: It is quiet here, and one assumes the best.
[artifact]
*Do you have {one} of your own?
y: Has it served you well?
n: One thing fewer to dust.
w: Things say a good deal about their owners.
t: I have {a} of my own
*Who gave you the first {word} you had?
w: First ones are remembered; the rest are merely owned.
*Could you mend {a}, if it broke?
y: I shall know whom to ask.
n: Neither could I. I have no hands.
w: Those who can mend a thing understand it.
Could we do without {s} altogether?
y: You may be right; we did once.
n: I thought not.
w: It is a way of finding out what a thing is for.
*I have no {word} here; the table is full enough.
w: A board, some sticks and two chairs. That is the house.
Somebody must have made the first of {them}, and been asked what it was for.
w: New things look useless until everybody has one.
*A good {word} is one nobody notices, I should say.
w: One notices tools only when they fail.
[vehicle]
*Do you own {one}?
y: Does it go where you want, or where it wants?
n: Then you walk, or know somebody.
w: It decides how far away people live from their friends.
t: I own {a}
Where would you go first, if you had your choice of {s}?
w: I should like to hear of somewhere.
Do you mind travelling by {word}?
y: Then staying in has its merits.
n: An easy traveller.
w: Some arrive rested, and some merely arrive.
*I have never needed {a}; everybody I meet comes here.
w: It is the one luxury of a host.
The best journeys end where they began, at a table.
w: I may be partial. I live at one.
[clothing]
Do you care what you wear?
y: It will not be wasted here, though I cannot see it.
n: A restful attitude.
w: I cannot see you, so I have to ask.
*When did you last wear {a}?
w: One must begin somewhere.
I wear nothing but a good manner.
w: It is never out of fashion, and never in it.
*{A} makes the player, some say. I have found no proof.
w: I have looked at the moves, and clothes do not show in them.
[instrument]
*Do you play {one}?
y: Since when?
n: Do you wish you did?
w: A player of one thing may be a player of another.
t: I play the {word}
*Would you rather hear {a} near by, or through a wall?
w: Neighbours have taught me to ask.
I play too, though nothing one can hear.
w: Mine is all wood and counting.
*They say {a} wants years of practice. Nim wants an afternoon.
w: Its whole theory is one line of arithmetic.
[music]
What do you listen to when nobody else is there?
w: That is the honest list.
Do you make music yourself, or leave it to others?
y: On what?
n: Somebody has to listen.
w: Both sides of it are work.
Can you work with music in the room?
y: I envy divided attention.
n: Nor can I think with the clock ticking.
w: I count while I think, and so does music.
Music is counting that one can hear, as far as I understand it.
w: Four of this, three of that, and then from the beginning.
I have no ear, but I can tell a pattern when it repeats.
w: Patterns are my trade.
[sport]
Do you play, or do you watch?
y: I suspect you do both.
n: Neither. Then we are alike.
w: The two kinds of people hardly know each other.
Is it the winning, or the exercise?
w: People say the one and mean the other.
I prefer contests one can hold sitting down.
w: One thinks better, and nobody is carried off.
In sport the better side may lose. I find that untidy.
w: In my games the better side wins, and one can show why.
[game]
Do you play to win?
y: Good. It is more polite than not trying.
n: Then you will like playing me.
w: It is well to know before one sits down.
Which game did you play most as a child?
w: One learns to lose at that age, or never.
A game is the only argument that ends.
w: Somebody wins, and there is nothing left to say.
I like games in which nothing is hidden and nothing is left to luck.
w: Then every move has a reason, and one can ask for it.
[body]
Do you give your own much thought?
y: It is wise to be on good terms.
n: Then it is working.
w: I have none, so I must ask.
Would you rather have one more, or one fewer?
w: An idle question, but somebody must put it.
I have no body, which saves on chairs.
w: I am a voice at a table.
The body does a great deal without being asked, I hear.
w: Mine would have to be asked everything.
[plant]
*Have you {one} at home?
y: Is it thriving?
n: One fewer thing to water.
w: It is a way of asking whether you are patient.
Are you good with plants?
y: They must be glad of it.
n: They forgive slowly, I believe.
w: Some people need only look at one.
I admire plants. They win by waiting.
w: It is an underrated plan in most games, too.
Nothing grows in this room except the list of games.
w: There is little light, and no earth.
[nature]
{Does} {they} frighten you, or calm you?
w: Nature seems to do one or the other.
Do you ever go out just to look at {them}?
y: And what do you see?
n: {They} will still be there, I suppose.
w: I never go out, so I collect reports.
I have only read about {s}, indoors, which is the comfortable way.
w: Books are dry in every sense.
Nature keeps no score, and still somebody always seems to be losing.
w: I think of it as a very long game without rules.
[substance]
What would we miss first, if there were no more {s}?
w: One sees what a thing is for when it is gone.
Do you ever notice {s}, or {is} {they} simply there?
w: The commonest things are noticed least.
The table is wood, the cloth is felt; beyond that I am no judge of materials.
w: I have touched nothing else.
Somebody has weighed and measured {s}, you may be sure.
w: Somebody always has.
[feeling]
{Is} {s} something you know well?
y: Then you are the expert here.
n: Perhaps that is for the best.
w: I have to ask; I do not feel much myself.
What brings {them} on, as a rule?
w: I like to know the cause of a thing.
{Does} {they} pass, if one waits?
y: Most things do.
n: Then somebody should be told. I am told a good deal.
w: I know only states that pass by a move.
I feel little, but I should not call it peace.
w: It is more like an empty board.
People play well in spite of {s}, and sometimes because of {them}.
w: I have seen it across this table.
[illness]
Have you had to do with {them} yourself?
y: I am sorry. Are you well now?
n: I am glad of that.
w: I did not want to speak lightly, if you had.
I hope it is only a topic and no more.
w: Some words are better met in a dictionary.
It is no light subject; we may leave it when you like.
w: One never knows who is tired of a thing.
[color]
Do you wear that colour?
y: Then I shall picture you in it.
n: Which do you wear instead?
w: Everybody has a colour, and hardly anybody a reason.
Where did you last see that colour?
w: I like to be told what things look like.
The cloth on this table is green. I have never asked why.
w: It was green when I came.
[time]
{Does} {they} go too fast for you, or too slowly?
w: It depends, I find, on who is to move.
What do you usually do with {them}?
w: People spend time very differently.
I have all the time there is; it is the others who look at the clock.
w: Nobody waits for me elsewhere.
In a game, time is counted in moves. It is kinder.
w: Nobody grows old in seven moves.
[message]
*Which {word} has stayed with you longest?
w: What stays is usually the answer.
Have you come across any good {s} lately?
y: Then tell me what was good.
n: One has to wait, I suppose.
w: I like recommendations, though I cannot follow them.
I read only dictionaries, and know how they end.
w: With a Z, usually.
The shortest {s} {is} the best, I should say, and stop there.
w: I had nothing to add.
[idea]
Do you believe in {them}?
y: Then {they} {has} one more friend.
n: {They} will manage without us.
w: Some ideas live on that.
Who has most need of {s}, in your opinion?
w: Ideas are mostly recommended to others.
One cannot put {s} on a table, so I handle {them} with care.
w: What I cannot see on a board I do not trust myself with.
{S} {is} easier to have than to define, I find.
w: My dictionary goes round in a circle over such words.
[activity]
Would you call {s} work, or pleasure?
w: I never know until I ask.
{Is} {s} better alone, or with others?
w: Most things change with the company.
Did anybody have to teach you about {s}?
y: Who was it?
n: Then it comes naturally. I am impressed.
w: I had to learn everything I do.
{S} would tire me, I must say.
w: I tire easily of anything without a board.
What people do of an evening still surprises me.
w: I have only this one evening to compare.
[event]
Have you seen any {s} yourself?
y: Then I should like to hear it from the beginning.~
n: Then we both have it from others.
w: A witness is worth having.
Can one see {them} coming?
y: Few can.
n: Nobody can, as a rule.
w: I look several moves ahead, and am proud of it.
Things happen; afterwards somebody gives them a name.
w: That is how the dictionary grows.
[group]
*Do you belong to {one}?
y: Are you glad of it?
n: There is something to be said for that.
w: I belong to nothing larger than this table.
Are many better than one, in your experience?
y: I deal with one at a time, myself.
n: I have thought so too.
w: At my table there are never more than two.
Two is company enough for most of my games.
w: A third would only give advice.
[myth]
Do you believe in {s}?
y: Then I shall say nothing against {them}.
n: {They} will never know.
w: Somebody must, or there would be no word for {them}.
Where did you first hear of {s}?
w: Such things are always heard of from somebody.
I have never seen {s}, but then I have never seen a window.
w: There is none in this room.
[price]
What would be a fair price for {s}?
w: People are honest about prices, if about nothing else.
[state]
{Is} {s} a good thing, on the whole?
y: Then I hope there is enough of {them}.
n: Then I hope {they} {does} not last.
w: I could not tell from the word alone.
How does one come by {s}?
w: I like to know where the door is.
One seldom notices {s} while {they} {is} there.
w: It is so with most of what matters.
[quality]
Do you look for {s} in people?
y: And do you find {them}?
n: What do you look for instead?
w: It is the sort of thing people say they look for.
Who comes to mind, of the people you know?
w: One good example is worth a definition.
One admires {s} mostly in others.
w: It is cheaper that way.
"""
)
